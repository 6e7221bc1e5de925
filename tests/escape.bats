#!/usr/bin/env bats
# what people read has no byte of a name, host, command or file name that does
# something: on a terminal, in HTML, in Markdown, in csv

load helper

setup_file() {
	need jq
	cd "$BATS_FILE_TMPDIR" || return
	hostile a 1000 > a.tq
	hostile b 3000 > b.tq
}

setup() {
	cd "$BATS_FILE_TMPDIR" || return
}

# hostile SIDE NS: a recording in which all texts are hostile, with three steps
hostile() {
	jq -cn --arg side "$1" --argjson ns "$2" '
	def bad($what): $what + $side + "\u001b]0;t\u0007\u001b[31m\r\n" +
	    "|<script>alert(1)</script>`\"&=\u009b31m\u007f\u202e\u2066, \\x";
	{kind: "trace", version: 1, source: bad("source"),
	    producer: bad("producer"), command: bad("command"),
	    host: bad("host"), os: bad("os"), rank: 0},
	{kind: "process", pid: 1, name: bad("process"), host: bad("host")},
	{kind: "thread", pid: 1, tid: 1, name: bad("thread")},
	{kind: "device", pid: 1, device: 0, name: bad("device")},
	(range(3) * 100000 | . as $at |
	    {kind: "range", ts: $at, dur: 90000, pid: 1, tid: 1,
		name: bad("step"), domain: bad("domain")},
	    {kind: "api", ts: ($at + 1), dur: 9000, pid: 1, tid: 1,
		corr: ($at + 1), name: bad("cudaLaunch")},
	    {kind: "kernel", ts: ($at + 20000), dur: (20000 + $ns), pid: 1,
		corr: ($at + 1), name: bad("kernel"), device: 0, context: 1,
		stream: 7, grid: [1, 1, 1], block: [32, 1, 1]},
	    {kind: "api", ts: ($at + 50000), dur: 30000, pid: 1, tid: 1,
		corr: ($at + 2), name: bad("cudaMemcpy")},
	    {kind: "memcpy", ts: ($at + 60000), dur: 20000, pid: 1,
		corr: ($at + 2), name: bad("copy"), device: 0, context: 1,
		stream: 7, bytes: 1000, copy: bad("HtoD"),
		src: "Pageable", dst: bad("Device")},
	    {kind: "osrt", ts: ($at + 81000), dur: 8000, pid: 1, tid: 1,
		name: bad("read"), file: bad("/file")}),
	{kind: "end", events: 21, dropped: 0}' | tq-correlate
}

# in_format FORMAT: everything that the tools print for people in that format
in_format() {
	local per reports=nvtx_sum,osrt_sum,cuda_api_sum,cuda_gpu_kern_sum
	reports+=,cuda_gpu_trace,cuda_gpu_mem_size_sum,step,gaps,run,range_self

	tq-stats -f "$1" a.tq
	echo
	tq-stats -q -f "$1" -r "$reports" a.tq
	for per in step span launch; do
		echo
		tq-diff -f "$1" --per "$per" a.tq b.tq
	done
	echo
	tq-diff -f "$1" --by path a.tq b.tq
	[[ $1 != html ]] || return 0
	echo
	tq-advise -v -n 50 -f "${1/table/text}" a.tq
	tq-advise -r nsys -f "${1/table/text}" a.tq
}

# no_controls FILE: no byte but of printable UTF-8, newlines and tabs
no_controls() {
	if LC_ALL=C grep -naP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\xaa-\xae]|\xe2\x81[\xa6-\xa9]' "$1"
	then
		return 1
	fi
}

@test "names on a terminal have no control characters" {
	in_format table > out
	tq-align --report a.tq >> out
	tq-stats -r hist a.tq >> out
	tq-stats -r folded a.tq >> out
	no_controls out
	grep -q 'kernela' out
}

@test "names in HTML are text: no tag, no control character" {
	in_format html > out
	no_controls out
	(($(grep -c '<script>alert' out) == 0))
	tr '\n' ' ' < out | grep -q 'kernela[^<>]*&lt;script&gt;alert'
}

@test "names in Markdown leave a table its cells, and are no HTML" {
	in_format markdown > out
	no_controls out
	(($(sed 's/\\\\//g' out | grep -c '[^\\]<script') == 0))
	grep -q 'kernela.*\\|\\<script\\>' out
	# cells of a row, and of the line of dashes of its table
	sed 's/\\\\//g; s/\\|//g' out | awk -F '|' '
	/^\|[-: |]*\|$/ { cells = NF; tables++ }
	/^\|/ { if (cells && NF != cells) { print "cells: " $0; bad = 1 } }
	!/^\|/ { cells = 0 }
	END { exit bad || tables < 20 }'
}

@test "names in csv and tsv leave a line its fields" {
	need python3
	in_format csv > out
	no_controls <(tr -d '\r' < out)
	python3 - out <<-'PY'
	import csv, sys
	fields, names = 0, 0
	with open(sys.argv[1], newline='') as f:
	    for row in csv.reader(f):
	        fields = fields if row and fields else len(row)
	        assert len(row) == fields, row
	        names += any('kernela' in x and '|<script>' in x for x in row)
	assert names > 3, names
	PY
	tq-stats -f tsv -r cuda_gpu_kern_sum,nvtx_sum -q a.tq > out
	tq-diff -f tsv a.tq b.tq >> out
	no_controls out
}

@test "the name of a file that is printed does nothing, and its command still runs" {
	mkdir names && cd names
	for name in $'h\e[31m|<b>`$(x)\xc2\x9b.tq' $'\e]0;t\a\xff.tq'; do
		cp ../a.tq "$name"
		cp "$(demo)" "$name.sqlite"
		for format in table html markdown csv; do
			tq-stats -f $format "$name"
			tq stats -f $format "$name.sqlite"
			tq-diff -f $format "$name" ../b.tq
			[[ $format = html ]] || tq-advise -v -f "${format/table/text}" "$name"
		done > out
		tq view "$name.sqlite" >> out
		tq view "$name.sqlite" >> out
		run tq view "none$name"
		echo "$output" >> out
		tq-stats "$name" > page
		cat page >> out
		no_controls <(tr -d '\r' < out)
		page_commands < page | while read -r command; do
			bash -c "$command" > /dev/null
		done
	done
}
