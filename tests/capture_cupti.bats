#!/usr/bin/env bats
# What CUDA does comes into the arena, and no record is lost unseen: the agent
# under a CUDA without a GPU, of four generations

load helper
load fakecuda

# all but NODES and EVENTS
ON=63

setup() {
	need cupti.h
	unset TQ_CUPTI CUDA_INJECTION64_PATH
}

# reap GENERATION SETTINGS [OPTION ...]: storm under the agent; its numbers are
# in $BATS_TEST_TMPDIR/numbers, what the agent wrote in $BATS_TEST_TMPDIR/out.
# LATE is what -l says.
reap() {
	rm -f "$BATS_TEST_TMPDIR/numbers"
	fake "$1" "$BUILD/capture/reap" ${LATE:+-l "$LATE"} \
	    "clock=monotonic chunks=1024 buffers=16 flush=50 $2" \
	    "$FAKE/storm" -o "$BATS_TEST_TMPDIR/numbers" "${@:3}" \
	    > "$BATS_TEST_TMPDIR/out"
}

# What storm did; but for the calls that nobody wants to see.
done_of() { # all|range KIND
	jq -s ".[-1].$1 | .runtime -= .silent | .$2" \
	    "$BATS_TEST_TMPDIR/numbers"
}

# How many lines of this kind there are.
lines() {
	grep -cE "^$1( |\$)" "$BATS_TEST_TMPDIR/out" || true
}

# The agent wrote what storm did, of these kinds.
same() { # KIND ...
	local kind

	for kind; do
		echo "$kind $(lines "$kind") $(done_of all "$kind")"
	done | awk '$2 != $3 { print "written, done: " $0; bad = 1 }
	    END { exit bad }'
}

EVERY="kernel memcpy memcpy2 memset runtime driver sync memory pool stream
context device overhead graph"
MIXTURE="-n 500 -t 2 -s 3 -c 31 -f 11 -a 10 -g 5 -k 4 -q 10 -p 7 -d 20"

@test "in every generation all that was done is recorded, and nothing else" {
	local generation

	for generation in $GENERATIONS; do
		# shellcheck disable=SC2086 # options, kinds
		reap "$generation" on=$ON $MIXTURE
		# shellcheck disable=SC2086
		same $EVERY
		[ "$(lines lost) $(lines note) $(lines lent)" = "0 0 0" ]
	done
	# shellcheck disable=SC2086
	FAKECUDA_DEVICES=2 reap 13.0 on=$ON $MIXTURE -G 2
	# shellcheck disable=SC2086
	same $EVERY
	[ "$(lines memcpy2)" -gt 0 ]
	[ "$(lines context)" = 2 ]
}

@test "kernels have their names, calls theirs, with the version" {
	reap 13.0 on=$ON -n 30
	[ "$(awk '$1 == "kernel" { print substr($6, 1, 10) }' \
	    "$BATS_TEST_TMPDIR/out" | sort | uniq -c |
	    awk '{ printf "%s %s,", $1, $2 }')" = \
	    "10 _Z3addIfEv,10 long_xxxxx,10 storm," ]
	[ "$(grep -c '^runtime .* cudaLaunchKernel_v7000$' \
	    "$BATS_TEST_TMPDIR/out")" = 30 ]
	[ "$(grep -c '^driver .* cuLaunchKernel$' \
	    "$BATS_TEST_TMPDIR/out")" = 30 ]
	run ! grep -q '[?]$' "$BATS_TEST_TMPDIR/out"
}

@test "a kernel starts after its call, by the clock of the capture" {
	reap 13.0 on=$ON -n 500 -t 2 -s 2
	awk '
	$1 == "runtime" && $6 ~ /^cudaLaunchKernel_/ { call[$2] = $3 }
	$1 == "kernel" { start[$2] = $3; bad += $4 < $3 }
	END {
		for (id in start) {
			n++
			bad += !(id in call) || start[id] < call[id] ||
			    start[id] - call[id] > 60e9
		}
		exit bad || n != 1000
	}' "$BATS_TEST_TMPDIR/out"
}

@test "only what is on is recorded" {
	reap 13.0 on=4 -n 10
	[ "$(lines runtime) $(lines driver) $(lines kernel)" = "18 0 0" ]
	reap 13.0 on=2 -n 10
	[ "$(lines runtime) $(lines driver) $(lines kernel)" = "0 0 10" ]
	reap 13.0 on=0 -n 10
	[ "$(lines cupti)" = 0 ]
}

@test "a graph has one record, or one for each of its kernels" {
	reap 13.0 on=$ON -n 0 -g 5 -k 4
	[ "$(lines graph) $(lines kernel)" = "5 0" ]
	reap 13.0 on=$((ON + 64)) -n 0 -g 5 -k 4
	[ "$(lines graph) $(lines kernel) $(lines node)" = "0 20 20" ]
}

@test "events of CUDA have the time of the device, where CUPTI tells it" {
	reap 13.0 on=$((ON + 128)) -n 10 -t 2
	same event kernel
	awk '
	$1 == "kernel" && (first == 0 || $3 < first) { first = $3 }
	$1 == "kernel" && $4 > last { last = $4 }
	$1 == "event" { time[n++] = $3 }
	END {
		for (i = 0; i < n; i++)
			bad += time[i] < first || time[i] > last + 1e9
		exit bad > 0 || n != 2
	}' "$BATS_TEST_TMPDIR/out"
	reap 12.4 on=$((ON + 128)) -n 10
	[ "$(lines event) $(lines kernel) $(lines note)" = "0 10 0" ]
}

@test "a device that is hidden from the program is left out" {
	FAKECUDA_HIDDEN=1 reap 13.0 on=$ON -n 10
	same device
	grep -qx 'device Fake GPU' "$BATS_TEST_TMPDIR/out"
	# nor is it salvaged
	FAKECUDA_HIDDEN=1 reap 13.0 "on=$ON flush=0" -n 10 -e kill || true
	same device
}

@test "calls that only ask are left out, whether libcupti can or not" {
	local generation

	for generation in 12.4 13.0; do
		reap "$generation" on=4 -n 10 -q 100
		same runtime
		[ "$(done_of all silent)" -ge 100 ]
	done
}

@test "cudaProfilerStart and Stop count once, with their correlation id" {
	reap 13.0 on=$ON -n 20 -r
	[ "$(lines start) $(lines stop)" = "1 1" ]
	[ "$(awk '$1 == "start" { print $2 }' "$BATS_TEST_TMPDIR/out")" = \
	    "$(awk '$6 ~ /^cudaProfilerStart_/ { print $2 }' \
	        "$BATS_TEST_TMPDIR/out")" ]
	# what was launched between the two is what storm says
	[ "$(awk '
	$1 == "start" { start = $2 }
	$1 == "stop" { stop = $2 }
	$1 == "kernel" { id[n++] = $2 }
	END {
		for (i = 0; i < n; i++)
			k += start < id[i] && id[i] < stop
		print k
	}' "$BATS_TEST_TMPDIR/out")" = "$(done_of range kernel)" ]
}

@test "a program that is killed loses nothing" {
	local how

	for how in kill _exit abort; do
		# nothing is flushed: all has to be salvaged
		# shellcheck disable=SC2086
		reap 13.0 "on=$ON flush=0" $MIXTURE -e "$how" || true
		# shellcheck disable=SC2086
		same $EVERY
		[ "$(lines lent)" -gt 0 ]
	done
}

@test "nor does one that destroys its context" {
	# shellcheck disable=SC2086
	reap 13.0 on=$ON $MIXTURE -R
	# shellcheck disable=SC2086
	same $EVERY
	# shellcheck disable=SC2086
	reap 13.0 on=$ON $MIXTURE -R -e kill || true
	# shellcheck disable=SC2086
	same $EVERY
}

@test "nor when its buffers had to be handed over in between" {
	reap 13.0 on=$ON -n 20000 -t 2 -e kill || true
	same kernel runtime driver
}

@test "without buffers in the arena all is recorded still" {
	local generation

	for generation in 11.8 13.0; do
		# shellcheck disable=SC2086
		reap "$generation" "on=$ON buffers=0" $MIXTURE
		# shellcheck disable=SC2086
		same $EVERY
	done
}

@test "what has no room in the arena is counted" {
	reap 13.0 "on=$ON chunks=4" -n 5000
	[ $(($(lines kernel) + $(awk '$2 == "gpu" { print $3 }' \
	    "$BATS_TEST_TMPDIR/out"))) = 5000 ]
	[ $(($(lines runtime) + $(lines driver) + $(awk '$2 == "api" \
	    { print $3 }' "$BATS_TEST_TMPDIR/out"))) = \
	    $(($(done_of all runtime) + $(done_of all driver))) ]
}

@test "work that CUPTI has no times for is counted as lost" {
	FAKECUDA_NOTIME=4 reap 13.0 on=2 -n 100 -c 0
	[ "$(lines kernel)" = 75 ]
	grep -qx 'lost gpu 25' "$BATS_TEST_TMPDIR/out"
	FAKECUDA_KERNEL_NS=10000000000 reap 13.0 on=2 -n 5 -u
	[ "$(lines kernel)" = 0 ]
	grep -qx 'lost gpu 5' "$BATS_TEST_TMPDIR/out"
}

@test "what CUPTI dropped is counted" {
	FAKECUDA_DROP=10 reap 13.0 on=2 -n 100
	[ $(($(grep -cE '^(kernel|context|device|stream|overhead)' \
	    "$BATS_TEST_TMPDIR/out") + $(awk '$2 == "cupti" { print $3 }' \
	    "$BATS_TEST_TMPDIR/out"))) = 107 ]
}

@test "records may be torn, out of order, late, or with ids that wrap" {
	FAKECUDA_TORN=1 reap 13.0 on=$ON -n 100
	same kernel runtime driver sync
	FAKECUDA_REVERSE=1 reap 13.0 on=$ON -n 100
	same kernel runtime driver sync
	FAKECUDA_CALLER=1 FAKECUDA_SLOWFLUSH=20 reap 13.0 on=$ON -n 100
	same kernel runtime driver sync
	FAKECUDA_CORRELATION=4294967290 reap 13.0 on=$ON -n 100
	same kernel runtime driver sync
}

@test "records may have their place in a buffer before the work has ended" {
	local generation

	for generation in 12.4 13.0; do
		# shellcheck disable=SC2086
		FAKECUDA_RESERVE=1 reap "$generation" on=$ON $MIXTURE
		# shellcheck disable=SC2086
		same $EVERY
		[ "$(lines lost) $(lines lent)" = "0 0" ]
	done
	# what has not ended at a flush keeps its buffer back, and is not lost
	FAKECUDA_RESERVE=1 FAKECUDA_KERNEL_NS=3000000 reap 13.0 on=$ON -n 50 -t 2
	same kernel runtime driver
	# of a program that is killed it is known to be incomplete
	FAKECUDA_RESERVE=1 FAKECUDA_KERNEL_NS=10000000000 \
	    reap 13.0 "on=$ON flush=0" -n 5 -u -e kill || true
	[ "$(lines kernel)" = 0 ]
	grep -qx 'incomplete 5' "$BATS_TEST_TMPDIR/out"
}

@test "another profiler keeps CUPTI, and is named" {
	FAKECUDA_BUSY="Nsight Systems" reap 13.0 on=$ON -n 10
	[ "$(lines kernel)" = 0 ]
	grep -qx 'note Nsight Systems uses CUPTI: CUDA is not recorded' \
	    "$BATS_TEST_TMPDIR/out"
	FAKECUDA_BUSY="Nsight Systems" reap 12.4 on=$ON -n 10
	grep -qx 'note another profiler uses CUPTI: CUDA is not recorded' \
	    "$BATS_TEST_TMPDIR/out"
}

@test "a libcupti that does not fit the driver is told" {
	local generation

	for generation in 12.4 13.0; do # errors 15 and 999
		FAKECUDA_NODRIVER=1 reap "$generation" on=$ON -n 10
		grep -qx "note no libcupti that works with this CUDA driver:\
 CUDA is not recorded" "$BATS_TEST_TMPDIR/out"
	done
}

@test "a libcupti that subscribes, and refuses to record, is told" {
	FAKECUDA_REFUSE=1 reap 13.0 on=$ON -n 10
	grep -qx "note libcupti refuses to record all that was asked for:\
 another one may fit the driver, see TQ_CUPTI" "$BATS_TEST_TMPDIR/out"
	[ "$(lines note) $(lines kernel) $(done_of all kernel)" = "1 0 10" ]
}

@test "TQ_CUPTI says which libcupti is used" {
	# shellcheck disable=SC2030
	export TQ_CUPTI=$FAKE/12.4/libcupti.so.13
	reap none on=$ON -n 10
	grep -qx 'cupti 22' "$BATS_TEST_TMPDIR/out"
	same kernel
}

@test "a libcupti in the folders of pip is found, also without a libcudart" {
	local site=$BATS_TEST_TMPDIR/site-packages/nvidia

	need no-sanitizer # which has to be the first library
	mkdir -p "$site/cublas/lib" "$site/cuda_cupti/lib"
	cp "$FAKE/agent.so" "$site/cublas/lib/libcublas.so.13"
	cp "$FAKE/13.0/libcupti.so.13" "$site/cuda_cupti/lib"
	# storm loads no libcudart.so.13 by that name beside a libcupti
	LD_PRELOAD=$site/cublas/lib/libcublas.so.13 AGENT_OUT=/dev/null \
	    reap none on=$ON -n 10
	grep -qx 'cupti 130001' "$BATS_TEST_TMPDIR/out"
	same kernel
}

@test "the real libcupti finds no driver in a CUDA without a GPU" {
	need libcupti.so.13
	reap none on=$ON -n 10
	grep -q '^note no libcupti that works' "$BATS_TEST_TMPDIR/out"
	[ "$(done_of all kernel)" = 10 ]
}

@test "each process after a fork is recorded by itself" {
	reap 13.0 on=$ON -n 100 -F
	[ "$(lines process) $(lines kernel) $(lines context)" = "2 200 2" ]
}

@test "a child that is forked when CUDA is in use is left alone" {
	reap 13.0 on=$ON -n 100 -L
	[ "$(lines process) $(lines kernel)" = "1 100" ]
}

@test "what is armed is recorded from when it is switched on" {
	reap 13.0 "on=0 arm=$ON" -n 1000
	[ "$(lines kernel) $(lines runtime) $(lines lost)" = "0 0 0" ]
	[ "$(lines context)" = 1 ]
	LATE=$ON reap 13.0 "on=0 arm=$ON" -n 20000 -w 500
	[ "$(lines note) $(lines lost)" = "0 0" ]
	[ "$(lines kernel)" -gt 0 ]
}

@test "work that was not armed is not begun late, and that is told" {
	LATE=$ON reap 13.0 on=12 -n 20000 -w 500
	grep -qx 'note work of the GPU was switched on too late to be recorded' \
	    "$BATS_TEST_TMPDIR/out"
	[ "$(lines kernel)" = 0 ]
	same runtime driver
}

@test "what CUDA_INJECTION64_PATH was before is loaded, too" {
	AGENT_OUT=$BATS_TEST_TMPDIR/agent \
	    reap 13.0 "on=$ON chain=$FAKE/agent.so" -n 10
	grep -qx 'version 130001' "$BATS_TEST_TMPDIR/agent"
	[ "$(grep -c '^kernel' "$BATS_TEST_TMPDIR/agent")" = 10 ]
	[ "$(lines note)" = 1 ] # CUPTI is taken
	reap 13.0 "on=$ON chain=/nonexistent.so" -n 10
	same kernel
	grep -qx "note CUDA_INJECTION64_PATH was set to what can't be loaded" \
	    "$BATS_TEST_TMPDIR/out"
}
