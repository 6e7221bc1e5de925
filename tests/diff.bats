#!/usr/bin/env bats
# tq-diff: what changed between recordings, and may it be believed?

load helper
load diff

setup_file() {
	work=$BATS_FILE_TMPDIR
	cd "$work" || return
	for seed in 1 2 3 4 5 6 7 8; do
		random $seed > r$seed.tq
	done
}

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	files=$BATS_FILE_TMPDIR
}

# adds FILE ...: the lines of ndjson whose parts do not add up
adds() {
	jq -cs '
	(map(select(.kind == "verdict"))[0]) as $v |
	(map(select(.kind == "row" or .kind == "part" and
	    (.name | IN("compute", "communication", "copy") | not)).delta) |
	    add) as $sum |
	map(select(.kind == "row" and .delta !=
	    .calls + .per_call + .overlap + .new + .gone + .replaced)) +
	    (if $sum == $v.delta then [] else [$v, $sum] end) | .[]' "$@"
}

# ---- the sum ----

@test "rows and idle time add up to the difference of the walls, and the terms of a row to its own" {
	plant drop:softmax "$files/r2.tq" > dropped.tq
	plant rename:norm:other "$files/r2.tq" > renamed.tq
	plant slow:gemm:12 "$files/r2.tq" > slow.tq
	for b in "$files/r2.tq" dropped.tq renamed.tq slow.tq; do
		tq-diff -f ndjson "$files/r1.tq" "$b" > out
		[[ $(adds out) = "" ]]
		tq-diff -f ndjson "$b" "$files/r1.tq" > back
		[[ $(jq -s '.[0].delta' out) = $((-$(jq -s '.[0].delta' back))) ]]
	done
	tq-diff -f ndjson --per 'kernel~^gemm$' "$files/r1.tq" slow.tq > out
	[[ $(adds out) = "" ]]
	jq -es '.[0].unit == "kernel"' out
}

@test "the parts of real recordings add up, whatever they have in common" {
	data nsys/2024.6.2-cuda-graphs.sqlite
	for a in 2024.6.2-cuda-graphs 2024.6.2-nvfuser-h200-a 2026.1.1-vectoradd \
	    2026.2.1-h100-2gpu; do
		for b in 2026.1.1-vectoradd 2026.2.1-h100-2gpu; do
			tq-diff -f ndjson --across programs --across devices \
			    "$(correlated $a)" "$(correlated $b)" > out
			[[ $(adds out) = "" ]]
		done
	done
}

@test "a recording against itself is all zero, and is said to be the same" {
	run -0 tq-diff "$files/r1.tq" "$files/r1.tq"
	[[ ${lines[0]} = "verdict    cannot tell: the same recording twice; 0.00 %, "*" ms a period"* ]]
	run -0 tq-diff --per span "$files/r1.tq" "$files/r1.tq"
	[[ ${lines[0]} = "verdict    cannot tell: the same recording twice; 0.00 %, "*" ms a span" ]]
	tq-diff -f ndjson "$files/r1.tq" "$files/r1.tq" |
	    jq -es 'map(select(.delta) | .delta) | all(. == 0)'
}

# ---- one estimate, and what it is worth ----

@test "the change of the wall is one number in verdict, sum, gate, records, csv of noise and pages" {
	cd "$files"
	# a period of a slow recording that is ten times as long moves the mean
	awk '/"kernel"/ && ++n == 100 { sub(/"dur":/, "&9") } 1' r5.tq > "$BATS_TEST_TMPDIR/odd.tq"
	for b in "$BATS_TEST_TMPDIR/odd.tq r6.tq r7.tq r8.tq" "r2.tq"; do
		a=r1.tq
		[[ $b = r2.tq ]] || a="r1.tq r2.tq r3.tq r4.tq"
		tq-diff -f ndjson --fail-if 'wall > +90%' --or-pass $a : $b > "$BATS_TEST_TMPDIR/out"
		jq -es 'map(select(.kind == "verdict"))[0] as $v | map(select(.kind == "gate"))[0] as $g |
		    ($g.ratio == $v.ratio) and
		    (($v.a + $v.delta) / $v.a - $v.ratio | fabs) < 1e-5 and
		    ($v.low == null or ($v.low <= $v.ratio and $v.ratio <= $v.high)) and
		    ($v.within == null or ($v.within == $v.ratio and
			$v.within_low <= $v.ratio and $v.ratio <= $v.within_high))' "$BATS_TEST_TMPDIR/out"
	done
}

@test "the verdict is a plain sentence: sure, likely, no change within, cannot tell" {
	cd "$files"
	for n in 5 6 7 8; do
		plant slow:.:6 r$n.tq > "$BATS_TEST_TMPDIR/s$n.tq"
	done
	run -0 tq-diff r{1,2,3,4}.tq : "$BATS_TEST_TMPDIR"/s{5,6,7,8}.tq
	[[ ${lines[0]} =~ ^"verdict    "[456]\.[0-9]" % slower, sure: "[0-9.]+" -> "[0-9.]+" ms a period, +"[0-9.]+" to +"[0-9.]+" %, p = 0.029"$ ]]
	run -0 tq-diff "$BATS_TEST_TMPDIR"/s{5,6,7,8}.tq : r{1,2,3,4}.tq
	[[ ${lines[0]} =~ ^"verdict    "[456]\.[0-9]" % faster, sure: " ]]
	run -0 tq-diff r1.tq "$BATS_TEST_TMPDIR/s5.tq"
	[[ ${lines[0]} =~ ^"verdict    likely slower: one recording a side, three more of each would tell; +"[456]\.[0-9]+" %, " ]]
	run -0 tq-diff r{1,2,3,4}.tq : r{5,6,7,8}.tq
	[[ ${lines[0]} =~ ^"verdict    no change within 0."[0-9]+" %; " ]]
	# what only one long period makes is not likely
	awk 'match($0, /"ts":[0-9]+/) && NR > 300 {
		$0 = substr($0, 1, RSTART + 4) substr($0, RSTART + 5, RLENGTH - 5) + 9000000 substr($0, RSTART + RLENGTH)
	} 1' r2.tq > "$BATS_TEST_TMPDIR/odd.tq"
	run -0 tq-diff r1.tq "$BATS_TEST_TMPDIR/odd.tq"
	[[ ${lines[0]} =~ ^"verdict    cannot tell: one recording a side, three more of each would tell; +" ]]
}

# ---- planted differences ----

@test "kernels that were made longer are found as per call, to the nanosecond" {
	plant slow:gemm:20 "$files/r1.tq" > slow.tq
	tq-diff -f ndjson "$files/r1.tq" slow.tq > out
	jq -es 'map(select(.kind == "row" and .name != "gemm").per_call) |
	    all(. == 0)' out
	# two devices: a unit each
	[[ $(jq -s 'map(select(.name == "gemm"))[0] | .per_call * 2' out) -le $(($(< planted) + 1)) ]]
	run -0 tq-diff "$files/r1.tq" slow.tq
	[[ $output = *"gemm  suspect: "* ]]
}

@test "a real recording gives what was planted, and nothing else" {
	data nsys/2024.5.1-cloverleaf.sqlite
	a=$(correlated 2024.5.1-cloverleaf)
	for percent in 20 -20; do
		plant slow:par_ranged2d_kernel:$percent "$a" > slow.tq
		tq-diff -f ndjson --per span "$a" slow.tq > out
		[[ $(jq -s '.[0].delta' out) = "$(< planted)" ]]
		jq -es 'map(select(.kind == "row" and .delta != 0).name) ==
		    ["par_ranged2d_kernel"]' out
		jq -es 'map(select(.kind == "part" and .delta != 0).name) ==
		    ["compute"]' out
	done
	plant rename:par_ranged1d_kernel:other_kernel "$a" > renamed.tq
	run -0 tq-diff --per span "$a" renamed.tq
	[[ $output = *"968    968       4.849       4.849     0.00 %  {par_ranged1d_kernel} -> {other_kernel}  in the same place"* ]]
	plant drop:par_ranged1d_kernel "$a" > dropped.tq
	tq-diff -f ndjson --per span "$a" dropped.tq |
	    jq -es 'map(select(.name == "par_ranged1d_kernel"))[0].gone == -4693354'
}

@test "a capture of a fixed time gives work and pace, and no verdict on the wall" {
	data nsys/2024.5.1-cloverleaf.sqlite
	a=$(correlated 2024.5.1-cloverleaf)
	plant slow:par_ranged2d_kernel:20 "$a" > slow.tq
	for f in "$a" slow.tq; do
		tq-filter --time 600ms:800ms --by time --clip true "$f" > "$(basename "$f").cut"
	done
	run -0 tq-diff --per span "$(basename "$a").cut" slow.tq.cut
	[[ ${lines[0]} = "verdict    cannot tell: both sides were recorded for the same time, which measures nothing: see --per; pace +14.67 %: 0.88 of the work in the same time" ]]
	# a period of both says how much longer one takes
	run -0 tq-diff "$(basename "$a").cut" slow.tq.cut
	[[ ${lines[0]} = "verdict    likely slower: one recording a side, three more of each would tell; +1"[3-7].*" %, "*" ms a period" ]]
}

@test "equal recordings give no false alarm, and 3 % is always found" {
	for seed in 1 2 3 4 5 6 7 8; do
		plant slow:.:3.5 "$files/r$seed.tq" > slow$seed.tq
		for f in "$files/r$seed.tq" slow$seed.tq; do
			tq-stats --partial -r account "$f" > "$(basename "$f").account"
		done
	done
	local alarms=0 found=0 splits=0 verdict
	for three in {2..8}{2..8}{2..8}; do
		((${three:0:1} < ${three:1:1} && ${three:1:1} < ${three:2:1})) || continue
		a=1$three a=${a//?/r&.tq.account }
		b=$(tr -d "1$three" <<< 12345678)
		verdict=$(tq-diff -f ndjson $a : ${b//?/r&.tq.account } |
		    jq -s 'map(select(.verdict == "slower" or
			.verdict == "faster")) | length')
		((splits += 1, alarms += verdict > 0)) || :
		tq-diff -f ndjson $a : ${b//?/slow&.tq.account } |
		    jq -es '.[0].verdict == "slower"' > /dev/null &&
			((found += 1))
	done
	echo "$splits splits, $alarms alarms, $found found"
	((splits == 35 && alarms <= 1 && found == 35))
}

@test "a real program that was recorded eight times gives no false alarm and no suspect, and 3 % is found in all 35 splits" {
	data nsys/2025.3.1-cupy-nvtx.sqlite
	for seed in 1 2 3 4 5 6 7 8; do
		plant jitter:$seed:0.5 "$(correlated 2025.3.1-cupy-nvtx)" > j.tq
		plant slow:.:3 j.tq > s.tq
		tq-stats --partial -r account --per span j.tq > j$seed
		tq-stats --partial -r account --per span s.tq > s$seed
	done
	local alarms=0 found=0 splits=0 suspects=0 rows=0 b
	for three in {2..8}{2..8}{2..8}; do
		((${three:0:1} < ${three:1:1} && ${three:1:1} < ${three:2:1})) || continue
		a=1$three a=${a//?/j& }
		b=$(tr -d "1$three" <<< 12345678)
		splits=$((splits + 1))
		alarms=$((alarms + $(tq-diff -f ndjson $a : ${b//?/j& } |
		    jq -s 'map(select(.verdict == "slower" or
			.verdict == "faster")) | length > 0 | if . then 1 else 0 end')))
		found=$((found + $(tq-diff -f ndjson $a : ${b//?/s& } |
		    jq -s 'if .[0].verdict == "slower" then 1 else 0 end')))
	done
	for a in 1 2 3 4 5 6 7; do
		for ((b = a + 1; b <= 8; b++)); do
			read -r n m < <(tq-diff -f ndjson j$a j$b |
			    jq -rs 'map(select(.kind == "row").suspect) |
				"\(map(select(. == "yes")) | length) \(length)"')
			suspects=$((suspects + n)) rows=$((rows + m))
		done
	done
	echo "$splits splits, $alarms alarms, $found found, $suspects suspects of $rows rows"
	((splits == 35 && alarms <= 1 && found == 35))
	((rows > 200 && suspects * 200 <= rows))
}

# ---- a real before and after ----

@test "one launch of a real pair is suspect, and the wall is not blamed" {
	data nsys/2024.6.2-nvfuser-h200-a.sqlite
	a=$(correlated 2024.6.2-nvfuser-h200-a) b=$(correlated 2024.6.2-nvfuser-h200-b)
	run -0 tq-diff --per launch "$a" "$b"
	[[ ${lines[0]} = "verdict    cannot tell: one recording a side; 1 of 21 launches is suspect" ]]
	[[ $output = *"     -7.809      1      1     132.511     124.702    -5.89 %  nvfuser_none_f0_c0_r0_g0  suspect: "* ]]
	[[ $output != *slower* ]]
	tq-diff -f ndjson "$a" "$b" | jq -es '.[0].verdict == "cannot tell" and
	    (map(select(.suspect == "yes").name) == ["nvfuser_none_f0_c0_r0_g0"])'
}

# ---- what may not be compared ----

@test "an empty recording, and another program, are refused" {
	stream < /dev/null > empty.tq
	run -0 tq-diff "$files/r1.tq" empty.tq
	[[ ${lines[0]} = "verdict    cannot be compared: B has no records" ]]
	sed 's/"name":"/&other_/' "$files/r2.tq" | sed 's/"kind":"memcpy"/"kind":"memset"/' > other.tq
	plant rename:_:x "$files/r1.tq" > x.tq
	sed 's/"name":"[a-z_A-Z]*"/"name":"b"/; s/"memcpy"/"memset"/' "$files/r2.tq" > other.tq
	run -0 tq-diff "$files/r1.tq" other.tq
	[[ ${lines[0]} = "verdict    cannot be compared: other program: 0.0 % of the time is in operations of the same name, 360.0 and 360.0 launches a span of "*"; see --across programs, and --per, once for each side" ]]
	run -0 tq-diff --across programs "$files/r1.tq" other.tq
	[[ ${lines[0]} = "verdict    cannot tell: "* ]]
}

@test "kernels and whole graphs of one real program are refused with reasons" {
	data nsys/2024.6.2-torch-2.7b.sqlite
	run -0 tq-diff "$(correlated 2024.6.2-torch-2.7b)" "$(correlated 2024.6.2-cuda-graphs)"
	[[ ${lines[0]} = "verdict    cannot be compared: other program: 3.2 % of the time is in operations of the same name, 7622.0 and 40.0 launches a span of 9.24 s and 7.81 s; see --across programs, and --per, once for each side" ]]
	[[ $output = *"kinds      kernel api osrt | kernel graph api osrt: what was recorded differs, and recording costs time"* ]]
	[[ $output = *"names      3.2 % of the time has the same names: no verdict on rows"* ]]
	[[ $output = *"command "* && $output != *Slower* ]]
}

# train N DUR NAME COMMAND: ten steps of five products and N launches of
# another kernel that take DUR ns
train() {
	awk -v n="$1" -v dur="$2" -v name="$3" '
	function kernel(name, dur) {
		printf "{\"kind\":\"kernel\",\"ts\":%d,\"dur\":%d,\"pid\":1,\"tid\":1,\"device\":0,\"stream\":7,\"name\":\"%s\",\"grid\":[%d,1,1],\"block\":[32,1,1],\"api_ts\":%d,\"api_dur\":1000}\n", ts, dur, name, dur / 100, begin
		ts += dur + 100
	}
	BEGIN {
		for (step = 0; step < 10; step++) {
			begin = ts + 10
			printf "{\"kind\":\"range\",\"ts\":%d,\"dur\":%d,\"pid\":1,\"tid\":1,\"name\":\"step %d\"}\n", begin, 210000 + n * (dur + 100), step
			ts += 5000
			for (k = 0; k < 5; k++)
				kernel("gemm", 40000 + step % 3 * 100)
			for (k = 0; k < n; k++)
				kernel(name, dur)
			ts += 20000
		}
	}' | stream | sed "1s/\"source\"/\"command\":\"$4\",&/"
}

@test "launches that a fusion made fewer are compared, with other names and commands, too" {
	train 2448 2000 elementwise "train" > eager.tq
	train 96 40000 elementwise "train --fused" > fused.tq
	train 96 30000 fused_add_mul "train --fused" > renamed.tq
	train 96 30000 fused_add_mul "train" > same.tq
	for b in fused renamed same; do
		tq-diff -f ndjson eager.tq $b.tq > out
		jq -es '.[0].verdict == "likely faster"' out
		[[ $(adds out) = "" ]]
	done
	run -0 tq-diff eager.tq renamed.tq
	[[ $output = *"2448     96       2.000      30.000  "*"{elementwise} -> {fused_add_mul}  in the same place"* ]]
}

@test "where names, work and wall all differ, sides are refused with these facts" {
	train 200 2000 elementwise "train" > small.tq
	train 1500 5000 another_model "train --large" > large.tq
	sed -i 's/"dur":40\([0-9]*\),\(.*\)"gemm"/"dur":60\1,\2"other_gemm"/' large.tq
	run -0 tq-diff small.tq large.tq
	[[ ${lines[0]} = "verdict    cannot be compared: other program: 0.0 % of the time is in operations of the same name, 205.0 and 1505.0 launches a step of "*" and "*"; see --across programs, and --per, once for each side" ]]
	[[ $output != *$'\nwork '* && $output = *$'\ncommand    only A has nothing else, only B --large\n'* ]]
	tq-diff -f json1 small.tq large.tq | jq -e '.verdict[0].verdict == "not comparable"'
}

@test "steps of one side only are no unit: both count by period, or span" {
	train 20 2000 a train > steps.tq
	sed '/"range"/d; s/"events":[0-9]*/"events":250/' steps.tq | sed 's/"origin_utc_ns"/&/' > none.tq
	tq-diff -f ndjson steps.tq none.tq | jq -es '.[0].unit != "step" and
	    (map(select(.name == "unit").state) == ["same"])'
}

@test "one factor for all is said of equal grids and sizes of copies only" {
	grow() { # the sizes of copies, and the grids, times N; the times 1.5
		awk -v n="$1" -v of="$2" '
		function times(key, by) {
			if (match($0, "\"" key "\":[0-9]+")) {
				v = substr($0, RSTART + length(key) + 3, RLENGTH - length(key) - 3)
				$0 = substr($0, 1, RSTART + length(key) + 2) int(v * by) substr($0, RSTART + RLENGTH)
			}
		}
		/"kernel"|"memcpy"/ { times("dur", 1.5) }
		of == "grid" { sub(/"grid":\[[12]/, "&" n) }
		of == "bytes" { times("bytes", n) }
		{ print }' blocks2.tq
	}
	for n in 1 2; do
		sed 's/"grid":[^"]*/&"block":[32,1,1],/' "$files/r$n.tq" > blocks$n.tq
	done
	grow 1 nothing > slow.tq
	grow 2 grid > grid.tq
	grow 2 bytes > bytes.tq
	run -0 tq-diff --per span blocks1.tq slow.tq
	[[ $output = *$'\nscale      everything is '*'% slower: look at clocks, power, other users first'* ]]
	for b in grid bytes; do
		run -0 tq-diff --per span blocks1.tq $b.tq
		[[ $output != *$'\nscale '* ]]
	done
}

@test "a recording that was cut short gives no verdict, and status 1" {
	head -n 300 "$files/r1.tq" > cut.tq
	run -1 --separate-stderr tq-diff "$files/r2.tq" cut.tq
	[[ $stderr = "tq-diff: warning: cut.tq: stream ends without its end record" ]]
	[[ ${lines[0]} = "verdict    cannot tell: a recording is cut short: no verdict on counts and wall; "* ]]
}

@test "of records without a trace record it is not said that they were cut" {
	grep -v -e '"kind":"trace"' -e '"kind":"end"' "$files/r1.tq" > bare.tq
	run -0 --separate-stderr tq-diff "$files/r2.tq" bare.tq
	[[ ${lines[0]} = "verdict    cannot tell: a side has no trace record, and may have been cut short: no verdict on counts and wall; "* ]]
}

@test "another device gives no verdict on the wall, unless it is asked for" {
	for n in 1 2; do
		sed "1a {\"kind\":\"device\",\"device\":0,\"name\":\"GPU $n\",\"sms\":$((n * 10))}" \
		    "$files/r$n.tq" |
		    sed 's/"events":720/"events":721/' > d$n.tq
	done
	run -0 tq-diff d1.tq d2.tq
	[[ ${lines[0]} = "verdict    cannot tell: other devices: see --across devices; "* ]]
	[[ $output = *"device     2 x GPU 1, 10 SMs | 2 x GPU 2, 20 SMs: other devices: see --across devices"* ]]
	run -0 tq-diff --across devices d1.tq d2.tq
	[[ ${lines[0]} = "verdict    no change within "*" %: one recording a side, "* ]]
}

# of FILE KEYS CLOCK: the stream with these keys of its trace, and a clock
of() {
	awk -v keys="$2" -v clock="$3" '
	NR == 1 {
		sub(/"origin_utc_ns"/, keys "&")
		print
		print "{\"kind\":\"counterdef\",\"id\":9,\"name\":\"SM clock\",\"unit\":\"MHz\"}"
		print "{\"kind\":\"counterdef\",\"id\":8,\"name\":\"memory clock\",\"unit\":\"MHz\"}"
		for (i = -1; i < 2; i++) {
			print "{\"kind\":\"counter\",\"ts\":" i + 2 ",\"counter\":9,\"value\":" clock + i * 200 "}"
			print "{\"kind\":\"counter\",\"ts\":" i + 2 ",\"counter\":8,\"value\":" 7 + i "}"
		}
		next
	}
	{ sub(/"events":720/, "\"events\":728"); print }' "$1"
}

@test "of two commands the words that differ are printed, and versions by their names" {
	of "$files/r1.tq" '"command":"train --steps 5 --fast x x","args":{"cuda_driver_version":12090,"torch_version":"2.7"},' 1500 > a.tq
	of "$files/r2.tq" '"command":"train x --steps 7 x","args":{"cuda_driver_version":13000,"torch_version":"2.7","versions":[1]},' 1500 > b.tq
	run -0 tq-diff a.tq b.tq
	[[ $output = *"
command    only A has 5 --fast, only B 7
"* ]]
	[[ $output = *"
versions   cuda_driver_version 12090, torch_version 2.7 | cuda_driver_version 13000, torch_version 2.7
"* ]]
	[[ $output != *"clocks "* ]]
	tq-diff -f ndjson a.tq b.tq | jq -es 'map(select(.name == "clocks")) ==
	    [{kind: "check", name: "clocks", state: "same", a: "1500 MHz", b: "1500 MHz"}]'
}

@test "clocks that differ by 2 % are said, and each kernel has its change at an equal clock" {
	of "$files/r1.tq" "" 1500 > a.tq
	of "$files/r2.tq" "" 1200 > b.tq
	run -0 tq-diff a.tq b.tq
	[[ $output = *"
clocks     1500 MHz | 1200 MHz: what runs on multiprocessors takes longer or shorter with it
"* ]]
	[[ $output = *"     Change  At equal clock  "* ]]
	# 1200 cycles of B are done in the time of 1500 of A
	tq-diff -f ndjson a.tq b.tq | jq -es 'map(select(.kind == "row")) |
	    (map(select(.name | startswith("[CUDA") | not) |
		.at_equal_clock / (.b / .a)) | all(. > 0.796 and . < 0.804)) and
	    (map(select(.name | startswith("[CUDA")) | has("at_equal_clock")) | any | not)'
	tq-diff -f html a.tq b.tq | grep -q 'At equal clock'
	tq-diff -f markdown a.tq b.tq | grep -q 'At equal clock'
	of "$files/r2.tq" "" 1480 > b.tq
	tq-diff -f ndjson a.tq b.tq | jq -es 'map(select(.name == "clocks").state) == ["same"]'
}

@test "the same recording is known by its origin, host, first and last records, counts, durations and order" {
	same='verdict    cannot tell: the same recording twice; '
	run -0 tq-diff "$files/r1.tq" <(zstd < "$files/r1.tq")
	[[ ${lines[0]} = "$same"* ]]
	run -0 tq-diff "$files/r1.tq" <(sed 's/"h"/"other"/' "$files/r1.tq")
	[[ ${lines[0]} != "$same"* ]]
	run -0 tq-diff "$files/r1.tq" <(sed 's/"origin_utc_ns":"/&1/' "$files/r1.tq")
	[[ ${lines[0]} != "$same"* ]]
	# as many of all, but the last takes 1 ns less
	run -0 tq-diff "$files/r1.tq" <(awk 'NR == 721 && match($0, /"dur":[0-9]+/) {
		dur = substr($0, RSTART + 6, RLENGTH - 6) - 1
		sub(/"dur":[0-9]+/, "\"dur\":" dur) } 1' "$files/r1.tq")
	[[ ${lines[0]} != "$same"* ]]
	# a kernel within it takes 1 ns less, or two have each other's place
	run -0 tq-diff "$files/r1.tq" <(awk '/"kind":"kernel"/ && n++ == 40 && match($0, /"dur":[0-9]+/) {
		dur = substr($0, RSTART + 6, RLENGTH - 6) - 1
		sub(/"dur":[0-9]+/, "\"dur\":" dur) } 1' "$files/r1.tq")
	[[ ${lines[0]} != "$same"* ]]
	# all of these take as long
	sed '/"kind":"kernel"/s/"dur":[0-9]*/"dur":1000/' "$files/r1.tq" > even.tq
	run -0 tq-diff even.tq even.tq
	[[ ${lines[0]} = "$same"* ]]
	run -0 tq-diff even.tq <(jq -cs '[to_entries[] | select(.value.kind == "kernel")] as $k |
	    ($k[40]) as $x | ([$k[] | select(.value.name != $x.value.name and .key > $x.key)][0]) as $y |
	    .[$x.key].name = $y.value.name | .[$y.key].name = $x.value.name | .[]' even.tq)
	[[ ${lines[0]} != "$same"* ]]
	# and of one side with others
	run -0 tq-diff "$files"/r{1,2,3,4}.tq : "$files"/r{5,6,7,3}.tq
	[[ ${lines[0]} = "$same"* ]]
}

# ---- recordings without a GPU ----

# host SEED FACTOR: eight steps of torch operators on two threads, one of which
# takes FACTOR times as long
host() {
	awk -v seed="$1" -v factor="$2" '
	function put(at, dur, tid, name) {
		line[++lines] = sprintf("%012d %d {\"kind\":\"range\",\"ts\":%d,\"dur\":%d,\"pid\":1,\"tid\":%d,\"name\":\"%s\"}", at, lines, at, dur, tid, name)
	}
	BEGIN {
		srand(seed)
		ts = 1000
		for (s = 0; s < 8; s++) {
			begin = ts
			at = ++lines
			ts += 500
			for (k = 0; k < 5; k++) {
				dur = int((100000 + k * 10000) * (1 + (rand() - 0.5) / 200) * (k == 2 ? factor : 1))
				put(ts, dur, 1, "aten::op" k)
				put(ts + 100, int(dur * 0.6), 1, "aten::inner" k)
				ts += dur + 2000
			}
			put(ts, 300000, 1, "backward")
			put(ts + 1000, 290000, 2, "aten::grad")
			ts += 302000
			line[at] = sprintf("%012d 0 {\"kind\":\"range\",\"ts\":%d,\"dur\":%d,\"pid\":1,\"tid\":1,\"name\":\"ProfilerStep#%d\"}", begin, begin, ts - begin, s)
			ts += 1000
		}
		for (i = 1; i <= lines; i++)
			print line[i] | "sort -k1,1 -k2,2n | cut -d\" \" -f3-"
	}' | stream | sed "1s/\"source\"/\"origin_utc_ns\":\"$1\",&/"
}

@test "recordings without a GPU are compared by the time of their ranges, each ns in one of them" {
	for n in 1 2 3 4; do
		host $n 1 > h$n.tq
		host 5$n 1.2 > s$n.tq
	done
	tq-diff -f ndjson h1.tq s1.tq > out
	[[ $(adds out) = "" ]]
	jq -es '.[0].unit == "step" and .[0].units_a == 7 and .[0].verdict == "likely slower"' out
	# 24 us of 120: of the operator itself, and of what it encloses
	jq -es 'map(select(.kind == "row" and .delta > 2000) | [.name, .suspect]) ==
	    [["aten::inner2", "yes"], ["aten::op2", "yes"]]' out
	# the thread that works has the time in which another one waits for it
	jq -es 'map(select(.name == "aten::grad" or .name == "backward") | [.name, .exposed_a]) |
	    sort == [["aten::grad", 290000], ["backward", 10000]]' out
	run -0 tq-diff h{1,2,3,4}.tq : s{1,2,3,4}.tq
	[[ ${lines[0]} =~ ^"verdict    2."[0-9]" % slower, sure: " ]]
	tq-diff -f ndjson h1.tq h1.tq | jq -es 'map(select(.delta) | .delta) | all(. == 0)'
	tq-diff -f ndjson s1.tq h1.tq | jq -s '.[0].delta' > back
	[[ $(< back) = $((-$(jq -s '.[0].delta' out))) ]]
	for n in 1 2; do
		tq-stats --partial -r account h$n.tq > $n.account
	done
	tq-diff -f csv h1.tq h2.tq > csv
	tq-diff -f csv 1.account 2.account | cmp - csv
	# steps on one side only: the time from the first to the last
	sed '/ProfilerStep/d; s/"events":[0-9]*/"events":96/' h2.tq > none.tq
	tq-diff -f ndjson h1.tq none.tq | jq -es '.[0].unit == "span"'
}

# samples SEED N: py-spy's, 10 ms each; N more of one function
samples() {
	echo '{"kind":"stack","id":1,"frames":["load (a.py:'$1')","main (a.py:1)"]}'
	echo '{"kind":"stack","id":2,"frames":["step (a.py:9)","main (a.py:1)"]}'
	local i
	for i in $(seq 0 39); do
		echo '{"kind":"sample","ts":'$((i * 10000000))',"tid":1,"stack":'$((i % 4 == 0 ? 1 : 2))',"args":{"weight_ns":10000000}}'
	done
	for i in $(seq 40 $((39 + $2))); do
		echo '{"kind":"sample","ts":'$((i * 10000000))',"tid":1,"stack":1,"args":{"weight_ns":10000000}}'
	done
}

@test "profiles of samples are compared by function, whatever the line" {
	samples 5 0 | stream > a.tq
	samples 7 10 | stream | sed '1s/"source"/"origin_utc_ns":"7",&/' > b.tq
	tq-diff -f ndjson a.tq b.tq > out
	[[ $(adds out) = "" ]]
	jq -es '.[0].a == 400000000 and .[0].delta == 100000000 and
	    (map(select(.kind == "row") | [.name, .delta]) ==
		[["load (a.py)", 100000000], ["step (a.py)", 0]])' out
	# as many samples of perf, which say how long they are on one side only
	sed 's/"args":{[^}]*}/"args":{"event":"cpu-clock","period":10000000}/' b.tq > perf.tq
	tq-diff -f ndjson a.tq perf.tq | jq -es '.[0].delta == 100000000'
	sed 's/,"args":{[^}]*}//' b.tq > unknown.tq
	run -0 tq-diff a.tq unknown.tq
	[[ ${lines[0]} = "verdict    cannot tell: samples of one side have no length; "* ]]
	data other/speedscope/py-spy-record.speedscope.json.zst
	tq-extract "$data" -o real.tq
	tq-diff -f ndjson real.tq real.tq | jq -es '.[0].a > 0 and .[0].delta == 0'
}

@test "a side without a GPU is none for one with it, and empty is only what has no records" {
	host 1 1 > host.tq
	samples 5 0 | stream > samples.tq
	stream < /dev/null > empty.tq
	while IFS='|' read -r a b says; do
		run -0 tq-diff "$a" "$b"
		[[ ${lines[0]} = "verdict    cannot be compared: $says" ]]
		run -3 tq-diff --fail-if 'wall > +3%' "$a" "$b"
		[[ ${lines[0]} = "fail-if wall > +3%: cannot tell: $says" ]]
	done <<- END
	$files/r1.tq|host.tq|A has operations of a device, and B has calls and ranges of the host
	samples.tq|$files/r1.tq|A has samples, and B has operations of a device
	host.tq|empty.tq|B has no records
	empty.tq|empty.tq|A has no records, and B has no records
	END
}

@test "recordings of one or two operations, without time, or cut in a step give a sentence and no share" {
	kernel() { echo '{"kind":"kernel","ts":'$1',"dur":'$2',"pid":1,"device":0,"stream":7,"name":"gemm"}'; }
	kernel 1000 0 | stream > zero.tq
	kernel 1000 50 | stream > one.tq
	{ kernel 1000 50; kernel 2000 60; } | stream > two.tq
	host 1 1 | sed '/ProfilerStep#7/s/"dur":[0-9]*,\(.*\)}/\1,"open":true}/' > cut.tq
	host 1 1 | sed 's/"name":"aten::op1"/"name":"ProfilerStep#99"/' > nested.tq
	host 2 1 > host.tq
	for pair in zero:one zero:zero one:two two:one cut:host nested:host; do
		for format in table json html markdown csv; do
			run -0 tq-diff -f $format ${pair%:*}.tq ${pair#*:}.tq
			[[ ! $output =~ (^|[^a-z])-?(nan|inf)([^a-z]|$) ]]
		done
		run -0 tq-diff ${pair%:*}.tq ${pair#*:}.tq
		[[ $pair != zero:one || ${lines[0]} = "verdict    cannot tell: the units of a side take no time; "* ]]
		[[ $pair != one:two || ${lines[0]} = "verdict    cannot tell: one recording a side, three more of each would tell; "* ]]
		tq-diff -f ndjson ${pair%:*}.tq ${pair#*:}.tq > out
		[[ $(adds out) = "" ]]
	done
	# six of seven are whole; a step in a step is a part of it
	tq-diff -f ndjson cut.tq host.tq | jq -es '.[0].units_a == 6 and .[0].units_b == 7'
	tq-diff -f ndjson nested.tq host.tq | jq -es '.[0].units_a == 7'
}

# ---- operands ----

@test "the order of the operands of a side changes no byte" {
	cd "$files"
	for f in ndjson table html markdown csv; do
		tq-diff -f $f r1.tq r2.tq r3.tq r4.tq : r5.tq r6.tq r7.tq r8.tq > "$BATS_TEST_TMPDIR/a"
		tq-diff -f $f r3.tq r1.tq r4.tq r2.tq : r8.tq r7.tq r6.tq r5.tq > "$BATS_TEST_TMPDIR/b"
		cmp "$BATS_TEST_TMPDIR/a" "$BATS_TEST_TMPDIR/b"
	done
}

@test "an account compares as its recording does" {
	for n in 1 2; do
		tq-stats --partial -r account "$files/r$n.tq" > $n.account
	done
	tq-diff -f csv --per span "$files/r1.tq" "$files/r2.tq" > streams
	tq-diff -f csv 1.account 2.account | cmp - streams
	# the unit is that of the account, although there is a period
	tq-diff -f csv 1.account "$files/r2.tq" | cmp - streams
	tq-diff -f csv "$files/r1.tq" <(zstd < 2.account) | cmp - streams
	tq-stats --partial -r account --per 'kernel~^gemm$/2' "$files/r1.tq" > 1.account
	tq-diff -f csv --per 'kernel~^gemm$/2' "$files/r1.tq" "$files/r2.tq" > streams
	tq-diff -f csv 1.account "$files/r2.tq" | cmp - streams
}

# second_version: the account on stdin as version 2 has it
second_version() {
	sed -E 's/^\{"kind":"trace",.*"args":\{"account":3(.*)\}$/{"account":2\1/
	    s/^\{"kind":"account","args":(.*)\}$/\1/
	    s/^\{"kind":"end","events":([0-9]*)\}$/{"end":\1}/'
}

@test "a side counts as the account of the other does, and no gate compares two units" {
	tq-filter -v 'kind == "range"' -o spans.tq "$files/r1.tq"
	tq-stats --partial -r account spans.tq > spans.account # it has no steps
	tq-stats --partial -r account --per span "$files/r2.tq" > asked.account
	tq-stats --partial -r account "$(correlated demo)" > steps.account
	tq-stats --partial -r account --per span "$(correlated demo)" > span.account
	for gate in 'launches > 0' 'wall > 2%'; do
		tq-diff -f ndjson --per span --fail-if "$gate" spans.tq "$files/r2.tq" > want || [ $? = 3 ]
		tq-diff -f ndjson --fail-if "$gate" spans.account "$files/r2.tq" > got || [ $? = 3 ]
		diff <(grep -e '"gate"' -e '"kind":"verdict"' want) \
		    <(grep -e '"gate"' -e '"kind":"verdict"' got)
		tq-diff -f ndjson --per span --fail-if "$gate" "$files/r2.tq" "$files/r2.tq" > want || [ $? = 3 ]
		for sides in "asked.account $files/r2.tq" "$files/r2.tq asked.account"; do
			# shellcheck disable=SC2086 # words
			tq-diff -f ndjson --fail-if "$gate" $sides > got || [ $? = 3 ]
			diff <(grep '"gate"' want) <(grep '"gate"' got)
		done
		run -3 tq-diff -f ndjson --fail-if "$gate" steps.account span.account
		[[ $output = *'"result":"cannot tell"'* ]]
	done
	tq-diff steps.account span.account > said
	grep -q ' ms a unit' said
	grep -q '^unit *step | span: the sides are counted in different units: no verdict on counts and wall$' said
}

@test "accounts of version 2 compare as those of version 3 do, mixed or alone" {
	local sides

	cp "$files/r1.tq" 1.tq
	cp "$files/r2.tq" 2.tq
	for n in 1 2; do
		tq-stats --partial -r account --per 'kernel~^gemm$/2' $n.tq > $n.account
		second_version < $n.account > $n.old
		! grep -q '"kind"' $n.old || return 1
	done
	tq-diff -f csv 1.account 2.account > want
	for sides in '1.old 2.old' '1.old 2.account' '1.account 2.old' \
	    '1.old 2.tq' '1.tq 2.old' '1.account 2.tq' '1.tq 2.account'; do
		# shellcheck disable=SC2086 # two files
		tq-diff -f csv $sides | cmp - want
	done
	tq-diff -f csv <(zstd < 1.old) <(zstd < 2.account) | cmp - want
	tq-diff -f csv - 2.old < 1.account | cmp - want
	# several in a file, and of recordings beside accounts
	tq-diff -f csv 1.tq 2.account : 2.tq 1.account > want
	tq-diff -f csv 1.tq 2.old : 2.tq 1.old | cmp - want
	tq-diff -f csv 1.tq 2.old : 2.tq 1.account | cmp - want
	cat 1.account 2.account > new.both
	cat 1.old 2.account > mixed.both
	cat 1.account 2.old > other.both
	tq-diff -f csv new.both 2.tq > want
	tq-diff -f csv mixed.both 2.tq | cmp - want
	tq-diff -f csv other.both 2.tq | cmp - want
	run -1 tq-filter true 1.account
	[ "$output" = 'tq-filter: 1.account: is an account: tq-diff reads it' ]
}

@test "an account that was cut short, or that is of another version, is refused" {
	local n

	tq-stats --partial -r account "$files/r1.tq" > whole
	second_version < whole > old
	for n in 1 2 $(($(wc -l < whole) - 1)); do
		head -n $n whole > cut
		for sides in "cut whole" "cut old" "whole cut" "cut cut"; do
			# shellcheck disable=SC2086 # two files
			run -1 --separate-stderr tq-diff $sides
			[[ -z $output && $stderr == "tq-diff: warning: cut: stream ends without its end record
tq-diff: cut: an account ends without its last line" ]]
		done
		cat cut whole > torn
		run -1 --separate-stderr tq-diff torn whole
		[[ -z $output && $stderr == *"tq-diff: torn: an account ends without its last line" ]]
		head -n $n old > cut
		run -1 --separate-stderr tq-diff cut whole
		[[ -z $output && $stderr == "tq-diff: cut: an account ends without its last line" ]]
		cat cut whole > torn
		run -1 --separate-stderr tq-diff torn whole
		[[ -z $output && $stderr == "tq-diff: torn: an account ends without its last line" ]]
	done
	sed 2d whole > cut
	run -1 --separate-stderr tq-diff cut whole
	[[ $stderr == *"tq-diff: cut: an account ends without its last line" ]]
	sed 2d old > cut
	run -1 --separate-stderr tq-diff cut whole
	[[ $stderr == "tq-diff: cut:"*": lines of the account are missing" ]]
	for n in 2 4; do
		sed "s/\"account\":3/\"account\":$n/" whole > other
		run -1 --separate-stderr tq-diff other whole
		[[ $stderr == "tq-diff: other:1: an account of version $n: this is version 3" ]]
	done
	for n in 1 4; do
		sed "s/\"account\":2/\"account\":$n/" old > other
		run -1 --separate-stderr tq-diff other whole
		[[ $stderr == "tq-diff: other:1: an account of version $n: this is version 3" ]]
	done
	{
		head -n 2 whole
		echo '{"kind":"mark","ts":1}'
	} > other
	run -1 --separate-stderr tq-diff other whole
	[[ $stderr == "tq-diff: other:3: not a line of an account" ]]
	sed '2s/.*/{"kind":"account","args":{"device":[1]}}/' whole > other
	run -1 --separate-stderr tq-diff other whole
	[[ $stderr == "tq-diff: other:2: not a line of an account" ]]
}

@test "sides that make no sense are an error of usage" {
	run -2 tq-diff a
	run -2 --separate-stderr tq-diff a : b : c
	[[ $stderr = 'tq-diff: ":" is given twice' ]]
	run -2 --separate-stderr tq-diff a b :
	[[ $stderr = 'tq-diff: a side of ":" is empty' ]]
	run -1 --separate-stderr tq-diff a.tq "$files/r1.tq"
	[[ $stderr = "tq-diff: a.tq: No such file or directory" ]]
}

# ---- gates ----

@test "a gate fails only where the verdict supports it, and says so in a line" {
	cd "$files"
	for n in 5 6 7 8; do
		plant slow:.:5 r$n.tq > slow$n.tq
	done
	run -0 tq-diff --fail-if 'wall > +3%' r1.tq r2.tq r3.tq r4.tq : r5.tq r6.tq r7.tq r8.tq
	[[ ${lines[0]} = "fail-if wall > +3%: held ("* ]]
	run -3 tq-diff --fail-if 'wall > +3%' --fail-if 'launches > 0' \
	    r1.tq r2.tq r3.tq r4.tq : slow5.tq slow6.tq slow7.tq slow8.tq
	[[ ${lines[0]} = "fail-if wall > +3%: failed (+"* ]]
	[[ ${lines[1]} = "fail-if launches > 0: held ("* ]]
	run -3 tq-diff --fail-if 'time("^gemm$") > +3% and +1us' \
	    r1.tq r2.tq r3.tq r4.tq : slow5.tq slow6.tq slow7.tq slow8.tq
	run -0 tq-diff --fail-if 'time("^gemm$") > +3% and +1s' \
	    r1.tq r2.tq r3.tq r4.tq : slow5.tq slow6.tq slow7.tq slow8.tq
}

@test "a gate without an answer fails, unless that passes" {
	cd "$files"
	run -3 tq-diff --fail-if 'wall > +3%' r1.tq r2.tq
	[[ ${lines[0]} = "fail-if wall > +3%: cannot tell ("*"): one recording a side, three more of each would tell" ]]
	run -0 tq-diff --or-pass --fail-if 'wall > +3%' r1.tq r2.tq
	run -0 tq-diff --noise=2% --fail-if 'wall > +3%' r1.tq r2.tq
	# counts have no noise
	plant drop:softmax r1.tq > "$BATS_TEST_TMPDIR/dropped.tq"
	run -3 tq-diff --fail-if 'calls("softmax") < -5%' r1.tq "$BATS_TEST_TMPDIR/dropped.tq"
	[[ ${lines[0]} = 'fail-if calls("softmax") < -5%: failed ('* ]]
}

@test "a gate that is none is an error of usage" {
	while IFS='|' read -r gate problem; do
		run -2 --separate-stderr tq-diff --fail-if "$gate" a b
		[[ $stderr = "tq-diff: --fail-if '$gate': $problem" ]]
	done <<- 'END'
	wall 3%|expected > or <
	wall > fast|expected a change, as +3%, +2ms or both with 'and'
	wall > +3|expected a change with % or a unit
	time > 3%|expected ("REGEX")
	time("a > 3%|expected ")
	time("(") > 3%|a ( is not closed
	wall > +3% and |expected a change, as +3%, +2ms or both with 'and'
	wall > +3% and|expected a change with % or a unit
	wall > +3% and +1ms and +2|expected a change with % or a unit
	END
}

@test "a part that no side has is held, and one that only B has fails" {
	for n in 1 2 3 4 5 6 7 8; do
		sed '/"kind":"memcpy"/d; s/"events":720/"events":600/' "$files/r$n.tq" > no$n.tq
	done
	run -0 tq-diff --fail-if 'copy > +1%' --fail-if 'sync > +2ms' no1.tq no2.tq
	[[ ${lines[0]} = "fail-if copy > +1%: held (0 -> 0)" ]]
	[[ ${lines[1]} = "fail-if sync > +2ms: held (0 -> 0)" ]]
	run -3 tq-diff --fail-if 'copy > +1%' --fail-if 'copy > +1us' --fail-if 'copy > +1s' \
	    no{1,2,3,4}.tq : "$files"/r{5,6,7,8}.tq
	[[ ${lines[0]} = "fail-if copy > +1%: failed (0 -> "* ]]
	[[ ${lines[1]} = "fail-if copy > +1us: failed (0 -> "* ]]
	[[ ${lines[2]} = "fail-if copy > +1s: held (0 -> "* ]]
	# a name that nothing has is a slip
	run -3 tq-diff --fail-if 'time("^gem$") > +1%' no1.tq no2.tq
	[[ ${lines[0]} = 'fail-if time("^gem$") > +1%: cannot tell: the recordings do not have it' ]]
}

@test "a threshold that equal recordings may pass is warned of" {
	cd "$files"
	run -0 --separate-stderr tq-diff --fail-if 'wall > +5%' --or-pass r{1,2,3,4}.tq : r{5,6,7,8}.tq
	[[ $stderr = "" ]]
	run --separate-stderr tq-diff --fail-if 'wall > +0.01%' --or-pass r{1,2,3,4}.tq : r{5,6,7,8}.tq
	[[ $stderr = "tq-diff: warning: --fail-if 'wall > +0.01%': recordings of one side differ by 0."??" %" ]]
	# those of an account, too, and what is said to be known
	tq-stats --partial -r account --per 'kernel~^gemm$/2' r{1,2,3,4,5}.tq > "$BATS_TEST_TMPDIR/five"
	run --separate-stderr tq-diff --fail-if 'wall > +0.01%' --or-pass "$BATS_TEST_TMPDIR/five" r8.tq
	[[ $stderr = "tq-diff: warning: --fail-if 'wall > +0.01%': "* ]]
	run --separate-stderr tq-diff --noise=2 --fail-if 'wall > +1%' --or-pass r1.tq r2.tq
	[[ $stderr = "tq-diff: warning: --fail-if 'wall > +1%': recordings of one side differ by 2.00 %" ]]
	run --separate-stderr tq-diff --noise=2 --fail-if 'launches > 0' r1.tq r2.tq
	[[ $stderr = "" ]]
}

# ---- names ----

@test "the classes of the names of kernels are these" {
	"$BUILD/unit/name_rules" "$top/tests/data/kernel_names.txt" |
	    diff "$top/tests/data/kernel_classes.txt" -
}

@test "rules of names are of a file, and a wrong one is named with its line" {
	sed 's/"name":"norm"/"name":"norm_fast"/' "$files/r2.tq" > b.tq
	printf '# mine\n3 /^norm_?\\w*$/ NORM\n' > rules
	tq-diff -f ndjson --names rules "$files/r1.tq" b.tq |
	    jq -es 'map(select(.name == "NORM"))[0].level == 3'
	while IFS='|' read -r rule problem; do
		printf '\n%s\n' "$rule" > rules
		run -2 --separate-stderr tq-diff --names rules "$files/r1.tq" b.tq
		[[ $stderr = "tq-diff: rules:2: $problem" ]]
	done <<- 'END'
	4 /a/|expected 2 or 3, and /REGEX/
	2 a|expected 2 or 3, and /REGEX/
	2 /a|a / is not closed
	2 /(/|a ( is not closed
	END
	run -1 --separate-stderr tq-diff --names nothing "$files/r1.tq" b.tq
	[[ $stderr = "tq-diff: nothing: No such file or directory" ]]
}

@test "a fusion is one row, and rows are bases, names, families or categories" {
	sed '/"name":"norm"/d; s/"events":720/"events":600/; s/"name":"softmax"/"name":"softmax_norm"/' \
	    "$files/r1.tq" > fused.tq
	run -0 tq-diff "$files/r1.tq" fused.tq
	[[ $output = *"{norm, softmax} -> {softmax_norm}  in the same place"* ]]
	for by in base name family category path name,grid; do
		tq-diff -f ndjson --by $by "$files/r1.tq" fused.tq > out
		[[ $(adds out) = "" ]]
	done
	tq-diff -f ndjson --by category "$files/r1.tq" fused.tq |
	    jq -es 'map(select(.kind == "row").name) | sort ==
		["communication", "compute", "copy"]'
}

# launches DUR GRID N ...: so many launches of a kernel with each grid
launches() {
	local ts=0 i

	while [ $# -gt 0 ]; do
		for ((i = 0; i < $3; i++)); do
			echo '{"kind":"kernel","ts":'$ts',"dur":'$1',"pid":1,"device":0,"stream":7,"name":"gemm","grid":['$2',1,1],"block":[32,1,1]}'
			((ts += 200000))
		done
		shift 3
	done
}

@test "per call is another mix of grids, and the same ones that take longer" {
	# means of 28000 and 46600 ns; the shares of the grids are 0.8, 0.2 and
	# 0.6, 0.4: 10 launches * (-0.2 * (10000 + 11000) / 2 + 0.2 * 100000)
	launches 10000 8 8 100000 64 2 | stream > a.tq
	launches 11000 8 6 100000 64 4 | stream > b.tq
	tq-diff --per span -f ndjson a.tq b.tq > out
	jq -es 'map(select(.kind == "row") | [.per_call, .shape, .same_shape]) ==
	    [[186000, 179000, 7000]]' out
	tq-diff --per span -f ndjson b.tq a.tq |
	    jq -es 'map(select(.kind == "row") | [.per_call, .shape, .same_shape]) ==
		[[-186000, -179000, -7000]]'
	run -0 tq-diff --per span a.tq b.tq
	[[ $output = *"
  per call     +0.186
    shape      +0.179
    same shape +0.007
"* ]]
	# each grid is a row
	tq-diff --per span -f ndjson --by name,grid a.tq b.tq > out
	jq -es 'map(select(.kind == "row") |
	    [.name, .launches_a, .launches_b, .calls, .per_call, .shape]) ==
	    [["gemm [64,1,1] [32,1,1]", 2, 4, 200000, 0, null],
	    ["gemm [8,1,1] [32,1,1]", 8, 6, -21000, 7000, null]]' out
	[[ $(adds out) = "" ]]
	# without the grids of a side there is nothing to split
	sed 's/"grid":[^"]*//' b.tq > none.tq
	tq-diff --per span -f ndjson a.tq none.tq |
	    jq -es 'map(select(.kind == "row") | [.per_call, .shape]) == [[186000, null]]'
}

@test "a row may be what was launched in a path of ranges" {
	for n in 1 2; do
		{
			echo '{"kind":"range","ts":0,"dur":900,"pid":1,"tid":1,"id":1,"name":"step '$n'"}'
			echo '{"kind":"range","ts":10,"dur":500,"pid":1,"tid":1,"id":2,"parent":1,"name":"layer '$n'"}'
			echo '{"kind":"kernel","ts":1000,"dur":'${n}00',"pid":1,"tid":1,"device":0,"stream":7,"name":"gemm","range":2}'
			echo '{"kind":"kernel","ts":2000,"dur":'${n}000',"pid":1,"tid":1,"device":0,"stream":7,"name":"gemm","range":1}'
			echo '{"kind":"kernel","ts":5000,"dur":50,"pid":1,"device":0,"stream":7,"name":"gemm"}'
		} | stream > $n.tq
	done
	tq-diff --per span -f ndjson --by path 1.tq 2.tq > out
	jq -es 'map(select(.kind == "row") | [.name, .a, .b, .delta]) ==
	    [["step *", 1000, 2000, 1000], ["step * > layer *", 100, 200, 100],
	    ["[no range]", 50, 50, 0]]' out
	[[ $(adds out) = "" ]]
}

# rank RANK PID DUR: a section with two kernels of that duration
rank() {
	for ts in 1000 9000; do
		echo '{"kind":"kernel","ts":'$ts',"dur":'$3',"pid":'$2',"device":0,"stream":7,"name":"gemm"}'
	done | stream | sed '1s/"source"/"rank":'$1',&/'
}

@test "each device has terms that add up, and is found by its rank whatever its pid" {
	{ rank 0 10 500; rank 1 11 700; } > a.tq
	{ rank 0 99 500; rank 1 12 900; } > b.tq
	{ rank 1 12 900; rank 0 99 500; } > swapped.tq
	for b in b.tq swapped.tq; do
		tq-diff --per span -f ndjson a.tq $b > out
		# two launches take 200 ns more, and the gap between them is
		# as much shorter; a span ends with the last
		jq -es 'map(select(.kind == "device") |
		    [.rank, .a, .b, .delta, .per_call, .unknown]) ==
		    [[0, 8500, 8500, 0, 0, 0], [1, 8700, 8900, 200, 400, -200]]' out
		# the mean of both
		jq -es '.[0] | .a == 8600 and .b == 8700 and .delta == 100' out
	done
	run -0 tq-diff --per span a.tq b.tq
	[[ $output = *"
         us   per call    unknown  Device
      0.000      0.000      0.000  rank 0 GPU 0
     +0.200     +0.400     -0.200  rank 1 GPU 0
     +0.100     +0.200     -0.100  mean
"* ]]
	tq-diff --per span -f ndjson "$files/r1.tq" "$files/r2.tq" > out
	jq -es '(map(select(.kind == "device")) | length) == 2 and
	    (map(select(.kind == "device") | .delta - (.calls + .per_call +
		.overlap + .new + .gone + .replaced + .sync + .host + .launch +
		.next + .queue + .unknown)) | all(. == 0)) and
	    (map(select(.kind == "device").delta) | add / 2) - .[0].delta < 1' out
}

@test "graphs that one side has as a whole are one row with the nodes of the other" {
	{
		echo '{"kind":"kernel","ts":0,"dur":100,"pid":1,"device":0,"stream":7,"name":"a","graph_node":1}'
		echo '{"kind":"kernel","ts":100,"dur":50,"pid":1,"device":0,"stream":7,"name":"b","graph_node":2}'
		echo '{"kind":"api","ts":500,"dur":9,"pid":1,"tid":1,"name":"cudaGraphLaunch"}'
		echo '{"kind":"kernel","ts":1000,"dur":500,"pid":1,"device":0,"stream":7,"name":"a"}'
	} | stream > nodes.tq
	{
		echo '{"kind":"graph","ts":0,"dur":160,"pid":1,"device":0,"stream":7,"graph":3}'
		echo '{"kind":"kernel","ts":1000,"dur":500,"pid":1,"device":0,"stream":7,"name":"a"}'
	} | stream > whole.tq
	tq-diff -f ndjson --per span nodes.tq whole.tq > out
	jq -es 'map(select(.kind == "row") | [.name, .level, .launches_a, .launches_b, .replaced, .delta]) ==
	    [["graph", 5, 2, 1, 10, 10], ["a", 1, 1, 1, 0, 0]]' out
	jq -es 'map(select(.name == "kinds") | [.state, .a, .b]) ==
	    [["differs", "kernel api", "kernel graph"]]' out
	# nor are calls compared that one side did not record
	jq -es 'map(select(.kind == "call")) == []' out
	[[ $(adds out) = "" ]]
	run -0 tq-diff --per span nodes.tq whole.tq
	[[ $output = *"graph  whole graphs on one side"* ]]
	# nodes on both sides are kernels as others
	tq-diff -f ndjson --per span nodes.tq nodes.tq |
	    jq -es 'map(select(.kind == "row") | [.name, .launches_a]) == [["a", 2], ["b", 1]]'
}

@test "calls are paired by name, and ranges by path, without their numbers" {
	for n in 1 2; do
		{
			echo '{"kind":"range","ts":0,"dur":9000,"pid":1,"tid":1,"id":1,"name":"step '$n'"}'
			echo '{"kind":"kernel","ts":50,"dur":10,"pid":1,"device":0,"stream":7,"name":"gemm"}'
			echo '{"kind":"api","ts":100,"dur":'${n}00',"pid":1,"tid":1,"name":"cudaLaunchKernel","api":"cuda-runtime","corr":1}'
			echo '{"kind":"kernel","ts":500,"dur":1000,"pid":1,"device":0,"stream":7,"name":"gemm","corr":1}'
			echo '{"kind":"kernel","ts":2000,"dur":1000,"pid":1,"device":0,"stream":7,"name":"gemm"}'
		} | stream | tq-correlate --path > $n.tq
	done
	tq-diff -f ndjson --per span 1.tq 2.tq > out
	jq -es 'map(select(.kind == "call") | [.name, .a, .b, .delta]) ==
	    [["cudaLaunchKernel", 100, 200, 100]]' out
	# one before the first operation starts in no span
	tq-diff -f ndjson --per 'range~step' 1.tq 2.tq |
	    jq -es 'map(select(.kind == "range").name) == ["[\"step *\"]"]'
}

# ---- formats ----

# column_of KEY: kind, name and KEY of each line of csv
column_of() {
	awk -F, -v key="$1" '
	NR == 1 { for (i = 1; i <= NF; i++) if ($i == key) at = i }
	NR > 1 { print $1 "," $2 "," $at }'
}

@test "json is ndjson in one object, and csv and tsv have each of its lines" {
	tq-diff -f ndjson "$files/r1.tq" "$files/r2.tq" > lines
	tq-diff -f json1 "$files/r1.tq" "$files/r2.tq" |
	    jq -c '.[][]' | diff <(jq -c . lines) -
	tq-diff -f csv "$files/r1.tq" "$files/r2.tq" > csv
	tq-diff -f tsv "$files/r1.tq" "$files/r2.tq" > tsv
	jq -r .kind lines | diff - <(tail -n +2 csv | cut -d, -f1)
	# a number is the same, in the column of its key
	jq -r 'select(.kind == "row") | [.name, .delta] | @csv' lines | tr -d '"' |
	    diff - <(column_of delta < csv | grep ^row, | cut -d, -f2-)
	diff <(tr -d '"' < csv) <(tr '\t' , < tsv)
}

@test "a column of the screen is as wide as its numbers, and its title stands above them" {
	sed 's/"dur":\([0-9]*\)/"dur":5000000\1/; s/"origin_utc_ns":"/&7/' "$files/r1.tq" > long.tq
	run -0 tq-diff --per span "$files/r1.tq" long.tq
	title=$(grep 'Slower$' <<< "$output")
	row=$(grep '  gemm$' <<< "$output")
	[[ $row =~ \ [0-9.]+\ +[0-9]{9}\.[0-9]{3}\ \ [+][0-9]+\ %\ \ gemm$ ]]
	[[ $((${#title} - ${#row})) = 2 ]]
}

@test "names are only text in Markdown and HTML, and a comment stays below 60000 bytes" {
	sed 's/"name":"norm"/"name":"<b>|`x`@you"/' "$files/r1.tq" > odd.tq
	sed 's/"name":"norm"/"name":"<b>|`x`@you"/' "$files/r2.tq" > odd2.tq
	tq-diff -f markdown odd.tq odd2.tq > out
	grep -F '\<b\>\|\`x\`\@you' out
	tq-diff -f html odd.tq odd2.tq > out
	grep -F '&lt;b&gt;|`x`@you' out
	! grep -F '<b>|' out || return 1
	for n in 1 2; do
		awk -v n=$n '
		/"kernel"/ { sub(/"name":"[^"]*"/, "\"name\":\"k" i++ sprintf("%0150d", 0) "\"") }
		{ print }' "$files/r$n.tq" > many$n.tq
	done
	tq-diff -n 0 -f markdown many1.tq many2.tq > out
	(($(wc -c < out) <= 60000))
	grep ' others | ' out
}

@test "--noise says how much recordings differ, and which threshold holds" {
	run -0 tq-diff --noise "$files"/r{1,2,3,4}.tq
	[[ ${lines[0]} = "4 recordings, 6 pairs" ]]
	[[ ${lines[1]} = "Metric         Median  Largest  Threshold" ]]
	[[ $output = *$' pairs\n\nMetric '* ]]
	[[ $output = *$'\nwall '* && $output = *$'\ncompute '* ]]
	# the walls of four recordings, each the median of its units
	for n in 1 2 3 4; do
		tq-diff -f ndjson "$files/r$n.tq" "$files/r$n.tq" |
		    jq 'select(.kind == "unit" and .side == "a").wall'
	done | jq -s 'max / min - 1' > largest
	tq-diff --noise -f ndjson "$files"/r{1,2,3,4}.tq > out
	jq -es --argjson largest "$(< largest)" '.[0].metric == "wall" and
	    (.[0].largest - $largest | fabs) < 1e-5 and
	    all(.kind == "noise" and .median <= .largest and
		.threshold >= .largest)' out
	tq-diff --noise -f json1 "$files"/r{1,2,3,4}.tq | jq -c '.noise[]' | diff out -
	tq-diff --noise -f csv "$files"/r{1,2,3,4}.tq > csv
	tq-diff --noise -f tsv "$files"/r{1,2,3,4}.tq | tr '\t' , | diff csv -
	[[ $(head -n 1 csv) = kind,metric,median,largest,threshold ]]
	run -0 tq-diff --noise -f markdown "$files"/r{1,2}.tq
	[[ $output = *"| Metric | Median | Largest | Threshold |"* ]]
	run -0 tq-diff --noise -f html "$files"/r{1,2}.tq
	[[ $output = *'<tr><td class="t">wall</td><td>'* ]]
	[[ $(stream < /dev/null | tq-diff --noise -f csv -) = kind,metric,median,largest,threshold ]]
	run -2 --separate-stderr tq-diff --noise --fail-if 'wall > +3%' "$files"/r{1,2}.tq
	[[ $stderr = "tq-diff: --fail-if compares two sides, --noise has one; a known noise is --noise=PERCENT" ]]
}

# ---- tq-ci(7) ----

# account FILE RECORDING ...: as the page makes a baseline
account() {
	local file=$1

	shift
	tq stats --partial -r account "$@" > "$file"
}

# limit: what the page does with new.account; prints the first line of the comment
limit() {
	local status=0

	tq diff --or-pass --fail-if 'wall > +3%' -f markdown \
	    -o comment.md base.account new.account || status=$?
	sed -n '1{s/\\\(.\)/\1/g;s/ *$//p;}' comment.md
	return $status
}

@test "in CI a baseline passes what is as fast, fails what is slower, and is replaced" {
	for n in 5 6 7 8; do
		plant slow:.:6 "$files/r$n.tq" > slow$n.tq
	done
	account base.account "$files"/r{1,2,3,4}.tq
	account new.account "$files"/r{5,6,7,8}.tq
	run -0 limit
	[[ $output = "fail-if wall > +3%: held ("* ]]
	account new.account slow{5,6,7,8}.tq
	run -3 limit
	[[ $output = "fail-if wall > +3%: failed ("* ]]
	grep '^\*\*[0-9]\.[0-9] % slower, sure: ' comment.md
	mv new.account base.account
	account new.account slow{5,6,7,8}.tq
	run -0 limit
	# accounts stand one behind the other
	for n in 1 2 3 4; do
		account $n.account "$files/r$n.tq"
	done
	cat [1-4].account > base.account
	run -3 limit
}

@test "an account with numbers of any size is compared, or refused as damaged" {
	tq-stats --partial -r account "$(correlated base)" > whole.account
	mkdir damaged
	# each line with each of two numbers, in a file of its own
	awk '{ line[NR] = $0 }
	END {
		split("9223372036854775807 -9223372036854775808", number)
		for (i = 1; i <= NR; i++)
			for (k = 1; k <= 2; k++) {
				file = "damaged/" i "." k ".account"
				for (j = 1; j <= NR; j++) {
					text = line[j]
					if (j == i)
						gsub(/[0-9]+/, number[k], text)
					print text > file
				}
				close(file)
			}
	}' whole.account
	[ "$(ls damaged | wc -l)" = $((2 * $(wc -l < whole.account))) ]
	for file in damaged/*; do
		for sides in "$file whole.account" "whole.account $file"; do
			status=0
			# shellcheck disable=SC2086 # two files
			tq-diff -f html $sides > out 2> err || status=$?
			[[ $status = [01] ]] || { echo "$sides: $status"; false; }
			cat out err >> all
		done
	done
	[[ -s all ]] && run ! grep -F 'runtime error' all
}

# ---- steps of an inference server ----

# server FACTOR CLASS ...: steps of a server, whose kernels last FACTOR us
server() {
	local t=0 class

	{
		for class in "${@:2}"; do
			((t += 100000))
			echo '{"kind":"range","ts":'$t',"dur":50000,"pid":1,"tid":1,"name":"step['"$class"']","depth":0}'
			echo '{"kind":"kernel","ts":'$((t + 20000))',"dur":'$(($1 * 1000))',"pid":1,"tid":1,"name":"gemm","device":0,"api_ts":'$((t + 10))',"api_dur":5,"api_name":"launch"}'
			echo '{"kind":"kernel","ts":'$((t + 20000 + $1 * 1000))',"dur":1000,"pid":1,"tid":1,"name":"norm","device":0,"api_ts":'$((t + 20))',"api_dur":5,"api_name":"launch"}'
		done
	} | stream
}

@test "--per serve compares each class of steps that both sides have" {
	local d='DECODE bs=2' p='EXTEND bs=1 toks=8'

	server 5 "$p" "$d" "$p" "$d" "$p" "$d" "$d" "IDLE" > a.tq
	server 7 "$d" "$p" "$d" "$d" "$d" "$p" "MIXED bs=6" > b.tq
	run -0 tq-diff --per serve a.tq b.tq
	[[ $(grep ^class <<< "$output" | xargs) = "class prefill class decode" ]]
	[[ $(grep -c '5.000 *7.000 *+40.00 %  gemm' <<< "$output") = 2 ]]
	[[ $output = *"2 and 1 steps without the first"*"3 and 3 steps without the first"* ]]
	[[ ${lines[-1]} = "only in A: none; only in B: mixed" ]]
	# each is what --step has of it
	tq-diff --step serve:decode a.tq b.tq > one
	sed '1,/^class *decode/d;/^only in/,$d' <<< "$output" | sed '$d' | diff one -
	# from pipes
	tq-diff --per serve <(cat a.tq) <(cat b.tq) |
	    grep -c '+40.00 %  gemm' | grep -qx 2
	run -3 tq-diff --per serve --fail-if 'time("gemm") > +3%' --noise=1% a.tq b.tq
	[[ $(grep -c 'failed' <<< "$output") = 2 ]]
	run -1 tq-diff --per serve a.tq <(server 5 "MIXED bs=1")
	[[ $output = "tq-diff: no class of steps of an inference server is on both sides: A has prefill, decode, B has mixed" ]]
	run -2 tq-diff --per serve -f json a.tq b.tq
	[[ $output = "tq-diff: --per serve prints a table for each class of steps; for one of them, in any format: --step serve:decode" ]]
	run -2 tq-diff --per serve --per step a.tq b.tq
	[[ $output = "tq-diff: --per serve is of both sides" ]]
}

# ---- both sides at the same time ----

# one OPTIONS ...: tq-diff reads one side after the other
one() {
	TQ_THREADS=1 tq-diff "$@"
}

@test "both sides are read at the same time where there are two processors" {
	mkfifo a b
	# who reads all of A first waits for ever
	{
		cat "$files/r2.tq" > b
		cat "$files/r1.tq" > a
	} &
	TQ_THREADS=2 timeout 60 tq-diff -f csv --per span a b > pipes
	wait
	tq-diff -f csv --per span "$files/r1.tq" "$files/r2.tq" > files
	# but for the names of the operands
	diff <(grep -v ^recording files) <(grep -v ^recording pipes)
}

@test "the output does not depend on whether both sides are read at the same time" {
	local a=$files/r1.tq b=$files/r2.tq format per

	export TQ_THREADS=2
	for format in table csv json markdown html; do
		for per in auto span 'kernel~^gemm$'; do
			one -f $format --per "$per" "$a" "$b" > expected
			tq-diff -f $format --per "$per" "$a" "$b" | cmp - expected
		done
	done
	one -f csv "$files"/r{1,2,3}.tq : "$files"/r{4,5}.tq > expected
	tq-diff -f csv "$files"/r{1,2,3}.tq : "$files"/r{4,5}.tq | cmp - expected
	for per in auto span; do
		one -f csv --per $per - "$b" < "$a" > expected
		tq-diff -f csv --per $per - "$b" < "$a" | cmp - expected
		cat "$a" | tq-diff -f csv --per $per - "$b" | cmp - expected
		one -f csv --per $per "$a" - < "$b" > expected
		cat "$b" | tq-diff -f csv --per $per "$a" - | cmp - expected
		zstd -q < "$b" | tq-diff -f csv --per $per "$a" - | cmp - expected
	done
}

piped() {
	cat "$files/r1.tq" | "$@"
}

@test "one pipe as both sides is read to its end for the first of them" {
	local per pipe file

	for per in auto span; do
		run -1 piped one --per $per - -
		[[ $output = *"<stdin>: is empty"*"sides      1 and 0 recordings"* ]]
		pipe=$output
		run -1 one --per $per - - < "$files/r1.tq"
		file=$output
		for _ in 1 2 3; do
			run -1 piped tq-diff --per $per - -
			[[ $output = "$pipe" ]]
			run -1 tq-diff --per $per - - < "$files/r1.tq"
			[[ $output = "$file" ]]
		done
	done
}

@test "messages about both sides come as if the first was read before the second" {
	local a=$files/r1.tq b=$files/r2.tq per

	for _ in 1 2 3 4; do cat "$a"; done > long.tq
	head -n -1 long.tq > cut.tq
	{ sed -n 1p "$b"; echo '{"kind":"kernel","ts":'; } > bad.tq
	{ cat long.tq; echo '{"kind":"kernel","ts":'; } > bad_late.tq
	head -n 20 "$b" > short.tq
	for per in auto span; do
		for pair in cut.tq:bad.tq bad.tq:cut.tq bad_late.tq:bad.tq \
		    cut.tq:short.tq "$a:bad.tq" cut.tq:nowhere nowhere:bad.tq; do
			run -1 one --per $per "${pair%:*}" "${pair#*:}"
			printf '%s\n' "$output" > expected
			for _ in 1 2 3; do
				run -1 tq-diff --per $per "${pair%:*}" "${pair#*:}"
				printf '%s\n' "$output" | diff - expected
			done
		done
	done
}
