#!/usr/bin/env bats
# Short names of reports, what --help-reports says of one, and the format that
# the name of the output has.

load helper

setup_file() {
	cd "$BATS_FILE_TMPDIR"
	sqlite3 demo.sqlite < "$top/examples/demo.sql"
	tq-extract demo.sqlite | tq-correlate -o demo.tq
}

setup() {
	cd "$BATS_FILE_TMPDIR"
}

@test "a short name of a report is the report, with its arguments" {
	tq-stats -r cuda_gpu_kern_sum:base demo.tq > want
	tq-stats -r kernels:base demo.tq | cmp - want
	while read -r short long; do
		tq-stats -r "$long" demo.tq > want
		tq-stats -r "$short" demo.tq | cmp - want
	done <<- 'EOF'
		api cuda_api_sum
		kernels cuda_gpu_kern_sum
		memcpy cuda_gpu_mem_time_sum
		nvtx nvtx_sum
		osrt osrt_sum
		ranges nvtx_sum
		steps step
	EOF
}

# reports OPTION ...: the names of the reports that are printed
reports() {
	tq-stats "$@" -f ndjson demo.tq | jq -r .report | uniq | xargs
}

@test "-g is a report in its place among those of -r, before and behind them" {
	[[ $(reports -g pid) = group ]]
	[[ $(reports -g pid -r kernels,api) = "group cuda_gpu_kern_sum cuda_api_sum" ]]
	[[ $(reports -r kernels -g pid -r api) = "cuda_gpu_kern_sum group cuda_api_sum" ]]
	[[ $(reports -r kernels,api -g pid) = "cuda_gpu_kern_sum cuda_api_sum group" ]]
	# once, where -r names it
	[[ $(reports -g pid -r kernels,group) = "cuda_gpu_kern_sum group" ]]
	[[ $(reports -r group,kernels -g pid) = "group cuda_gpu_kern_sum" ]]
	# of several the last has the keys
	tq-stats -g pid > want -f csv demo.tq
	tq-stats -g tid -r group -g pid -f csv demo.tq | cmp - want
}

@test "--help-reports of a report lists its arguments, kinds and columns" {
	tq-stats --help-reports=gaps_sum > got
	grep '^  gaps_sum  *Gaps of the Devices by Cause, :device|stream' got
	grep '^  of records of kind kernel, ' got
	tq-stats -r gaps_sum --sort help demo.tq > columns
	# and what each column is
	[[ $(sed -n '3,$p' got | cut -c -38 | sed 's/ *$//') = \
	    "$(cut -c -38 columns | sed 's/ *$//')" ]]
	grep -x '    total_ns                 Total (ns)            sum' got
	[[ -z $(sed -n '4,$p' got | grep -Ev '^    [a-z0-9_]+ +[^ ]+( [^ ]+)*  +[^ ]') ]]
	tq-stats --help-reports gaps_sum < /dev/null | cmp - got
	tq-stats --help-reports kernels,launch | grep 'cuda_gpu_kern_sum'
	run -2 tq-stats --help-reports=gasp
	[[ $output = *"no report is named 'gasp'"* ]]
}

@test "--help-reports lists each report under one question" {
	tq-stats --help-reports > list
	(($(grep -c '^[A-Z].*?$' list) >= 8))
	[[ -z $(grep -v '^[A-Z].*?$' list | grep -v '^  [a-z]') ]]
	[[ -z $(awk '/^ / { print $1 }' list | sort | uniq -d) ]]
	# the last question has one report: none is without a question
	[[ $(tail -n 2 list) = $'And by keys of your own?\n  group  '* ]]
	for report in gaps_sum nvtx_sum memory_peak critical info torch_steps; do
		grep "^  $report " list
	done
}

@test "the suffix of the output is its format, unless -f names another" {
	for format in html csv tsv json ndjson; do
		tq-stats -q -r kernels -f "$format" demo.tq > want
		tq-stats -q -r kernels -o "out.$format" demo.tq
		cmp "out.$format" want
	done
	tq-stats -q -r kernels -f markdown demo.tq > want
	tq-stats -q -r kernels -o out.md demo.tq
	cmp out.md want
	tq-stats -q -r kernels -f csv demo.tq > want
	tq-stats -q -r kernels -o out.csv.gz demo.tq
	gzip -dc out.csv.gz | cmp - want
	tq-stats -q -r kernels -f csv -o out.json demo.tq
	cmp out.json want
	tq-stats -q -r kernels demo.tq > want
	mkdir dir.csv
	for name in out.txt out .csv dir.csv/out; do
		tq-stats -q -r kernels -o "$name" demo.tq
		cmp -- "$name" want
	done
	tq-diff -f html demo.tq demo.tq > want
	tq-diff -o out.html demo.tq demo.tq
	cmp out.html want
	tq-advise -f json demo.tq > want
	tq-advise -o out.json demo.tq
	cmp out.json want
}
