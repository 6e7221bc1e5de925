#!/usr/bin/env bats
# The CUDA without a GPU that tq-capture is tested with: it keeps to the
# protocol of the real one, as a profiler of 300 lines sees it

load helper
load fakecuda

setup() {
	need cupti.h
	export AGENT_OUT=$BATS_TEST_TMPDIR/records
}

# storm GENERATION [OPTION ...]: run it under the agent; its numbers are in
# $BATS_TEST_TMPDIR/numbers, what the agent saw in $AGENT_OUT.
storm() {
	rm -f "$AGENT_OUT"
	CUDA_INJECTION64_PATH=$FAKE/agent.so fake "$1" "$FAKE/storm" "${@:2}" \
	    > "$BATS_TEST_TMPDIR/numbers"
}

numbers() { # JQ-EXPRESSION
	jq -r "$1" "$BATS_TEST_TMPDIR/numbers"
}

# How many lines of this kind there are.
lines() {
	grep -cE "^$1( |\$)" "$AGENT_OUT" || true
}

# What the agent saw is what storm says, of these kinds.
seen() { # all|range KIND ...
	local kind

	for kind in "${@:2}"; do
		echo "$kind $(lines "$kind") $(numbers ".$1.$kind")"
	done | awk '$2 != $3 { print "seen, done: " $0; bad = 1 }
	    END { exit bad }'
}

EVERY="kernel memcpy memcpy2 memset runtime driver sync memory pool event stream
context device overhead graph"
MIXTURE="-n 500 -t 2 -s 3 -c 31 -d 5 -f 11 -a 10 -g 5 -k 4 -p 3 -q 10"

@test "a program runs on it without a profiler" {
	run -0 fake 13.0 "$FAKE/storm" -n 10
	[ "$(jq .all.kernel <<< "$output")" = 10 ]
}

@test "a program may load the driver itself, and know no runtime" {
	CUDA_INJECTION64_PATH=$FAKE/agent.so fake 13.0 "$FAKE/direct" 10
	[ "$(lines kernel) $(lines driver) $(lines runtime)" = "10 11 0" ]
	[ "$(grep -cx 'resource [12]' "$AGENT_OUT")" = 2 ]
}

@test "every generation has its version" {
	local versions=(18 22 130001 999999) i=0 generation

	for generation in $GENERATIONS; do
		storm "$generation" -n 1
		grep -qx "version ${versions[i++]}" "$AGENT_OUT"
	done
}

@test "every generation has its sizes of records" {
	local generation want

	while read -r generation want; do
		storm "$generation" -n 1
		[ "$(awk '$1 == "stride" { printf " %s:%s", $2, $3 }' \
		    "$AGENT_OUT")" = " $want" ]
	done <<- 'END'
	11.8 1:88 2:88 3:200 4:40 5:40 8:176 9:16 10:200 12:56 13:32 17:40 22:96 25:64 36:24 37:24 38:40 39:24 49:120 50:72 51:48 52:64
	12.4 1:88 2:88 3:208 4:40 5:40 8:184 9:24 10:208 12:56 13:32 17:56 22:96 25:64 36:24 37:24 38:40 39:24 49:120 50:72 51:56 52:72
	13.0 1:96 2:88 3:216 4:40 5:40 8:184 9:32 10:216 12:56 13:40 17:56 22:96 25:104 36:56 37:24 38:56 39:24 49:128 50:80 51:56 52:72
	future 1:112 2:104 3:232 4:56 5:56 8:200 9:48 10:232 12:72 13:56 17:72 22:112 25:120 36:72 37:40 38:72 39:40 49:144 50:96 51:72 52:88
	END
}

@test "what the fake 13.0 has is as in the real one" {
	need libcupti.so.13
	storm 13.0 -n 1
	mv "$AGENT_OUT" "$BATS_TEST_TMPDIR/fake"
	mkdir "$BATS_TEST_TMPDIR/real"
	ln -s "$libcupti" "$BATS_TEST_TMPDIR/real"
	CUDA_INJECTION64_PATH=$FAKE/agent.so \
	    LD_LIBRARY_PATH=$BATS_TEST_TMPDIR/real:$FAKE "$FAKE/storm" -n 1
	grep -q '^version 1300' "$AGENT_OUT" || skip "libcupti.so.13 is not that of 13.0"
	# no driver that this one can use
	grep -qx 'subscribe 999 ' "$AGENT_OUT"
	[ "$(grep -c ^stride "$BATS_TEST_TMPDIR/fake")" -gt 20 ]
	grep ^stride "$BATS_TEST_TMPDIR/fake" | (! grep -vxFf "$AGENT_OUT")
}

@test "an old generation lacks the functions that came later" {
	storm 11.8 -n 1
	[ "$(lines lacks)" = 5 ]
	storm 12.4 -n 1
	[ "$(awk '$1 == "lacks" { print $2 }' "$AGENT_OUT" | paste -sd ' ')" = \
	    "cuptiSubscribe_v2 cuptiActivityEnableRuntimeApi cuptiActivityEnableHWTrace" ]
	storm 13.0 -n 1
	[ "$(lines lacks)" = 0 ]
}

@test "in every generation there is a record for all that was done" {
	local generation

	for generation in $GENERATIONS; do
		# shellcheck disable=SC2086 # options, kinds
		storm "$generation" $MIXTURE
		# shellcheck disable=SC2086
		seen all $EVERY
		grep -qx 'dropped 0' "$AGENT_OUT"
	done
}

@test "a kernel has the correlation id of both its calls, and starts later" {
	storm 13.0 -n 500 -t 2 -s 2
	awk '
	$1 == "runtime" && $6 ~ /^cudaLaunchKernel_v7000/ { runtime[$2] = $3 }
	$1 == "driver" && $6 == "cuLaunchKernel" { driver[$2] = $3 }
	$1 == "kernel" { kernel[$2] = $3 }
	END {
		for (id in kernel) {
			n++
			if (!(id in runtime) || runtime[id] > driver[id] ||
			    driver[id] > kernel[id])
				exit 1
		}
		exit n != 1000
	}' "$AGENT_OUT"
}

@test "kernels of a stream do not overlap, and take as long as is said" {
	FAKECUDA_KERNEL_NS=5000 storm 13.0 -n 300 -s 3
	grep '^kernel ' "$AGENT_OUT" | sort -k5,5n -k3,3n | awk '
	$4 - $3 != 5000 || ($5 == stream && $3 < end) { exit 1 }
	{ stream = $5; end = $4 }'
}

@test "a kernel has its name, mangled and long ones, too" {
	storm 13.0 -n 30
	[ "$(grep '^kernel ' "$AGENT_OUT" | cut -d ' ' -f 6 | sort | uniq -c |
	    awk '{ printf "%s %.10s,", $1, $2 }')" = \
	    "10 _Z3addIfEv,10 long_xxxxx,10 storm," ]
}

@test "what lies between cudaProfilerStart and Stop can be told" {
	# shellcheck disable=SC2086
	AGENT_RANGE=1 storm 13.0 $MIXTURE -r
	seen range kernel memcpy memcpy2 memset runtime driver sync memory \
	    event graph
	seen all device context stream # they are there already
	[ "$(grep '^callback' "$AGENT_OUT" | paste -sd ,)" = \
	    "callback cudaProfilerStart_v4000 enter,callback cudaProfilerStart_v4000 exit,callback cudaProfilerStop_v4000 enter,callback cudaProfilerStop_v4000 exit" ]
}

@test "a graph has one record, or one for each of its kernels" {
	storm 13.0 -n 0 -g 5 -k 4
	[ "$(lines graph) $(lines kernel)" = "5 0" ]
	AGENT_NODES=1 storm 13.0 -n 0 -g 5 -k 4
	[ "$(lines graph) $(lines kernel) $(lines node)" = "0 20 20" ]
	[ "$(grep '^node' "$AGENT_OUT" | sort -u | wc -l)" = 4 ]
	[ "$(awk '$1 == "kernel" { print $2 }' "$AGENT_OUT" | sort -u |
	    wc -l)" = 5 ]
}

@test "contexts, streams and nodes of graphs are told" {
	storm 13.0 -n 1 -s 3 -g 1 -k 4
	# created: 1 context, 3 streams, 4 nodes; cloned: 4 nodes
	[ "$(grep '^resource' "$AGENT_OUT" | sort | uniq -c |
	    awk '{ printf "%s:%s ", $3, $1 }')" = \
	    "1:1 10:1 11:1 13:4 17:1 18:1 19:1 20:4 3:3 5:1 9:1 " ]
}

@test "nothing is handed over at exit unless it is flushed" {
	AGENT_NOFLUSH=1 storm 13.0 -n 5
	[ "$(lines buffer) $(lines kernel)" = "0 0" ]
	# but for full buffers, and those not at once
	AGENT_NOFLUSH=1 AGENT_BUFFER=1024 storm 13.0 -n 5000 -w 100
	[ "$(lines kernel)" -gt 0 ]
	[ "$(awk '$1 == "buffer" && $2 <= 1024 - 216' "$AGENT_OUT")" = "" ]
}

@test "work that has not ended is flushed by force, without times" {
	FAKECUDA_KERNEL_NS=10000000000 storm 13.0 -n 5 -u
	[ "$(lines kernel)" = 5 ]
	[ "$(grep -c '^kernel [0-9]* 0 0 ' "$AGENT_OUT")" = 5 ]
}

@test "a forked child is a process of its own" {
	storm 13.0 -n 100 -F
	[ "$(numbers .pid | sort -u | wc -l)" = 2 ]
	[ "$(lines kernel)" = 200 ]
}

@test "a child that is forked later cannot use CUDA" {
	storm 13.0 -n 100 -L
	[ "$(lines kernel)" = 100 ]
	FAKECUDA_FORK=1 storm 13.0 -n 100 -L
	[ "$(lines kernel)" = 100 ]
}

@test "each GPU has a context, and its stream 0" {
	# shellcheck disable=SC2086
	FAKECUDA_DEVICES=2 storm 13.0 $MIXTURE -G 2
	# shellcheck disable=SC2086
	seen all $EVERY
	[ "$(lines context)" = 2 ]
	run -1 storm 13.0 -t 2 -G 2
}

@test "records are all there while a thread flushes" {
	# shellcheck disable=SC2086
	AGENT_PERIOD=1 AGENT_BUFFER=2048 storm 13.0 $MIXTURE -n 5000 -t 4
	# shellcheck disable=SC2086
	seen all $EVERY
}

@test "a clock that is set too late is not that of the GPU" {
	strange() { # kernels that start far away from their calls
		awk '$6 ~ /^cudaLaunchKernel_v7000/ { call[$2] = $3 }
		$1 == "kernel" { kernel[$2] = $3 }
		END {
			for (id in kernel)
				if (id in call)
					n += kernel[id] - call[id] > 1e12
			print n + 0
		}' "$AGENT_OUT"
	}
	AGENT_RANGE=1 storm 13.0 -n 100 -r
	[ "$(strange)" = 0 ]
	AGENT_LATE=1 AGENT_RANGE=1 storm 13.0 -n 100 -r
	[ "$(strange)" = 100 ]
	AGENT_LATE=1 AGENT_RANGE=1 storm future -n 100 -r
	[ "$(strange)" = 0 ]
}

@test "a context that goes is told" {
	storm 13.0 -n 10 -R
	seen all kernel runtime
	[ "$(grep -cx 'resource 2' "$AGENT_OUT")" = 1 ]
}

@test "FAKECUDA_RECYCLE: the ids of graphs come again" {
	ids() { # of the executable ones
		FAKECUDA_RECYCLE=$1 AGENT_NODES=1 storm 13.0 -n 0 -g 2 -k 1 -r
		grep '^node' "$AGENT_OUT" | cut -d ' ' -f 2 | uniq | paste -sd ' '
	}
	[ "$(ids 0)" = "2 4 6" ]
	[ "$(ids 1)" = "2 1 2" ]
}

@test "storm ends as it is told" {
	run -0 storm 13.0 -n 1 -e _exit
	run -134 storm 13.0 -n 1 -e abort
	run -139 storm 13.0 -n 1 -e segv
	run -137 storm 13.0 -n 1 -e kill
	[ "$(numbers .all.kernel)" = 1 ]
}

@test "FAKECUDA_BUSY: the subscriber is another one" {
	FAKECUDA_BUSY="Nsight Systems" storm 13.0 -n 10
	grep -qx 'subscribe 39 Nsight Systems' "$AGENT_OUT"
	FAKECUDA_BUSY="Nsight Systems" storm 12.4 -n 10
	grep -qx 'subscribe 39 ' "$AGENT_OUT"
	[ "$(numbers .all.kernel)" = 10 ]
}

@test "FAKECUDA_NODRIVER: no driver can be used" {
	FAKECUDA_NODRIVER=1 storm 13.0 -n 10
	grep -qx 'subscribe 999 ' "$AGENT_OUT"
	FAKECUDA_NODRIVER=1 storm 12.4 -n 10
	grep -qx 'subscribe 15 ' "$AGENT_OUT"
}

@test "FAKECUDA_NOTIME: each Nth record of work has no times" {
	FAKECUDA_NOTIME=4 storm 13.0 -n 100 -c 0
	[ "$(grep -c '^kernel [0-9]* 0 0 ' "$AGENT_OUT")" -ge 24 ]
	[ "$(lines kernel)" = 100 ]
}

@test "FAKECUDA_REVERSE: records are out of order" {
	disorder() { # records of the runtime that begin before the last one
		awk '$1 == "runtime" { n += $3 < last; last = $3 }
		END { print n }' "$AGENT_OUT"
	}
	storm 13.0 -n 100
	[ "$(disorder)" -le 1 ] # there are two threads
	FAKECUDA_REVERSE=1 storm 13.0 -n 100
	[ "$(disorder)" -gt 50 ]
	seen all kernel runtime
}

@test "FAKECUDA_DROP: what is dropped is counted" {
	local whole

	storm 13.0 -n 100
	whole=$(grep -cE "^(${EVERY//[[:space:]]/|})( |\$)" "$AGENT_OUT")
	FAKECUDA_DROP=10 storm 13.0 -n 100
	grep -qx "dropped $((whole / 10))" "$AGENT_OUT"
	[ "$(grep -cE "^(${EVERY//[[:space:]]/|})( |\$)" "$AGENT_OUT")" = \
	    $((whole - whole / 10)) ]
}

@test "FAKECUDA_TORN: a buffer ends in a record that was not written" {
	FAKECUDA_TORN=1 storm 13.0 -n 100
	grep -qx 'torn 21' "$AGENT_OUT"
	seen all kernel runtime
}

@test "FAKECUDA_CORRELATION: ids wrap, and none is 0" {
	FAKECUDA_CORRELATION=4294967290 storm 13.0 -n 100
	grep -q '^kernel 4294967295 ' "$AGENT_OUT"
	grep -q '^kernel 1 ' "$AGENT_OUT"
	run -1 grep -E '^(kernel|runtime|driver|sync) 0 ' "$AGENT_OUT"
}

@test "FAKECUDA_CALLER, FAKECUDA_SLOWFLUSH: all records are there as well" {
	FAKECUDA_CALLER=1 FAKECUDA_SLOWFLUSH=20 storm 13.0 -n 100
	seen all kernel runtime
}

@test "a flush in a callback is a deadlock" {
	AGENT_BAD=flush run -134 --separate-stderr storm 13.0 -n 1 -r
	[[ $stderr = *"fakecuda: cuptiActivityFlushAll was called in a callback at enter: deadlock"* ]]
}

@test "asking for drops in a callback is a deadlock, or is let pass" {
	AGENT_BAD=drops run -134 --separate-stderr storm 13.0 -n 1
	[[ $stderr = *"fakecuda: cuptiActivityGetNumDroppedRecords was called in bufferCompleted: deadlock"* ]]
	AGENT_BAD=drops FAKECUDA_LAX=1 storm 13.0 -n 1
	AGENT_BAD=lock FAKECUDA_LAX=1 run -134 storm 13.0 -n 1
}

@test "without a buffer an old generation crashes, a new one drops" {
	AGENT_BAD=null run -134 --separate-stderr storm 12.4 -n 1
	[[ $stderr = *"fakecuda: no buffer: CUPTI before 12.9 crashes"* ]]
	AGENT_BAD=null storm 13.0 -n 10
	[ "$(lines kernel)" = 0 ]
	[ "$(awk '$1 == "dropped" { print $2 }' "$AGENT_OUT")" -gt 30 ]
}

@test "a buffer that is not aligned, or not zeroed as promised, is refused" {
	AGENT_BAD=odd run -134 --separate-stderr storm 13.0 -n 1
	[[ $stderr = *"fakecuda: a buffer is not aligned to 8 bytes"* ]]
	AGENT_BAD=dirty run -134 --separate-stderr storm 13.0 -n 1
	[[ $stderr = *"fakecuda: a buffer is not zeroed"* ]]
}
