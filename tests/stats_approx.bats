#!/usr/bin/env bats
# tq-stats --approx: medians and percentiles in bounded memory

load helper

setup() {
	cd "$BATS_TEST_TMPDIR"
}

said="tq-stats: medians and percentiles are within 1/256 (0.4 %) of the exact ones"

# random N SEED [NAMES]: calls of many lengths, most of them short, by NAMES
# names; the last of these has 1000 only
random() {
	awk -v n="$1" -v seed="$2" -v names="${3:-1}" '
	BEGIN {
		srand(seed)
		print "{\"kind\":\"trace\",\"version\":1,\"source\":\"test\"}"
		for (i = 0; i < n; i++) {
			name = int(rand() * names)
			if (name == names - 1 && names > 1 && ++last > 1000)
				name = 0
			printf "{\"kind\":\"osrt\",\"ts\":%d,\"dur\":%d," \
			    "\"pid\":1,\"tid\":1,\"name\":\"f%d\"}\n",
			    i * 10, exp(rand() * rand() * 28), name
		}
		printf "{\"kind\":\"end\",\"events\":%d,\"dropped\":0}\n", n
	}'
}

# sizes VALUE...: each of them twice, and 500 times, as bytes of fills
sizes() {
	local v i

	for v; do
		for ((i = 0; i < 502; i++)); do
			echo '{"kind":"memset","ts":1,"dur":2,"pid":1,"bytes":'"$v"'}'
		done
	done | stream
}

# near EXACT APPROX: files of tab separated values
near() {
	paste "$1" "$2" | awk -f "$top/tests/oracle/near.awk"
}

# split FILE N SEED: N streams, split-0.tq and so on, as chance has it
split() {
	rm -f split-*
	awk -v n="$2" -v seed="$3" '
	BEGIN { srand(seed) }
	/^\{"kind":"(trace|end)"/ { next }
	{ i = int(rand() * n); line[i] = line[i] $0 "\n"; count[i]++ }
	END {
		for (i = 0; i < n; i++)
			printf "{\"kind\":\"trace\",\"version\":1,\"source\":\"test\"}\n%s" \
			    "{\"kind\":\"end\",\"events\":%d,\"dropped\":0}\n",
			    line[i], count[i] > ("split-" i ".tq")
	}' "$1"
}

@test "percentiles are within the bound, and all else is exact" {
	local seed

	for seed in 1 2 3; do
		random 40000 $seed 5 > in
		tq-stats -f tsv -r osrt_sum:pct in > exact
		run -0 --separate-stderr tq-stats --approx -f tsv -r osrt_sum:pct in
		[[ $stderr == "$said" ]]
		run -0 near exact <(echo "$output")
	done
}

@test "of real exports too, each report that can be merged" {
	local report

	need data
	cp "$(correlated 2024.6.2-torch-2.7b)" real.tq
	for report in cuda_api_sum:pct cuda_gpu_kern_sum:pct osrt_sum:pct \
	    range_self:pct; do
		tq-stats -f tsv -r $report real.tq > exact
		tq-stats --approx -f tsv -r $report real.tq > approx
		near exact approx
	done
	tq-stats -r hist real.tq | sed 's/median [^,]*,//' > exact
	tq-stats --approx -r hist real.tq | sed 's/median [^,]*,//' > approx
	cmp exact approx
}

@test "up to 255, and rows of up to 1024, nothing is approximate" {
	random 1024 1 > in
	tq-stats -r osrt_sum:pct in > exact
	run -0 --separate-stderr tq-stats --approx -r osrt_sum:pct in
	[[ $output == "$(< exact)" && -z $stderr ]]
	sizes 0 1 7 200 254 255 > in
	tq-stats -f csv -r cuda_gpu_mem_size_sum:pct in > exact
	tq-stats --approx -f csv -r cuda_gpu_mem_size_sum:pct in | cmp exact -
}

@test "values of any sign and of all 64 bits" {
	local v

	sizes -9223372036854775808 -70000 -1 0 3 100000 9223372036854775807 > in
	tq-stats -f ndjson -r cuda_gpu_mem_size_sum:pct in > exact
	tq-stats -f ndjson --approx -r cuda_gpu_mem_size_sum:pct in > approx
	grep -q '"min_b":-9223372036854775808,"max_b":9223372036854775807' approx
	for v in total avg stddev; do
		cmp <(grep -o "\"${v}_b\":[^,]*" exact) \
			<(grep -o "\"${v}_b\":[^,]*" approx)
	done
	jq -es '.[0].med_b == 0 and .[0].p90_b > 9.2e18' approx
}

@test "the bound is said, and stands with tables" {
	random 5000 1 > in
	run -0 tq-stats --approx -r osrt_sum in
	[[ $output == *"** OS Runtime Summary: ${said#*: } (osrt_sum):"* ]]
	[[ ${lines[-1]} == "$said" || ${lines[0]} == "$said" ]]
	run -0 --separate-stderr tq-stats --approx -f markdown -r osrt_sum in
	[[ ${lines[0]} == "## OS Runtime Summary: ${said#*: } (osrt_sum)" ]]
	run -0 --separate-stderr tq-stats -q --approx -f csv -r osrt_sum in
	[[ -z $stderr ]]
	# a report that does not know it is exact
	random 5000 1 | sed 's/osrt/kernel/; s/"tid":1/"device":0,"stream":1/' > in
	run -0 --separate-stderr tq-stats --approx -r device_time in
	[[ -z $stderr ]]
}

@test "a hundred parts make what one run makes, in any order" {
	random 30000 1 6 > in
	split in 100 2
	tq-stats --approx -f csv -r osrt_sum:pct in > whole 2> err
	for f in split-*.tq; do
		tq-stats --approx --partial -r osrt_sum "$f" > "${f%.tq}.part"
	done
	run -0 --separate-stderr tq-stats --merge -f csv -r osrt_sum:pct split-*.part
	[[ $stderr == "$said" ]]
	busy() { cut -d, -f 1-13,17- "$@"; }
	cmp <(busy whole) <(busy <<< "$output")
	cp <(busy whole) expect
	tq-stats --merge -q -f csv -r osrt_sum:pct $(printf '%s\n' split-*.part | tac) |
		busy | cmp expect -
	# sums of sums
	tq-stats --merge --partial split-[0-4]*.part > a
	tq-stats --merge --partial split-[5-9]*.part > b
	tq-stats --merge -q -f csv -r osrt_sum:pct b a | busy | cmp expect -
	grep -q '"buckets":' a
}

@test "parts that are exact and parts that are not: nothing is exact" {
	local f

	random 9000 3 3 > in
	split in 4 1
	tq-stats --approx -q -f csv -r osrt_sum in > whole
	for f in split-*.tq; do
		tq-stats --partial -r osrt_sum "$f" > "${f%.tq}.part"
	done
	tq-stats -f csv -r osrt_sum in | cmp - <(tq-stats --merge -f csv split-*.part)
	tq-stats --approx --merge -q -f csv split-*.part | cmp whole -
	for f in split-0 split-2; do
		tq-stats --approx --partial -r osrt_sum $f.tq > $f.part
		grep -q '"approx":true' $f.part
	done
	tq-stats --merge -q -f csv split-*.part | cmp whole -
	tq-stats --merge -q -f csv split-3.part split-2.part split-1.part \
		split-0.part | cmp whole -
}

@test "several distributions of a row: launches and their kernels" {
	cp "$(correlated demo)" demo.tq
	# so often that no row is exact
	for _ in $(seq 1100); do echo demo.tq; done > names
	xargs cat < names > in
	for report in launch cuda_kern_exec_sum; do
		tq-stats -f tsv -r $report in > exact
		tq-stats -q --approx -f tsv -r $report in > approx
		sed -i '1s/\(API\|Queue\|Kernel\|T\|A\|Q\|K\) \?Med/Med/g' exact approx
		near exact approx
	done
	tq-stats --partial -r launch,cuda_kern_exec_sum in > exact
	tq-stats --partial --approx -r launch,cuda_kern_exec_sum in > p
	tq-stats -q --approx -r launch,cuda_kern_exec_sum in |
		cmp - <(tq-stats -q --merge p)
	tq-stats -q --approx -r launch,cuda_kern_exec_sum in |
		cmp - <(tq-stats -q --approx --merge exact)
}

@test "memory does not grow with the stream" {
	need native no-sanitizer
	# about what the program takes without a stream
	(ulimit -v 16000 && random 1000000 1 3 | tq-stats --approx -f csv -r osrt_sum > out)
	(($(wc -l < out) == 4))
	# what is exact does not fit in there
	run -1 bash -c "ulimit -v 16000; $(declare -f random); random 3000000 1 1 |
		tq-stats -r osrt_sum"
	[[ $output == *"out of memory"* ]]
}

@test "a sketch that is wrong is named with its line" {
	local line message ok='"min":1,"max":300,"sum":[0,302],"squares":[0,0,90002],"buckets":[1,2,278,1]'

	part() {
		echo '{"kind":"trace","version":1,"source":"tq-stats","args":{"partial":2,"reports":["osrt_sum"],"approx":true}}'
		echo '{"kind":"partial","args":{"report":"osrt_sum","key":["a"],"busy":0,'"$1"'}}'
		echo '{"kind":"end","events":1}'
	}
	part '"count":3,'"$ok" > p
	run -0 tq-stats --merge -q -f csv p
	[[ ${lines[1]} == 100.0,302,3,100.7,1.0,1,300,172.6,a ]]
	while IFS='~' read -r message line; do
		part "$line" > p
		run -1 --separate-stderr tq-stats --merge p
		[[ -z $output && $stderr == "tq-stats: p:2: $message" ]] || {
			echo "$line: $stderr"
			return 1
		}
	done <<-EOF
	count is no integer, or too large~$ok
	count is no integer, or too large~"count":-3,$ok
	buckets are not as count, min and max have it~"count":2,$ok
	buckets are not as count, min and max have it~"count":0,"min":1,"max":1,"sum":[0,0],"squares":[0,0,0],"buckets":[]
	buckets are not as count, min and max have it~"count":3,${ok/278/277}
	buckets are not as count, min and max have it~"count":3,${ok/278/9999999999}
	buckets are not as count, min and max have it~"count":3,${ok/1,2,278/278,2,1}
	buckets are not as count, min and max have it~"count":3,${ok/278,1/277}
	buckets are not as count, min and max have it~"count":3,${ok/278,1/278,0}
	buckets are not as count, min and max have it~"count":3,${ok/278,1/278,18446744073709551615}
	buckets are not as count, min and max have it~"count":3,${ok/:300/:9000}
	min or max is no integer, or too large~"count":3,${ok/\"min\"/\"mid\"}
	min or max is no integer, or too large~"count":3,${ok/300/9223372036854775808}
	sum is not two integers~"count":3,${ok/0,302/302}
	sum is not two integers~"count":3,${ok/\[0,302\]/302}
	sum is not two integers~"count":3,${ok/0,302/0,-1}
	sum is not between min and max~"count":3,${ok/0,302/0,2}
	sum is not between min and max~"count":3,${ok/0,302/1,302}
	sum is not between min and max~"count":3,${ok/0,302/-1,302}
	squares is not three integers~"count":3,${ok/0,0,90002/0,90002}
	EOF
	part '"count":9223372036854775807,"min":0,"max":0,"sum":[0,0],"squares":[0,0,0],"buckets":[0,9223372036854775807]' > p
	tq-stats --merge -q -f csv p > out
	run -1 tq-stats --merge p p
	[[ $output == "tq-stats: p:2: count becomes too large" ]]
}
