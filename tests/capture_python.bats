#!/usr/bin/env bats
# Python stacks of tq-capture --python-backtrace

load helper
load capture

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# stacks FILE: "CALL [frames]" of each sleep, mark and range, sorted
stacks() {
	jq -rs '
	    (map(select(.kind == "stack") | {key: "\(.id)", value: .frames}) |
	        from_entries) as $frames |
	    .[] | select(.kind == "mark" or .kind == "range" or
	        (.kind == "osrt" and (.name | test("^(select|clock_nanosleep)$")) and
	            .dur >= 2500000)) |
	    (if .kind == "osrt" then "sleep" else .kind end) + " " +
	        ($frames["\(.stack)"] | tojson)' "$1" | sort
}

# ---- stacks ----

@test "each call has the stack that Python says, in all versions that there are" {
	[[ -n $(pythons) ]] || skip "no python3.8 to 3.13"
	for python in $(pythons); do
		rm -f expected x.tq
		tq-capture -q -t nvtx,osrt --python-backtrace nvtx,osrt \
		    --osrt-backtrace-threshold 0 -o x.tq \
		    "$python" "$top/tests/capture/stacks.py" expected
		whole x.tq
		# as jq writes JSON
		while read -r call frames; do
			echo "$call $(jq -c . <<< "$frames")"
		done < expected | sort > expected.json
		(($(wc -l < expected.json) > 50))
		stacks x.tq | diff expected.json - ||
		    { echo "$python" >&2; false; }
	done
}

@test "a file of a package is named from the folder of packages on" {
	need python3
	[[ -n $(pythons) ]] || skip "no python3.8 to 3.13"
	python=$(pythons | tail -n 1)
	mkdir -p site-packages/pkg
	printf 'import time\ndef f():\n    time.sleep(.003)\n' > site-packages/pkg/mod.py
	PYTHONPATH=$PWD/site-packages tq-capture -q -t osrt \
	    --python-backtrace osrt -o x.tq "$python" -c 'import pkg.mod; pkg.mod.f()'
	grep -q '"f (pkg/mod.py:3)","<module> (<string>:1)"' x.tq
}

@test "with a native stack as well, that is in the arguments" {
	[[ -n $(pythons) ]] || skip "no python3.8 to 3.13"
	python=$(pythons | tail -n 1)
	tq-capture -q -t osrt --python-backtrace osrt -o x.tq "$python" -c '
import time
time.sleep(.01)'
	jq -es '(map(select(.kind == "stack") | {key: "\(.id)", value: .frames}) |
	    from_entries) as $frames |
	    map(select(.kind == "osrt" and .dur > 9000000 and .stack and .args.native)) |
	    any(.[]; $frames["\(.stack)"] == ["<module> (<string>:3)"] and
	        ($frames["\(.args.native)"] | length) > 3)' x.tq
	# whoever keeps the call keeps both
	tq-filter -k osrt 'dur > 9ms' x.tq > few.tq
	jq -es '(map(select(.kind == "stack").id)) as $ids |
	    all(.[] | select(.kind == "osrt"); [.stack, .args.native] - $ids == [])' few.tq
}

# From 3.11 on the frame of a function that makes a generator is given back with
# its memory, while it is the innermost one.
@test "a call that gives the innermost frame back has no stack, others have" {
	[[ -n $(pythons) ]] || skip "no python3.8 to 3.13"
	cat > generators.py <<-'EOF'
	import sys
	sys.setrecursionlimit(10000)
	# a large frame, which often begins a new piece of memory for frames
	names = ", ".join("v%d" % i for i in range(200))
	exec("def generator():\n yield\n %s = range(200)" % names)
	def deep(n):
	    if n:
	        deep(n - 1)
	    else:
	        generator()
	for n in range(300):
	    deep(n)
	print("done")
	EOF
	for python in $(pythons); do
		run -0 tq-capture -q -t osrt --python-backtrace osrt \
		    --osrt-threshold 0 -o x.tq "$python" generators.py
		[ "$output" = "done" ]
		whole x.tq
		case $("$python" -V) in
		*3.8.* | *3.9.* | *3.10.*) continue ;;
		esac
		jq -es 'map(select(.kind == "osrt" and .name == "munmap")) |
		    map(select(.stack)) as $with | length > ($with | length) + 10
		    and ($with | length > 10)' x.tq
	done
}

@test "not asked for, there is none" {
	[[ -n $(pythons) ]] || skip "no python3.8 to 3.13"
	python=$(pythons | tail -n 1)
	tq-capture -q -t nvtx,osrt --osrt-backtrace-threshold 0 -o x.tq \
	    "$python" "$top/tests/capture/stacks.py" expected
	run ! grep '"stack":' x.tq
}

# ---- programs without a Python that is known ----

@test "a program without Python, or with another one, goes on as without" {
	tq-capture -q -t nvtx,osrt --python-backtrace nvtx,osrt -o x.tq "$ANNOTATE"
	whole x.tq
	for layout in none unknown wild moved; do
		"$CLIENTS/snake" "$layout" > plain
		tq-capture -q -t osrt --python-backtrace osrt \
		    --osrt-backtrace-threshold 0 -o x.tq "$CLIENTS/snake" "$layout" > out
		diff plain out
		whole x.tq
		run ! grep '"stack":' x.tq
	done
}

@test "wrong values are refused" {
	run -125 tq-capture --python-backtrace foo true
	[[ $output = *'expected nvtx, osrt, cuda or none'* ]]
}

@test "the recording says that there are Python stacks" {
	tq-capture -q -t nvtx,osrt --python-backtrace nvtx,osrt -o x.tq true
	grep -q '"mode":"[^"]*,python-backtrace:nvtx,osrt' x.tq
}

@test "Python stacks go through all tools" {
	[[ -n $(pythons) ]] || skip "no python3.8 to 3.13"
	python=$(pythons | tail -n 1)
	tq-capture -q -t nvtx,osrt --python-backtrace nvtx,osrt -o x.tq \
	    "$python" "$top/tests/capture/stacks.py" expected
	tq-correlate x.tq > correlated.tq
	tq-chrome correlated.tq > x.json
	jq -e '[.. | strings | select(test("annotate \\(stacks.py:"))] | length > 0' x.json
	tq-perfetto correlated.tq > x.pftrace
	grep -aq 'annotate (stacks.py:' x.pftrace
}

# ---- a loader that is slow ----

@test "examples/loader.py: in which file a step waits, and at which line" {
	[[ -n $(pythons) ]] || skip "no python3.8 to 3.13"
	python=$(pythons | tail -n 1)
	line=$(grep -n 'os.read(' "$top/examples/loader.py" | cut -d : -f 1)
	NVTX_EXAMPLE_LOADER=1 tq-capture -q -t nvtx,osrt --osrt-file-access true \
	    --python-backtrace osrt -o x.tq "$python" "$top/examples/loader.py" 5
	whole x.tq
	# the steps wait for the loader
	tq-stats -r nvtx_sum:folded -f json1 x.tq | jq -e '
	    (map({key: (.Range | ltrimstr(":")), value: .["Total Time (ns)"]}) |
	        from_entries) |
	    .["load batch"] > 0.5 * .["step *"]'
	# which reads this file, and waits there for most of the time
	tq-stats -r io_sum -f json1 x.tq | jq -e 'map(select(.Kind == "file")) |
	    max_by(.["Total Time (ns)"]) |
	    (.File | endswith("/shard-0.bin")) and .["Bytes (B)"] >= 2 * 5 * 4 * 65536'
	# at this line
	tq-stats -r osrt_lines -f json1 x.tq | jq -e --arg line ":$line)" '
	    map(select(.Name == "read")) | max_by(.["Total Time (ns)"]) |
	    (.Line | test("read_block \\(loader.py") and endswith($line)) and
	    (.File | endswith("/shard-0.bin")) and .["Bytes (B)"] == 5 * 4 * 65536'
	# which the first finding says, with a share of the time of steps
	tq-advise -f ndjson x.tq | jq -es --arg line ":$line)" '
	    map(select(.finding))[0] | .finding == "file-io" and
	    .severity == "critical" and .share_ppm > 300000 and
	    .where.name.text == "read" and
	    (.where.file.text | endswith("/shard-0.bin")) and
	    (.where.line.text | startswith("Loader.read_block (loader.py:") or
	        startswith("read_block (")) and
	    (.where.line.text | endswith($line))'
	tq-stats x.tq | tr -s '\n ' ' ' |
	    grep -E "The thread of the steps reads or writes files\..* is [0-9.]+ ms in read, [0-9.]+ ms on the file [^ ]*/shard-0.bin and [0-9.]+ ms at .*read_block \(loader.py:$line\)"
	# and the picture: of each read the file, and its stack
	tq-chrome x.tq | jq -e --arg line ":$line)" '
	    [.traceEvents[] | select(.name == "read" and
	        ((.args.file // "") | endswith("/shard-0.bin")) and
	        ([.args | .. | strings | select(endswith($line))] | length > 0))] |
	    length >= 5 * 4'
	tq-perfetto x.tq > x.pftrace
	grep -aq "read_block (loader.py:$line)" x.pftrace
	grep -aq /shard-0.bin x.pftrace
}
