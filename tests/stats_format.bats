#!/usr/bin/env bats
# tq-stats: how tables are written, and the reports on the host

load helper

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# Calls with names that are hard to write, and durations that round.
hard() {
	stream <<-'EOF'
	{"kind":"osrt","ts":0,"dur":1234567,"pid":1,"tid":1,"name":"b,\"q\"\n|x<T>\t&"}
	{"kind":"osrt","ts":0,"dur":1607,"pid":1,"tid":1,"name":"read"}
	{"kind":"osrt","ts":5,"dur":1608,"pid":1,"tid":1,"name":"read"}
	{"kind":"osrt","ts":6,"dur":500,"pid":1,"tid":1,"name":"\"x\""}
	EOF
}

calls() { # NAME DURATION...
	local name=$1 dur

	shift
	for dur; do
		printf '{"kind":"osrt","ts":0,"dur":%s,"pid":1,"tid":1,"name":"%s"}\n' \
			"$dur" "$name"
	done
}

two() {
	stream '{"kind":"osrt","ts":0,"dur":5,"pid":1,"tid":1,"name":"read"}' \
		'{"kind":"api","ts":1,"dur":7,"pid":1,"tid":1,"name":"task","api":"openmp"}'
}

# rfc4180: read CSV strictly; each record as a JSON array of strings.
rfc4180() {
	jq -Rsc -L "$top/tests/oracle" 'include "rfc4180"; records'
}

# ---- csv ----

@test "csv has the titles of nsys with their units, and LF" {
	calls read 1607 1608 | stream > in
	run -0 --separate-stderr tq-stats -f csv -r osrt_sum in
	[[ ${lines[0]} == "Time (%),Total Time (ns),Num Calls,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Name" ]]
	[[ ${lines[1]} == "100.0,3215,2,1607.5,1607.5,1607,1608,0.7,read" ]]
	((${#lines[@]} == 2))
}

@test "csv quotes what has a comma, a quote or a line end, as RFC 4180 says" {
	hard > in
	tq-stats -f csv -r osrt_sum in > out
	run -0 rfc4180 < out
	[[ ${lines[1]} == *',"b,\"q\"\n|x<T>\t&"]' ]]
	[[ ${lines[3]} == *',"\"x\""]' ]]
	run -0 cat out
	[[ ${lines[1]} == *'0.0,"b,""q""' ]]
	[[ ${lines[3]} == *',read' ]]
	[[ ${lines[4]} == *',"""x"""' ]]
}

@test "csv with --compat quotes for a comma only and doubles nothing" {
	hard > in
	run -0 --separate-stderr tq-stats --compat 2023.4 -f csv -r osrt_sum in
	[[ ${lines[1]} == *'0.0,"b,"q"' ]]
	[[ ${lines[4]} == *',"x"' ]]
}

@test "a blank line stands between two tables" {
	two > in
	run -0 --separate-stderr --keep-empty-lines \
		tq-stats -f csv -r osrt_sum,openmp_sum in
	[[ ${lines[1]} == 100.0,5,1,*,read ]]
	[[ ${lines[2]} == "" ]]
	[[ ${lines[3]} == "Time (%),Total Time (ns),Count,"* ]]
	[[ ${lines[4]} == 100.0,7,1,*,task ]]
	tq-stats -f tsv -r osrt_sum,openmp_sum in > tsv
	[[ $(sed -n 3p tsv) == "" ]]
}

# ---- numbers ----

@test "numbers are rounded half away from zero" {
	# 841.25, and 1607.35, which is no binary fraction
	{
		calls quarter 841 841 841 842
		calls twentieth 1607 1607 1607 1607 1607 1607 1607 1607 1607 \
			1607 1607 1607 1607 1608 1608 1608 1608 1608 1608 1608
	} | stream > in
	run -0 --separate-stderr tq-stats -f csv -r osrt_sum in
	[[ ${lines[1]} == *,32147,20,1607.4,1607.0,*,twentieth ]]
	[[ ${lines[2]} == *,3365,4,841.3,841.0,*,quarter ]]
}

@test "integers that no double holds are exact" {
	calls long 9007199254740993 9007199254740992 | stream > in
	run -0 --separate-stderr tq-stats -f csv -r osrt_sum in
	[[ ${lines[1]} == 100.0,18014398509481985,2,9007199254740992.5,9007199254740992.5,9007199254740992,9007199254740993,0.7,long ]]
	run -0 --separate-stderr tq-stats -f csv --timeunit ms -r osrt_sum in
	[[ ${lines[1]} == 100.0,18014398509.4820,2,9007199254.7410,* ]]
}

@test "--timeunit converts times and the titles tell" {
	calls read 1607 1608 | stream > in
	run -0 --separate-stderr tq-stats -f csv --timeunit us -r osrt_sum in
	[[ ${lines[0]} == "Time (%),Total Time (us),Num Calls,Avg (us),Med (us),Min (us),Max (us),StdDev (us),Name" ]]
	[[ ${lines[1]} == 100.0,3.215,2,1.608,1.608,1.607,1.608,0.001,read ]]
	run -0 --separate-stderr tq-stats -f csv --timeunit ms -r osrt_sum in
	[[ ${lines[1]} == 100.0,0.0032,2,0.0016,* ]]
	run -0 --separate-stderr tq-stats -f csv --timeunit sec -r osrt_sum in
	[[ ${lines[0]} == *"Total Time (sec)"* ]]
	[[ ${lines[1]} == 100.0,0.0000,2,0.0000,* ]]
}

@test "a unit of time is any prefix that nsys takes" {
	local unit name

	calls read 1 | stream > in
	for unit in nsec:ns ns:ns n:ns nanosec:ns usec:us us:us micro:us mi:- \
		msec:ms ms:ms milli:ms m:- s:sec sec:sec seconds:sec \
		fortnight:- :- nss:-; do
		run tq-stats -f csv --timeunit "${unit%:*}" -r osrt_sum in
		name=${unit%:*}
		if [[ ${unit#*:} == - ]]; then
			((status == 2))
			[[ ${lines[0]} == "tq-stats: --timeunit ${name:-''}: expected ns, us, ms or s" ]]
		else
			((status == 0))
			[[ ${lines[0]} == *"Total Time (${unit#*:}),"* ]]
		fi
	done
}

# ---- the other formats ----

@test "tsv makes tabs and line ends in text blank" {
	hard > in
	run -0 --separate-stderr tq-stats -f tsv -r osrt_sum in
	[[ ${lines[1]} == $'99.7\t1234567\t1\t1234567.0\t1234567.0\t1234567\t1234567\t0.0\tb,"q" |x<T> &' ]]
	((${#lines[@]} == 4))
}

@test "json of one report is an array of objects" {
	hard > in
	tq-stats -f json1 -r osrt_sum in > out
	jq -e 'length == 3 and (map(keys_unsorted) | unique == [["Time (%)",
		"Total Time (ns)", "Num Calls", "Avg (ns)", "Med (ns)",
		"Min (ns)", "Max (ns)", "StdDev (ns)", "Name"]])' out
	jq -e '.[0] | .Name == "b,\"q\"\n|x<T>\t&" and
		.["Total Time (ns)"] == 1234567 and .["Time (%)"] == 99.7' out
	jq -e '.[1] | .["Avg (ns)"] == 1607.5' out
}

@test "json of several reports is one object by report" {
	two > in
	tq-stats -f json1 -r osrt_sum,openmp_sum in > out
	[[ $(jq -s length out) == 1 ]]
	jq -e 'keys_unsorted == ["osrt_sum", "openmp_sum"] and
		.openmp_sum[0].Count == 1' out
	# also when only one of them has rows, so that what reads it need not care
	tq-stats -q -f json1 -r syscall_sum,openmp_sum in > out
	jq -e 'keys_unsorted == ["openmp_sum"]' out
}

@test "ndjson is a line per row that names its report" {
	two > in
	run -0 --separate-stderr tq-stats -f ndjson -r osrt_sum,openmp_sum in
	[[ $(jq -rs 'map(.report) | join(" ")' <<< "$output") == "osrt_sum openmp_sum" ]]
	[[ ${lines[0]} == '{"report":"osrt_sum","time_pct":100.0,"total_ns":5,"num_calls":1,'* ]]
	((${#lines[@]} == 2))
}

@test "json keeps bytes where csv has megabytes" {
	stream '{"kind":"memcpy","ts":0,"dur":5,"pid":1,"bytes":1234567,"copy":"HtoD"}' > in
	tq-stats -f json1 -r cuda_gpu_mem_size_sum in |
		jq -e '.[0]["Total (B)"] == 1234567'
	run -0 --separate-stderr tq-stats -f csv -r cuda_gpu_mem_size_sum in
	[[ ${lines[0]} == "Total (MB),Count,Avg (MB),Med (MB),Min (MB),Max (MB),StdDev (MB),Operation" ]]
	[[ ${lines[1]} == "1.235,1,1.235,1.235,1.235,1.235,0.000,"* ]]
}

@test "markdown is a table with aligned numbers and escaped text" {
	hard > in
	run -0 --separate-stderr tq-stats -f markdown -r osrt_sum in
	[[ ${lines[0]} == "## OS Runtime Summary (osrt_sum)" ]]
	[[ ${lines[1]} == "| Time (%) | Total Time (ns) | "*" | Name |" ]]
	[[ ${lines[2]} == "| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | :--- |" ]]
	[[ ${lines[3]} == '| 99.7 | 1234567 | 1 |'*'| 0.0 | b,"q" \|x\<T\> \& |' ]]
	((${#lines[@]} == 6))
}

@test "html is one page, well-formed, and needs nothing else" {
	hard > in
	tq-stats -f html -r osrt_sum in > out.html
	# every tag is closed in its turn
	run -0 awk 'BEGIN { RS = "<" }
	NR > 1 && !/^[!]/ && !/^[^>]*\/>/ && !script {
		tag = $0; sub(/[ >\n].*/, "", tag)
		if (tag ~ /^\//) {
			if (stack[n--] != substr(tag, 2)) {
				print "closed: " tag; exit 1
			}
		} else
			stack[++n] = tag
		script = tag == "script"
	}
	script && /^\/script>/ { n--; script = 0 }
	END { exit n != 0 }' out.html
	run -0 grep -c '<td class="t">b,&quot;q&quot;$' out.html
	run -0 grep -c '^|x&lt;T&gt;	&amp;</td>' out.html
	run -0 grep -c '<td class="b" style="--p:99.7%">99.7</td><td>1,234,567</td>' out.html
	run -1 grep -nE '(src|href) *=|url\(|@import|https?:' out.html
}

@test "a page has all tables" {
	two > in
	tq-stats -f html -r osrt_sum,openmp_sum in > out.html
	[[ $(grep -c '<table>' out.html) == 2 ]]
	[[ $(grep -c '</html>' out.html) == 1 ]]
	[[ $(grep -c '<script>' out.html) == 1 ]]
}

# ---- for people ----

@test "a table has title, titles, rule, numbers to the right, text to the left" {
	hard > in
	tq-stats -f table -r osrt_sum in > out
	diff out - <<-'EOF'
	 ** OS Runtime Summary (osrt_sum):

	 Time (%)  Total Time (ns)  Num Calls   Avg (ns)   Med (ns)  Min (ns)  Max (ns)  StdDev (ns)  Name
	 --------  ---------------  ---------  ---------  ---------  --------  --------  -----------  -------------
	     99.7          1234567          1  1234567.0  1234567.0   1234567   1234567          0.0  b,"q" |x<T> &
	      0.3             3215          2     1607.5     1607.5      1607      1608          0.7  read
	      0.0              500          1      500.0      500.0       500       500          0.0  "x"
	EOF
}

# on_terminal COLUMNS COMMAND...: what it writes on a terminal
on_terminal() {
	local columns=$1

	shift
	need script
	script -qec "stty cols $columns; $*" /dev/null < /dev/null | tr -d '\r'
}

@test "on a terminal numbers have the unit that fits" {
	hard > in
	on_terminal 200 tq-stats -r osrt_sum in > out
	diff out - <<-'EOF'
	 ** OS Runtime Summary (osrt_sum):

	 Time (%)  Total Time  Num Calls      Avg      Med      Min      Max  StdDev  Name
	 --------  ----------  ---------  -------  -------  -------  -------  ------  -------------
	     99.7     1.23 ms          1  1.23 ms  1.23 ms  1.23 ms  1.23 ms  0.0 ns  b,"q" |x<T> &
	      0.3     3.22 us          2  1.61 us  1.61 us  1.61 us  1.61 us  0.7 ns  read
	      0.0      500 ns          1   500 ns   500 ns   500 ns   500 ns  0.0 ns  "x"
	EOF
	on_terminal 200 tq-stats --timeunit us -r osrt_sum in > out
	[[ $(sed -n 5p out) == *" 1,234.567 "* ]]
	[[ $(sed -n 3p out) == *" Total Time (us) "* ]]
}

@test "999.96 us are 1.00 ms" {
	calls a 999960 | stream > in
	on_terminal 200 tq-stats -r osrt_sum in > out
	[[ $(sed -n 5p out) == *" 1.00 ms "* ]]
}

@test "names are shortened in the middle so that lines fit a terminal" {
	local name='start of a very long name that nobody can read at once and its end'

	calls "$name" 5 | stream > in
	on_terminal 110 tq-stats -r osrt_sum in > out
	run -0 cat out
	((${#lines[3]} == 110))
	[[ ${lines[3]} == *"  start of a very lon...t once and its end" ]]
	# but not below 20 characters
	on_terminal 40 tq-stats -r osrt_sum in > out
	[[ $(sed -n 5p out) == *"  start of ... its end" ]]
	# and nowhere else
	tq-stats -r osrt_sum in | grep -q "  $name\$"
}

@test "wide characters count as two columns" {
	need C.UTF-8
	calls 日本語日本語日本語日本語 5 | stream > in
	tq-stats -f table -r osrt_sum in > out
	[[ $(sed -n 4p out) == *"  ------------------------" ]]
	on_terminal 60 tq-stats -r osrt_sum in > out
	[[ $(sed -n 5p out) == *"  日本語日...語日本語" ]]
}

@test "control characters do not reach a terminal" {
	stream '{"kind":"osrt","ts":0,"dur":5,"pid":1,"tid":1,"name":"a\u001b[31mb"}' > in
	tq-stats -f table -r osrt_sum in | grep -qF '  a?[31mb'
	# not behind a byte that is no UTF-8 either
	stream $'{"kind":"osrt","ts":0,"dur":5,"pid":1,"tid":1,"name":"a\xff\\u001bb"}' > in
	tq-stats -f table -r osrt_sum in | grep -qF '  a??b'
}

# ---- what is asked for ----

@test "an unknown format is a usage error" {
	run -2 tq-stats -f xml -r osrt_sum /dev/null
	[[ $output == "tq-stats: --format xml: expected table, csv, tsv, json, ndjson, markdown, html, json1, openmetrics or pprof" ]]
}

@test "an unknown report is a usage error" {
	run -2 --separate-stderr tq-stats -r nosuch /dev/null
	[[ ${stderr_lines[0]} == "tq-stats: no report is named 'nosuch'; there are:" ]]
}

# ---- the host ----

@test "osrt_sum has nested calls too, and no call that never ended" {
	stream '{"kind":"osrt","ts":0,"dur":9,"pid":1,"tid":1,"name":"fopen"}' \
		'{"kind":"osrt","ts":1,"dur":5,"pid":1,"tid":1,"name":"open","nesting":1}' \
		'{"kind":"osrt","ts":2,"pid":1,"tid":1,"name":"poll","open":true}' > in
	run -0 --separate-stderr tq-stats -f csv -r osrtsum in
	[[ ${lines[1]} == 64.3,9,1,*,fopen ]]
	[[ ${lines[2]} == 35.7,5,1,*,open ]]
	((${#lines[@]} == 3))
}

@test "syscall_sum and osrt_sum have different calls" {
	stream '{"kind":"osrt","ts":0,"dur":9,"pid":1,"tid":1,"name":"read"}' \
		'{"kind":"osrt","ts":1,"dur":5,"pid":1,"tid":1,"name":"futex","args":{"class":"syscall"}}' > in
	run -0 --separate-stderr tq-stats -f csv -r osrt_sum in
	[[ ${lines[1]} == 100.0,9,1,*,read && ${#lines[@]} == 2 ]]
	run -0 --separate-stderr tq-stats -f csv -r syscall_sum in
	[[ ${lines[1]} == 100.0,5,1,*,futex && ${#lines[@]} == 2 ]]
}

@test "openacc_sum names event, file and line" {
	stream '{"kind":"api","ts":0,"dur":9,"pid":1,"tid":1,"name":"Wait","api":"openacc","args":{"lineNo":12,"srcFile":"a.c"}}' \
		'{"kind":"api","ts":1,"dur":5,"pid":1,"tid":1,"name":"Init","api":"openacc"}' \
		'{"kind":"api","ts":2,"dur":5,"pid":1,"tid":1,"name":"f","api":"cuda-runtime"}' > in
	run -0 --separate-stderr tq-stats -f csv -r openaccsum in
	[[ ${lines[1]} == 64.3,9,1,*,Wait@a.c:12 ]]
	[[ ${lines[2]} == 35.7,5,1,*,Init ]]
	((${#lines[@]} == 3))
}

@test "a report without rows says so and fails" {
	stream > in
	run -1 tq-stats -r osrt_sum in
	[[ $output == "tq-stats: osrt_sum: no OS runtime call in the stream" ]]
	run -1 tq-stats -q -r openmp_sum in
	[[ $output == "" ]]
}

# ---- real data ----

@test "osrt_sum is what nsys 2023.4 prints, byte for byte" {
	local trace golden

	for trace in 2025.3.1-cupy-nvtx 2025.5.1-osrt-files; do
		data "nsys/golden/nsys-2023.4.4/$trace/osrt_sum.csv"
		golden=$data
		data "nsys/$trace.sqlite"
		tq-extract "$data" > in.tq
		tq-stats --compat 2023.4 -f csv -r osrt_sum in.tq > out
		cmp "$golden" out
	done
}

# console REPORT FILE: the numbers of its rows in what nsys printed
console() {
	awk -v r="$1" '
		/\([a-z_]*\):$/ || /^\[.*Executing/ {
			on = index($0, "(" r "):") || index($0, "\047" r "\047")
		}
		/^Processing/ { on = 0 }
		on && $1 ~ /^[0-9.,]+$/ {
			for (i = 1; i <= (r ~ /size/ ? 7 : 8); i++) {
				gsub(",", "", $i)
				printf "%s ", $i
			}
			print ""
		}' "$2"
}

@test "the sums have the numbers that nsys 2024.6 prints" {
	local trace report n=0

	for trace in 2024.6.2-cuda-graphs 2024.6.2-torch-2.7b 2024.6.2-nvfuser; do
		data "nsys/$trace.sqlite"
		tq-extract "$data" > in.tq
		data "nsys/golden/$trace.nsys-stats.txt"
		for report in nvtx_sum osrt_sum cuda_api_sum cuda_gpu_kern_sum \
		    cuda_gpu_mem_time_sum cuda_gpu_mem_size_sum; do
			console "$report" "$data" | sort > golden
			[[ -s golden ]] || continue
			# the row has its text behind the numbers
			tq-stats --compat 2024.6 -f tsv -r "$report" in.tq |
			    sed '1d; /^$/d' | awk -v r="$report" '{
				for (i = 1; i <= (r ~ /size/ ? 7 : 8); i++)
					printf "%s ", $i
				print ""
			    }' | sort > out
			diff golden out
			n=$((n + 1))
		done
	done
	((n == 13))
}

@test ":pct: total and busy time of the wall, of all sections" {
	section() {
		printf '%s\n' '{"kind":"osrt","ts":0,"dur":40,"pid":1,"tid":1,"name":"a"}' \
		    '{"kind":"osrt","ts":20,"dur":40,"pid":1,"tid":2,"name":"a"}' \
		    '{"kind":"mark","ts":100,"pid":1,"tid":1,"name":"end"}' | stream
	}
	section > 1
	tq-stats -r osrt_sum:pct -f json1 1 1 > got
	run -0 jq -c '.[] | [."Busy (ns)", ."Total of Wall (%)",
	    ."Busy of Wall (%)"] | '"$plain" got
	[[ $output = '[120,80,60]' ]]
	for i in a b; do tq-stats --partial -r osrt_sum 1 > $i; done
	run -0 cmp got <(tq-stats --merge -r osrt_sum:pct -f json1 a b)
}

# ---- names that could command a terminal ----

# commands: are there control characters but newlines and tabs in stdin, or
# those of C1, also as bytes that are no UTF-8?
commands() {
	LC_ALL=C grep -qaP '[\x01-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|(?<![\xc2-\xf4\x80-\xbf])[\x80-\x9f]'
}

@test "no control character of a name reaches a terminal" {
	{
		for kind in range api kernel osrt; do
			printf '{"kind":"%s","ts":5,"dur":9,"pid":1,"tid":1,"corr":1,"id":1,' $kind
			printf '"device":0,"name":"a\\u001b[31m\\u009b2J\\u007f\xc2\x9b \x9b b\\n\\"é\\""}\n'
		done
	} | stream | tq-correlate --path > names.tq
	printf '\x9b' | commands
	! echo 'é € 😀' | commands || return 1
	for format in table csv tsv markdown; do
		for report in overview osrt_sum nvtx_sum cuda_api_sum hist folded \
		    cuda_gpu_kern_sum cuda_gpu_trace nvtx_pushpop_trace; do
			tq-stats -f $format -r $report names.tq > out 2> /dev/null || continue
			if commands < out; then
				echo "$format $report: $(cat -v out)"
				return 1
			fi
		done
		tq-stats --compat 2024.6 -f $format -r osrt_sum names.tq > out
		! commands < out || return 1
	done
	# the rest stays, quotes are doubled
	tq-stats -f csv -r osrt_sum names.tq | grep -F '"a?[31m?2J?? ? b'
	tq-stats -f csv -r osrt_sum names.tq | grep -F '""é"""'
}

@test "no control character in the name of a file reaches a message" {
	name=$'a\e[31m\u009b2J'
	echo garbage > "$name"
	for tool in tq-filter tq-stats tq-correlate tq-chrome; do
		run --separate-stderr "$tool" -- "$name"
		[[ $stderr = "$tool: a?[31m?2J: is no stream"* ]]
	done
	run --separate-stderr tq-extract "$name"
	[[ $stderr = "tq-extract: a?[31m?2J: "* ]]
}
