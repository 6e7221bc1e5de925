#!/bin/sh
# compare.sh - what moved from one result of make bench to another
#
#	sh tests/bench/compare.sh OLD NEW
#
# Machines are not equally fast from run to run, so that the time of wc -l, as
# what no change of ours moves, is the measure: a ratio is of the times in it.

set -eu

if [ $# -ne 2 ]; then
	echo "usage: compare.sh old.ndjson new.ndjson" >&2
	exit 2
fi
jq -n -r --slurpfile old "$1" --slurpfile new "$2" '
	def cpu: .user_ns + .system_ns;
	def peak: [.stages[].max_rss_bytes] | max / 1e6;
	def unit($rows): $rows[] | select(.name == "wc -l") | cpu;
	def percent: (. - 1) * 1000 | round / 10
	    | if . > 0 then "+\(.) %" else "\(.) %" end;

	unit($old) as $was | unit($new) as $is
	| ["", "CPU s", "was", "moved", "peak MB", "was"],
	  ($new[] | . as $n | ($old[] | select(.name == $n.name)) as $o
	    | [$n.name, ($n | cpu) / 1e9, ($o | cpu) / 1e9,
	       ((($n | cpu) / $is) / (($o | cpu) / $was) | percent),
	       ($n | peak), ($o | peak)]),
	  ($new[] | select(.name as $x | all($old[]; .name != $x))
	    | [.name, cpu / 1e9, "-", "new", peak, "-"]),
	  ($old[] | select(.name as $x | all($new[]; .name != $x))
	    | [.name, "-", cpu / 1e9, "gone", "-", peak])
	| @tsv' |
awk -F '\t' '
	function number(s, form) { return s ~ /^[0-9.]+$/ ? sprintf(form, s) : s }
	{
		printf "%-26s %8s %8s %9s %8s %8s\n", $1, number($2, "%.2f"),
		    number($3, "%.2f"), $4, number($5, "%.0f"),
		    number($6, "%.0f")
	}'
