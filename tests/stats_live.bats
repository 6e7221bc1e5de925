#!/usr/bin/env bats
# tq-stats --every: the sums of a stream that goes on

load helper
load fakecuda
load capture
load storm

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

teardown() {
	exec 9>&- || true
	wait
}

TRACE='{"kind":"trace","version":1,"source":"test","origin_utc_ns":"1000"}'
LIVE='{"kind":"trace","version":1,"source":"test","slack":9007199254740991}'

# launch TS [NAME [DUR [CORR]]]: a kernel, by an API call 5 ns before it
launch() {
	local corr=${4:-$1}

	call "$1" "$corr"
	kernel "$@"
}

call() {
	echo '{"kind":"api","ts":'$(($1 - 5))',"dur":3,"pid":1,"tid":2,"corr":'"$2"',"name":"cudaLaunchKernel"}'
}

kernel() {
	echo '{"kind":"kernel","ts":'"$1"',"dur":'"${3:-10}"',"pid":1,"corr":'"${4:-$1}"',"name":"'"${2:-k}"'","device":0,"context":1,"stream":7}'
}

copy() {
	echo '{"kind":"memcpy","ts":'"$1"',"dur":4,"pid":1,"device":0,"context":1,"stream":7,"bytes":'"$2"',"copy":"'"$3"'"}'
}

range() {
	echo '{"kind":"range","ts":'"$1"',"dur":2,"pid":1,"tid":2,"name":"'"$2"'"}'
}

# goes_on COMMAND ...: run it in the background with what write writes, until
# close_stream; its output goes to out.  The pid is in $reader.
goes_on() {
	mkfifo fifo
	"$@" < fifo > out 2> err &
	reader=$!
	exec 9> fifo
}

write() {
	printf '%s\n' "$@" >&9
}

close_stream() {
	exec 9>&-
	wait "$reader"
}

# says JQ-CONDITION: is there such an object in out, which may grow?
says() {
	jq -Re 'fromjson? | '"$1" out 2> /dev/null | grep -q true
}

@test "an object per interval has what came in it, and what came so far" {
	goes_on tq-stats --every 20ms
	write "$TRACE" "$(launch 100 gemm)" "$(launch 200 gemm)" \
	    "$(copy 300 64 HtoD)" "$(range 400 'step 1')" "$(range 500 other)"
	until_true says '.total.records == 8'
	write "$(launch 600 add 30)"
	until_true says '.total.records == 10'
	until_true says '.total.records == 10 and .last.records == 0'
	write '{"kind":"lost","ts":700,"pid":1,"what":"kernel","count":3,"reason":"r"}'
	write '{"kind":"end","events":10,"dropped":3}'
	close_stream
	jq -es '(map(.last.records) | add) == 12 and
	    (map(.interval) == [range(length)]) and
	    (map(.interval_ns) | add) == .[-1].elapsed_ns and
	    (map(.final) | index(true)) == length - 1 and
	    (map(select(.last.operations == 1)) | length) > 0' out
	[ "$(tail -n 1 out | jq -c '.total |
	    [.operations, .kernels, .kernel_ns, .calls, .launches, .ranges,
	    .steps, .lost]')" = "[4,3,50,3,3,2,1,3]" ]
	[ "$(tail -n 1 out | jq -c '.total.top_kernels, .total.copies')" = \
	    '[{"name":"add","operations":1,"ns":30},{"name":"gemm","operations":2,"ns":20}]
[{"direction":"HtoD","operations":1,"ns":4,"bytes":64}]' ]
	[ ! -s err ]
}

@test "all numbers are integers, and times of the clock a string" {
	launch 100 | stream | tq-stats --every 1s > out
	[ "$(wc -l < out)" = 1 ]
	jq -e '[.. | numbers] | all(. == floor)' out
	jq -e '.utc_ns | test("^[0-9]{19}$")' out
	jq -e '.ts == 100 and .lag_ns == null' out
	{ echo "$TRACE"; launch 100; } | tq-stats --every 1s 2> err > out || true
	jq -e '.lag_ns > 1e18' out
}

@test "the times of a device are those of device_time" {
	tq-extract "$(demo)" | tq-stats --every 1h | jq -r '.total.gpus[] |
	    [.pid, .device, .compute_ns, .communication_ns, .copy_ns,
	    .operations] | @tsv' | sort > live
	tq-extract "$(demo)" | tq-stats -r device_time -f json1 | jq -r '.[] |
	    [.PID, .Device, ."Compute (ns)", ."Exposed Communication (ns)",
	    ."Exposed Copy (ns)", .Ops] | @tsv' | sort > table
	[ -s live ]
	diff live table
}

@test "idle intervals have an object, too, while the writer is silent" {
	goes_on tq-stats --every 10ms
	until_true says '.interval == 3 and .total.records == 0'
	write "$TRACE"
	until_true says '.total.records == 1'
	kill "$reader"
}

@test "records of a live stream may come in any order" {
	goes_on tq-stats --every 10ms
	write "$LIVE" "$(kernel 900)" "$(kernel 500)" "$(call 500 500)" \
	    "$(range 100 step)" "$(kernel 3000000000)"
	until_true says '.total.operations == 3'
	write '{"kind":"end","events":5,"dropped":0}'
	close_stream
	[ "$(tail -n 1 out | jq -c '.total | [.kernels, .calls, .steps,
	    .gpus[0].compute_ns]')" = "[3,1,1,30]" ]
	[ ! -s err ]
}

@test "the times of a live stream's devices follow, even if nothing comes" {
	goes_on tq-stats --every 50ms
	write "$LIVE" "$(kernel 500)" "$(kernel 900)"
	until_true says '.total.gpus[0].compute_ns == 11'
	kill "$reader"
}

@test "a record reaches the page through tq-filter and tq-correlate at once" {
	mkfifo fifo
	tq-filter --no-closure 'kind != "mark"' < fifo | tq-correlate |
	    tq-stats --every 10ms > out 2> err &
	reader=$!
	exec 9> fifo
	write "$LIVE" "$(launch 500)"
	until_true says '.total.operations == 1'
	# without its call it comes, too
	write "$(kernel 900)"
	until_true says '.total.operations == 2'
	write '{"kind":"end","events":3,"dropped":0}'
	close_stream
	[ ! -s err ]
}

@test "compressed streams are followed as they come" {
	need zstd
	mkfifo fifo
	tq-filter -z 'true' < fifo | tq-stats --every 10ms > out 2> err &
	reader=$!
	exec 9> fifo
	write "$LIVE" "$(launch 500)"
	until_true says '.total.operations == 1'
	until_true says '.last.operations == 0 and .total.operations == 1'
	write '{"kind":"end","events":2,"dropped":0}'
	close_stream
	[ ! -s err ]
}

@test "tq-capture --live, tq-correlate and tq-stats --every show all that ran" {
	need cupti.h
	fake 13.0 tq-capture -q --live "$FAKE/storm" -o numbers -n 500 -s 2 \
	    -c 31 -N 2> said | tq-correlate | tq-stats --every 50ms > out
	# shellcheck disable=SC2034 # of done_of
	numbers=numbers
	[ "$(tail -n 1 out | jq -c '.total | [.kernels, .launches, .ranges]')" = \
	    "[$(done_of all kernel),$(done_of all kernel),$(done_of all range)]" ]
	[ "$(jq -s 'map(.last.operations) | add' out)" = \
	    "$(tail -n 1 out | jq .total.operations)" ]
	jq -es '.[-1].total.gpus[0] | .compute_ns > 0 and .name == "Fake GPU"' out
}

# ---- a terminal ----

# on_screen COLUMNS [VARIABLE=VALUE ...]: the same as goes_on, on a terminal;
# what it draws is in log, its pid in pid, the terminal in terminal
on_screen() {
	need script
	mkfifo fifo
	TERM=xterm script -qec "stty cols $1 rows 30; tty > terminal; echo \$\$ > pid
	    exec env -u COLUMNS ${*:2} tq-stats --every 20ms --no-pager < fifo
	    2> err" log < /dev/null > /dev/null 2>&1 &
	reader=$!
	exec 9> fifo
}

# frames: what was drawn, a line each of a page, "--" before each page
frames() {
	tr -d '\r' < log | sed 's/\x1b\[H/\n--\n/g; s/\x1b\[[0-9;?]*[a-zA-Z]//g'
}

# shows REGEX: does a line of log match, without its colours?
shows() {
	frames | grep -qE "$1"
}

# no_wider COLUMNS: no line that was drawn is
no_wider() {
	(($(frames | sed '1,/^--$/d' | wc -L) <= $1))
}

@test "a terminal is drawn over and over, and gets the usual page at last" {
	need C.UTF-8
	on_screen 80
	write "$TRACE" '{"kind":"device","pid":1,"device":0,"name":"H100"}' \
	    "$(launch 100 gemm)" "$(copy 300 64000 HtoD)"
	until_true shows '^HtoD .* 64.0 kB$'
	write "$(launch 1000 add 1000)" "$(range 3000 'step 1')"
	until_true shows '^kernels .* 2$'
	until_true shows '^steps .* 1$'
	shows '^GPU 0 of 1 .*% compute .*% idle$'
	shows '^ .* us +1  add$'
	write '{"kind":"end","events":7,"dropped":0}'
	close_stream
	no_wider 80
	shows '^KERNELS '
	# the last word of the cursor is that it is seen; no other screen
	[[ $(grep -aoE $'\x1b\\[\\?25[lh]' log | tail -n 1) = *h ]]
	run ! grep -aq $'\x1b\\[?1049' log
	run ! grep -aq $'\x1b\\[2J' log
	[ ! -s err ]
}

@test "a live stream ends with the usual page, too" {
	on_screen 80
	write "$LIVE" "$(launch 900)" "$(range 100 step)" "$(launch 500 early)"
	until_true shows '^kernels .* 2$'
	write '{"kind":"end","events":5,"dropped":0}'
	close_stream
	shows '^KERNELS '
	shows ' early$'
	[ ! -s err ]
}

@test "a narrow terminal cuts lines, and another size is taken at once" {
	on_screen 40
	write "$TRACE" "$(launch 100 "$(printf 'long%.0s' {1..50})")"
	until_true shows '^kernels .* 1'
	no_wider 40
	until_true test -s terminal
	stty -F "$(tr -d '\r' < terminal)" cols 100
	write "$(launch 200 "$(printf 'long%.0s' {1..50})")"
	until_true shows '(long){19}'
	no_wider 100
	kill -TERM "$(tr -d '\r' < pid)"
}

@test "NO_COLOR leaves out colours, and the bytes of names reach no terminal" {
	on_screen 80 NO_COLOR=1
	write "$TRACE" "$(kernel 100 'a\u001b[31mb\u009bc')"
	until_true shows '  a\?\[31mb\?c'
	run ! grep -aq $'\x1b\\[[0-9;]*m' log
	kill -TERM "$(tr -d '\r' < pid)"
}

@test "a signal of the terminal gives the cursor back" {
	local signal

	for signal in INT TERM HUP; do
		rm -f fifo log pid
		on_screen 80
		write "$TRACE"
		until_true shows '1 record'
		kill "-$signal" "$(tr -d '\r' < pid)"
		exec 9>&-
		wait "$reader" || true
		[[ $(grep -aoE $'\x1b\\[\\?25[lh]' log | tail -n 1) = *h ]]
	done
}

@test "a dumb terminal gets objects" {
	need script
	launch 100 | stream > s
	TERM=dumb script -qec "tq-stats --every 1h s" log < /dev/null > /dev/null
	grep -q '"final":true' log
	run ! grep -aq $'\x1b' log
}

# ---- OpenMetrics ----

# is_exposition FILE: what OpenMetrics and Prometheus's text format both
# demand of it.
is_exposition() {
	awk '
	function bad(why) { print FILENAME ":" NR ": " why; status = 1 }
	ended { bad("behind # EOF") }
	/^# EOF$/ { ended = 1; next }
	/^# HELP [a-z][a-z0-9_]* [^ ].*\.$/ {
		if ($3 in seen)
			bad("a family in two parts")
		seen[$3] = 1
		family = $3
		type = unit = ""
		next
	}
	/^# TYPE [a-z0-9_]+ (counter|gauge)$/ {
		if ($3 != family || type != "")
			bad("TYPE")
		type = $4
		next
	}
	/^# UNIT [a-z0-9_]+ (seconds|bytes)$/ {
		if ($3 != family || type == "" || $3 !~ "_" $4 "$")
			bad("UNIT")
		next
	}
	{
		sample = $0
		if (!match(sample, /^[a-z0-9_]+/))
			bad("no sample")
		name = substr(sample, 1, RLENGTH)
		rest = substr(sample, RLENGTH + 1)
		if (name != family (type == "counter" ? "_total" : ""))
			bad("the name " name)
		labels = ""
		value = "([^\"\\\\]|\\\\[\\\\n\"])*"
		if (match(rest, "^{[a-z]+=\"" value "\"(,[a-z]+=\"" value "\")*}")) {
			labels = substr(rest, 1, RLENGTH)
			rest = substr(rest, RLENGTH + 1)
		}
		if ((name, labels) in samples)
			bad("a sample twice")
		samples[name, labels] = 1
		if (rest !~ /^ -?[0-9]+(\.[0-9]+)?$/)
			bad("the value" rest)
		if (type == "counter" && rest ~ /-/)
			bad("a counter below 0")
	}
	END {
		if (!ended)
			bad("no # EOF")
		exit status
	}' "$1"
	# 3: it looks for the help of a counter under the name with _total
	! command -v promtool > /dev/null ||
	    promtool check metrics < "$1" || (($? == 3))
}

# metric SAMPLE: its value
metric() {
	awk -v sample="$1" 'index($0, sample " ") == 1 {
		print substr($0, length(sample) + 2)
	}' metrics.prom
}

@test "-f openmetrics writes what Prometheus reads, in seconds and bytes" {
	tq-extract "$(demo)" | tq-correlate |
	    tq-stats --every 1h -f openmetrics -o metrics.prom
	is_exposition metrics.prom
	[ "$(tail -n 1 metrics.prom)" = "# EOF" ]
	[ "$(metric tq_stream_ended)" = 1 ]
	[ "$(metric tq_kernels_total)" = \
	    "$(tq-extract "$(demo)" | grep -c '"kind":"kernel"')" ]
	[ "$(metric tq_kernels_seconds_total)" = "$(tq-extract "$(demo)" |
	    jq -s 'map(select(.kind == "kernel").dur) | add' |
	    sed 's/^/0000000000/; s/\(.*\)\(.\{9\}\)$/\1.\2/; s/^0*\([0-9]\)/\1/')" ]
	[ "$(metric 'tq_copied_bytes_total{direction="HtoD"}')" = \
	    "$(tq-extract "$(demo)" |
	    jq -s 'map(select(.copy == "HtoD").bytes) | add')" ]
}

@test "the file is replaced at each interval, and never in part" {
	goes_on tq-stats --every 10ms -f openmetrics -o metrics.prom
	until_true test -e metrics.prom
	is_exposition metrics.prom
	write "$TRACE" "$(launch 100)"
	until_true grep -q '^tq_kernels_total 1$' metrics.prom
	exec 8< metrics.prom
	write "$(launch 200)"
	until_true grep -q '^tq_kernels_total 2$' metrics.prom
	grep -q '^tq_kernels_total 1$' <&8 # not written in place
	exec 8<&-
	write '{"kind":"end","events":4,"dropped":0}'
	close_stream
	is_exposition metrics.prom
	[ "$(metric tq_stream_ended)" = 1 ]
	[ ! -s out ]
	[ "$(ls -A)" = "$(printf '%s\n' err fifo metrics.prom out)" ]
}

@test "names with quotes, backslashes, newlines and control bytes are escaped" {
	stream "$(kernel 1 'a\"b\\c\nd\u001be')" |
	    tq-stats --every 1h -f openmetrics -o metrics.prom
	is_exposition metrics.prom
	[ "$(metric 'tq_top_kernel_runs_total{kernel="a\"b\\c\nd?e"}')" = "" ]
	grep -qxF 'tq_top_kernel_runs_total{kernel="a\"b\\c\nd?e"} 1' metrics.prom
}

# ---- the command line ----

@test "what --every can't do is an error of usage" {
	refused() {
		run --separate-stderr tq-stats "${@:2}" /dev/null
		[[ $status = 2 && $stderr = "tq-stats: $1" ]]
	}

	refused "--every 1ms: expected a duration from 10ms to 24h" --every 1ms
	refused "--every x: expected a time, as in 1.5s or 200ms" --every x
	refused "--every needs -f ndjson or openmetrics" --every 1s -f csv
	refused "-f openmetrics needs --every and -o" -f openmetrics -o x
	refused "-f openmetrics needs --every and -o" -f openmetrics --every 1s
	refused "--every excludes --by-rank, --filter-nvtx, --merge, --needs, --partial and --time" \
	    --every 1s --partial
}

@test "a stream that is cut has a last object, and exits 1" {
	{ echo "$TRACE"; launch 100; } > cut.tq
	run --separate-stderr tq-stats --every 1s cut.tq
	((status == 1))
	[[ $stderr = "tq-stats: warning: cut.tq: stream ends without its end record" ]]
	jq -e '.final and .total.kernels == 1' <<< "$output"
}
