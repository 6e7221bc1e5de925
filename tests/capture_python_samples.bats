#!/usr/bin/env bats
# samples of tq-capture --python-sampling

load helper
load capture

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# one: the newest of them
one() {
	[[ -n $(pythons) ]] || skip "no python3.8 to 3.13"
	python=$(pythons | tail -n 1)
}

# stacks FILE: each sample of the threads that python_work.py makes, with its
# frames in place of their number; what imports is left out
stacks() {
	jq -cs '
	    (map(select(.kind == "stack") | {key: "\(.id)", value: .frames}) |
	        from_entries) as $frames |
	    .[] | select(.kind == "sample") |
	    .frames = $frames["\(.stack)"] |
	    select(any(.frames[]; test("^(leaf|deep|generate|work|sleeper) \\(python_work.py:")))' "$1"
}

@test "a thread that runs and one that sleeps are sampled, in all versions that there are" {
	[[ -n $(pythons) ]] || skip "no python3.8 to 3.13"
	for python in $(pythons); do
		tq-capture -q -t none --python-sampling true -o x.tq \
		    "$python" "$top/tests/capture/python_work.py" 0.5
		whole x.tq
		stacks x.tq > samples
		jq -es --arg python "$python" '
		    def ends: test("^(<module> \\(python_work.py:38\\)|(Thread.)?_bootstrap \\(threading.py:[0-9]+\\))$");
		    def periods: map(.count // 1) | add;
		    all(.[]; .what == "python" and (.frames[-1] | ends)) and
		    (map(select(.frames[-1] | startswith("<module>"))) |
		        periods > 50 and
		        ([.[] | .frames[0]] | any(startswith("leaf (python_work.py:1")))) and
		    (map(select(.state == "Interruptible" and (.frames[0] | test("^sleeper \\(python_work.py:32\\)$")))) |
		        length < 100 and periods > 50)' samples ||
		    { echo "$python" >&2; false; }
		# no caller is left out, however the thread runs meanwhile
		jq -es 'all(.[] | select(any(.frames[]; startswith("leaf "))) | .frames;
		    map(split(" ")[0]) == ["leaf", "deep", "deep", "deep", "deep",
		        "deep", "deep", "generate", "work", "<module>"])' samples ||
		    { echo "$python" >&2; false; }
	done
}

@test "a function at the address of another one is another one" {
	one
	cat > again.py <<- 'END'
	import time
	end = time.monotonic() + .6
	n = 0
	while time.monotonic() < end:
	    n += 1
	    names = {}
	    exec(f"""
	import time
	def name{n % 7}():
	    until = time.monotonic() + .01
	    while time.monotonic() < until:
	        pass
	{chr(10) * (n % 7)}
	name{n % 7}()""", names)
	    del names
	END
	tq-capture -q -t none --python-sampling true -o x.tq "$python" again.py
	jq -c 'select(.kind == "stack").frames' x.tq |
	    grep -o '"name[0-9] ([^)]*)","<module> (<string>:[0-9]*)"' > pairs
	(($(cut -d ' ' -f 1 pairs | sort -u | wc -l) == 7))
	# whoever calls it stands in the line of its own text
	sed 's/"name\(.\).*:\([0-9]*\))"/\1 \2/' pairs |
	    awk '$2 != $1 + 8 { print; bad = 1 } END { exit bad }'
}

@test "stacks of functions that C calls are never of two moments" {
	[[ -n $(pythons) ]] || skip "no python3.8 to 3.13"
	cat > changes.py <<- 'END'
	import functools, time
	def leaf(x): return x
	def call(how, depth, x):
	    return through(how * 7 + depth, depth - 1) if depth else leaf(x)
	def through(how, depth):
	    on = functools.partial(call, how, depth)
	    if how % 3 == 0: return max((1, 2), key=on)
	    if how % 3 == 1: return list(map(on, (1, 2)))
	    return sorted((1, 2), key=on)
	end, n = time.monotonic() + .6, 0
	while time.monotonic() < end:
	    n += 1
	    through(n, 4)
	END
	for python in $(pythons); do
		tq-capture -q -t none --python-sampling true -o x.tq "$python" changes.py
		whole x.tq
		jq -rs '(map(select(.kind == "stack") | {key: "\(.id)", value: .frames}) |
		        from_entries) as $frames |
		    .[] | select(.kind == "sample") | $frames["\(.stack)"] |
		    reverse | map(sub(" \\(changes.py"; "") | rtrimstr(")")) | join(" ") |
		    select(test("^<module>:1[0-3]"))' x.tq > all
		# a caller is at the line of its call; the innermost function of one
		# in a hundred may have just returned
		grep -vxE '<module>:1[0-3]( through:[789] call:4)*( through:[789] call:3| through:[5-9]| leaf:2)?' \
		    all > wrong || true
		(($(wc -l < all) > 20 && $(wc -l < wrong) * 50 <= $(wc -l < all) + 50)) ||
		    { echo "$python, of $(wc -l < all):"; cat wrong; false; } >&2
	done
}

@test "children are sampled, by fork and by exec" {
	one
	cat > parent.py <<- 'END'
	import os, subprocess, sys, time
	def child():
	    end = time.monotonic() + .4
	    while time.monotonic() < end:
	        pass
	if os.fork() == 0:
	    child()
	    os._exit(0)
	subprocess.run([sys.executable, sys.argv[1], ".4"])
	os.wait()
	END
	tq-capture -q -t none --python-sampling true -o x.tq "$python" parent.py \
	    "$top/tests/capture/python_work.py"
	whole x.tq
	(($(jq -s 'map(select(.kind == "sample").pid) | unique | length' x.tq) == 3))
	grep -q '"child (parent.py:' x.tq
	grep -q '"work (python_work.py:' x.tq
}

@test "fewer are taken where fewer are asked for" {
	one
	tq-capture -q -t none --python-sampling true --python-sampling-frequency 100 \
	    -o x.tq "$python" "$top/tests/capture/python_work.py" 0.5
	stacks x.tq | jq -es 'map(select(.frames[-1] | startswith("<module>"))) |
	    length > 2 and length <= 60'
	grep -q '"mode":"none,python:read@100"' x.tq
}

@test "a program without Python has no samples, and runs as without" {
	run -3 tq-capture -q -t none --python-sampling true -o x.tq sh -c 'sleep .1; exit 3'
	whole x.tq
	run ! grep '"sample"' x.tq
}

@test "wrong values are refused" {
	run -125 tq-capture --python-sampling-frequency 0 true
	[ "$output" = "tq-capture: --python-sampling-frequency 0: expected a number from 1 to 2000" ]
	run -125 tq-capture --python-sampling-frequency 2001 true
}

@test "a thread that sleeps keeps its stack until it has run, and no longer" {
	one
	cat > turns.py <<- 'END'
	import threading, time
	def first():
	    time.sleep(.06)
	def second():
	    time.sleep(.06)
	def turns():
	    for i in range(8):
	        first()
	        second()
	threads = [threading.Thread(target=turns) for i in range(3)]
	for t in threads: t.start()
	for t in threads: t.join()
	END
	tq-capture -q -t none --python-sampling true -o x.tq "$python" turns.py
	whole x.tq
	# each function has about half of the time of each thread
	tq-stats -f json1 -r functions:all:thread x.tq | jq -e '
	    map(select(.Function | test("^(first|second) "))) | length == 6 and
	    (map(.Self) | min * 2 > max)'
}

@test "with native samples, too, the time of a thread counts once, and its native frames stand below" {
	one
	capture -q -t none -s process-tree --python-sampling true \
	    "$python" "$top/tests/capture/python_work.py" 0.5
	! grep -q perf_event_open "$said" || skip "no perf_event_open"
	jq -s 'map(select(.kind == "sample" and .what == null) | .count // 1) | add' \
	    "$tq" > native
	((($(< native)) > 100))
	tq-stats -r folded:samples "$tq" | awk '{ n += $NF } END { print n }' |
	    diff native -
	tq-stats -f json1 -r cpu_sum "$tq" |
	    jq 'map(select(.State == "Running").Samples) | add' | diff native -
	# the functions of Python are in nearly all of them
	tq-stats -f json1 -r functions "$tq" | jq -e --argjson n "$(< native)" '
	    map({key: .Function, value: .Total}) | from_entries |
	    .["work (python_work.py)"] > $n / 2'
	tq-stats -r folded:samples "$tq" |
	    grep ';leaf (python_work.py:[0-9]*);[^;]* (.*python3' > below
}

@test "samples of Python go through all tools" {
	one
	tq-capture -q -t none --python-sampling true -o x.tq \
	    "$python" "$top/tests/capture/python_work.py" 0.3
	tq-correlate x.tq > correlated.tq
	tq-filter -k sample 'state == "Interruptible"' correlated.tq > few.tq
	jq -es '(map(select(.kind == "stack").id)) as $ids |
	    map(select(.kind == "sample").stack) | length > 0 and . - $ids == []' few.tq
	tq-stats -r folded:samples correlated.tq | grep -q 'work (python_work.py:'
	tq-chrome correlated.tq > x.json
	grep -q 'sleeper (python_work.py:' x.json
	tq-perfetto correlated.tq > x.pftrace
	grep -aq 'sleeper (python_work.py:' x.pftrace
}
