#!/usr/bin/env bats
# tq-stats --digest: what matters most of the page, in so many bytes

load helper

setup() {
	cd "$BATS_TEST_TMPDIR" || exit
}

# commands FILE: the commands of a digest
commands() {
	sed -n 's/^  \$ //p' "$1"
}

# fits NAME ...: digests of these exports have at most as many bytes as they may,
# whole lines, and as many commands as fit
fits() {
	local name size file

	for name; do
		file=$(correlated "$name")
		tq-stats --digest=1000000 "$file" > all
		{ commands all && echo "tq-advise $file"; } | sort > known
		for size in 1k 2k 4k 16k; do
			tq-stats --digest="$size" "$file" > got
			(($(wc -c < got) <= ${size%k} * 1024)) || return 1
			[[ -s got && $(tail -c 1 got) = '' ]] || return 1
			commands got | sort | comm -23 - known > cut
			[[ ! -s cut ]] || return 1
		done
		# as much as fits, not much less
		(($(wc -c < got) == $(wc -c < all) ||
		    $(wc -c < got) > 15 * 1024)) || return 1
	done
}

@test "a digest has at most so many bytes, and whole lines: fixtures" {
	fits demo base ranges graph mpi overlap
}

@test "a digest has at most so many bytes, and whole lines: real exports" {
	((${#EXPORTS[@]} > 0)) || skip 'no real data'
	fits 2024.6.2-torch-2.7b 2026.2.1-mfu-2gpu 2026.1.1-vectoradd \
	    2022.4.2-nvtx-domains
}

@test "--digest takes a size behind = or as the first operand, by default 4k" {
	cp "$(demo)" 'a run.sqlite'
	tq stats --digest 'a run.sqlite' > got
	tq stats --digest=4k 'a run.sqlite' | cmp - got
	tq stats --digest=4096 'a run.sqlite' | cmp - got
	tq stats --digest 4k 'a run.sqlite' | cmp - got
	tq stats --digest 1k 'a run.sqlite' > small
	(($(wc -c < small) <= 1024 && $(wc -c < got) > 1024))
	run -2 tq-stats --digest=0 x.tq
	[[ $output = "tq-stats: --digest 0: expected a size from 256B to 1GiB"* ]]
	run -2 tq-stats --digest -r gaps x.tq
	[[ $output = 'tq-stats: --digest is of the page'* ]]
}

@test "a digest has the verdict and the findings of the page" {
	cp "$(demo)" d.sqlite
	COLUMNS=100 tq stats d.sqlite > page
	COLUMNS=100 tq stats --digest=64k d.sqlite > got
	[[ $(grep '^The GPUs* ' got) = "$(grep '^The GPUs* ' page)" ]]
	diff <(grep -o '^ *[0-9]* *[0-9.]* %  [A-Z][a-z ]*' page) \
	    <(grep -o '^ *[0-9]* *[0-9.]* %  [A-Z][a-z ]*' got)
	for title in KERNELS 'CUDA API CALLS' MEMCPY; do
		grep "^$title" got
	done
}

@test "every command of a digest runs, of a file with a blank in its name" {
	cp "$(demo)" 'a run.sqlite'
	for size in 2k 64k; do
		tq stats --digest=$size 'a run.sqlite' > got
		commands got > list
		[[ -s list ]]
		while read -r command; do
			run -0 bash -c "$command"
			[[ $output ]] || return 1
		done < list
	done
	tq extract 'a run.sqlite' | tq correlate > 'a run.tq'
	tq-stats --digest=64k 'a run.tq' > got
	while read -r command; do
		run -0 bash -c "$command"
		[[ $output ]] || return 1
	done < <(commands got)
}
