#!/usr/bin/env bats
# tq-capture --python-backtrace cuda: which line of Python made a call of CUDA

load helper
load fakecuda
load capture
load storm

setup() {
	need cupti.h
	cd "$BATS_TEST_TMPDIR"
}

# The call of the C function is in a line of call(), which Python can't say.
lineless() {
	sed 's/"call (cuda_stacks.py:[0-9]*)"/"call"/'
}

# stacks: "NAME [frames]" of each call in x.tq, sorted
stacks() {
	jq -rs '
	    (map(select(.kind == "stack") | {key: "\(.id)", value: .frames}) |
	        from_entries) as $frames |
	    .[] | select(.kind == "api") |
	    .name + " " + ($frames["\(.stack)"] | tojson)' x.tq |
	    lineless | sort
}

# expected: the same of what Python said
expected() {
	jq -rR 'capture("^(?<name>[^ ]+) (?<frames>.*)$") |
	    .name + " " + (.frames | fromjson | tojson)' said.py |
	    lineless | sort
}

@test "each call has the stack that Python says, in all versions that there are" {
	[[ -n $(pythons) ]] || skip "no python3.8 to 3.13"
	for python in $(pythons); do
		rm -f said.py x.tq
		fake 13.0 tq-capture -q --python-backtrace cuda -o x.tq \
		    "$python" "$top/tests/capture/cuda_stacks.py" said.py
		whole x.tq
		stacks > stacks
		expected | diff - stacks || { echo "$python" >&2; false; }
		(($(wc -l < stacks) == 26))
		grep -q '<lambda>' stacks
		! grep -q null stacks || return 1
		[ "$(dropped x.tq)" = 0 ]
	done
}

@test "with every generation of CUDA, and of calls that many threads make" {
	python=$(pythons | tail -n 1)
	[[ -n $python ]] || skip "no python3.8 to 3.13"
	for generation in 11.8 12.4 13.0 future; do
		fake "$generation" tq-capture -q --python-backtrace cuda \
		    -o x.tq "$python" "$top/tests/capture/cuda_stacks.py" \
		    said.py 4 200
		whole x.tq
		[ "$(dropped x.tq)" = 0 ]
		stacks | cut -d ' ' -f 1 | sort | uniq -c > calls
		expected | cut -d ' ' -f 1 | sort | uniq -c | diff - calls
		# the frames of threads begin in threading.py
		[ "$(stacks | grep -c null)" = 0 ]
		[ "$(stacks | grep -c '_bootstrap (threading.py')" = \
		    "$(expected | grep -c '_bootstrap (threading.py')" ]
	done
}

@test "the call of the program has the stack, not the driver's within it" {
	fake 13.0 tq-capture -q --python-backtrace cuda --cuda-nested -o x.tq \
	    python3 "$top/tests/capture/cuda_stacks.py" said.py 1 20
	[ "$(jq -r 'select(.kind == "api" and .api == "cuda-runtime" and
	    .stack == null).name' x.tq | sort -u)" = "" ]
	[ "$(jq -r 'select(.kind == "api" and .stack != null and
	    .api == "cuda-driver").name' x.tq | sort | uniq -c |
	    sed 's/^ *//')" = "20 cuCtxSynchronize" ]
}

@test "a program without Python is recorded as without the option" {
	storm 13.0 "--python-backtrace cuda --cuda-nested" -n 300 -t 2 -s 3 \
	    -c 31 -f 11 -a 10 -g 5 -k 4 -q 10 -d 7 -N
	whole
	same all kernel memcpy memset runtime driver sync graph
	[ "$(count stack)" = 0 ]
	[ "$(dropped)" = 0 ]
}

@test "stacks are of ranges and calls of CUDA at once, and filters keep them" {
	fake 13.0 tq-capture -q --python-backtrace cuda,osrt -t cuda,osrt \
	    --osrt-threshold 0 -o x.tq \
	    python3 "$top/tests/capture/cuda_stacks.py" said.py
	[[ $(jq -r 'select(.kind == "trace").mode' x.tq) = \
	    *,python-backtrace:osrt,cuda ]]
	tq-filter 'name == "cudaMemcpy"' x.tq > y.tq
	[ "$(count api y.tq)" = 3 ]
	jq -rs '(map(select(.kind == "stack") | {key: "\(.id)", value: .frames}) |
	        from_entries) as $f |
	    .[] | select(.kind == "api") | $f["\(.stack)"][1]' y.tq > lines
	[ "$(sort lines | uniq -c | sed 's/^ *//')" = \
	    "3 step (cuda_stacks.py:$(grep -n '"cudaMemcpy"' \
	    "$top/tests/capture/cuda_stacks.py" | cut -d: -f1))" ]
}

@test "a wait for the device that never ends has the lines of Python, without an option" {
	local python spin

	python=$(pythons | tail -n 1)
	[[ -n $python ]] || skip "no python3.8 to 3.13"
	cat > hangs.py <<-'END'
		import ctypes
		cudart = ctypes.CDLL("libcudart.so.13")
		p = ctypes.c_void_p()
		cudart.cudaMalloc(ctypes.byref(p), ctypes.c_size_t(64))
		cudart.cudaMemsetAsync(p, 0, ctypes.c_size_t(64), None)
		def wait():
		    cudart.cudaDeviceSynchronize()
		wait()
	END
	# the thread sleeps, or asks the device again and again
	for spin in 0 1; do
		FAKECUDA_SPIN=$spin FAKECUDA_COPY_NS=60000000000 fake 13.0 \
		    tq-capture -q -d 4 --kill sigkill -o x.tq "$python" hangs.py || true
		whole x.tq
		tq-correlate x.tq | tq-advise > advice
		grep -F "main thread in cudaDeviceSynchronize at wait (hangs.py:7) < <module> (hangs.py:8)." advice
	done
}
