#!/usr/bin/env bats
# tq-stats --by-rank: a table of each rank is that of the rank alone

load helper

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

# rows OPTION ...: the rows of reports as csv, without their heading
rows() {
	tq-stats -q -f csv "$@" 2> /dev/null | tail -n +2
}

@test "of one rank, --by-rank has the rows that there are without it" {
	local report

	cp "$(correlated demo)" one.tq
	for report in $(tq-stats --help-reports | awk '/^ / { print $1 }') \
	    cuda_gpu_kern_sum:pct gaps_sum:thing device_time:cause; do
		# reports of all ranks, of text, of keys, and of the file
		case $report in
		group | overview | folded | hist | info | next | account*) continue ;;
		esac
		tq-stats -q -f csv --by-rank -r "$report" one.tq > apart 2> err || true
		grep -q -e 'compares ranks' -e 'is text' err && continue
		tail -n +2 apart | sed 's/^[0-9]*,//' |
		    diff <(rows -r "$report" one.tq) - || {
			echo "$report"
			return 1
		}
	done
	[[ $(rows --by-rank -r gaps_sum:thing one.tq | wc -l) -gt 10 ]]
}

@test "a rank has the processes and devices that are defined for it" {
	cp "$(correlated mpi)" mpi.tq
	rows --by-rank -r run mpi.tq > run
	[[ $(grep -c '^3,0,Process' run) = 1 && $(grep -c '^5,0,Process' run) = 1 ]]
	grep -q '^3,0,Process,"4096 solver, rank 3: 204 operations' run
	grep -q '^5,0,Process,"8192 solver, rank 5: 100 operations' run
	# definitions alone, behind the first event of another rank
	{
		sed '/^{"kind":"end"/d' mpi.tq
		echo '{"kind":"process","pid":9,"name":"late","rank":7}'
		echo '{"kind":"mark","ts":99000,"pid":9,"tid":9,"name":"m"}'
	} > late.tq
	rows --by-rank -r run late.tq > run
	[[ $(grep -c ' late, ' run) = 1 ]]
	grep -q '^7,0,Process,"9 late, rank 7: 1 other event"' run
}

@test "shares of a rank are of the time that it was recorded" {
	cp "$(correlated demo)" one.tq
	rows --by-rank -r cuda_gpu_kern_sum:pct one.tq one.tq > two
	sed -n 's/^0,//p' two | diff <(rows -r cuda_gpu_kern_sum:pct one.tq) -
	sed -n 's/^1,//p' two | diff <(rows -r cuda_gpu_kern_sum:pct one.tq) -
}

@test "what has no process is of the rank of its stream" {
	printf 'main;f;g 3\nmain;h 2\n' > folded.txt
	tq-extract folded.txt > folded.tq
	rows -r functions folded.tq > alone
	[[ $(wc -l < alone) -ge 3 ]]
	rows --by-rank -r functions folded.tq | sed 's/^0,//' | diff alone -
}

@test "the end of a recording is that of its records that ended" {
	stream '{"kind":"range","ts":1,"open":true,"pid":1,"tid":1,"name":"r","id":1}' \
	    '{"kind":"kernel","ts":10,"dur":5,"pid":1,"device":0,"name":"a"}' \
	    '{"kind":"kernel","ts":90,"dur":10,"pid":1,"device":0,"name":"b"}' > open.tq
	[[ $(rows -r cuda_gpu_kern_sum --time=-20ns: open.tq) = *,b ]]
	[[ $(rows -r cuda_gpu_kern_sum --time=-20ns: open.tq) = "$(rows -r cuda_gpu_kern_sum --time=80ns: open.tq)" ]]
}

@test "an account of samples has the functions of the stream" {
	printf 'main;f;g 3\nmain;h 2\n' > a.txt
	printf 'main;f;g 1\nmain;h 7\n' > b.txt
	for side in a b; do
		tq-extract $side.txt > $side.tq
		tq-stats --partial -r account $side.tq > $side.account
	done
	tq-diff -f csv a.tq b.tq > streams
	tq-diff -f csv a.account b.account | diff streams -
	grep -q '\bh\b' streams
}

@test "the gaps of a file are the same behind another file" {
	data nsys/2024.6.2-nvfuser-h200-a.sqlite
	for side in a b; do
		tq-extract "$DATA/nsys/2024.6.2-nvfuser-h200-$side.sqlite" |
		    tq-correlate -o $side.tq
	done
	rows -r gaps -n 1000000 b.tq | sort > alone
	rows -r gaps -n 1000000 a.tq b.tq | sort > both
	[[ -s alone && -z $(comm -23 alone both) ]]
}
