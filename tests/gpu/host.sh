# shellcheck shell=sh disable=SC2154 # check.sh, which reads this, sets them
# host.sh - checks of check.sh: what tq-capture records of the host beside a GPU

HOST='-t cuda,nvtx,osrt,python-gil,mpi,nccl -s process-tree
	--cpuctxsw process-tree --python-sampling true
	--python-backtrace cuda,nvtx,osrt --cudabacktrace all
	--counters gpu,cpu,io,net'

# capture_host [OPTION ...] PROGRAM [ARGUMENT ...]: with all of it
capture_host()
{
	# shellcheck disable=SC2086 # these are words
	capture $HOST "$@"
}

# keep_stream NAME: the stream, to be looked at later
keep_stream()
{
	gzip -c "$out" >"$work/$1.tq.gz"
}

# A machine with much to do may take a sample too few.
nothing_lost()
{
	is "$1, lost" 0 "$(count "r['kind'] == 'lost' and
	    r['what'] not in ('sample', 'samples')")"
}

check_environment()
{
	tq-capture status --environment | while read -r line; do
		say "measured: $line"
	done
}

# With samples of the kernel, and with those of timers in the program.
check_everything()
{
	for UNDER in '' "$BUILD/capture/stand-in/spin deny"; do
		how=${UNDER:+, timers}
		[ -z "$how" ] || $UNDER true 2>/dev/null || continue
		capture_host "$programs/storm" -n "$LAUNCHES" -s 16
		is "all of the host$how, status" 0 "$status"
		same "all of the host$how" kernel
		nothing_lost "all of the host$how"
		capture_host "$programs/risks" threads 16 500
		same "all of the host$how, 16 threads" kernel
		nothing_lost "all of the host$how, 16 threads"
		capture_host "$programs/copies" 20
		same "all of the host$how, copies" memset
	done
	UNDER=
	capture_host "$programs/storm" -n 5000 -k
	say "measured: killed under all of the host: $(kernels)" \
	    "of $(did kernel) kernels"
}

check_counters()
{
	# shellcheck disable=SC2016 # the inner shell is to expand it
	capture --counters gpu:20 sh -c '"$1" -n 60 -w 50000000; sleep 1' \
	    sh "$programs/storm"
	[ -n "$FAKE" ] ||
	    within "SM utilization, %" 50 100 "$(most 'SM utilization')"
	within "memory used, bytes" 1e8 1e12 "$(most 'memory used')"
	within "power, W" 20 2000 "$(most power)"
	within "SM clock, MHz" 100 5000 "$(most 'SM clock')"
	is "kernels of a device without counters" 0 "$(count "r['kind'] ==
	    'kernel' and r['device'] not in
	    [c.get('device') for c in kind('counter')]")"
}

# most NAME: the highest value of that counter
most()
{
	ask "max(counter('$1'))"
}

check_keep()
{
	capture --keep 1s "$programs/risks" steps 60 50
	within "kept for 1 s, kernels each 50 ms" 5 25 "$(kernels)"
	is "kept for 1 s, calls of kernels that are not there" 0 "$(count \
	    "r['kind'] == 'kernel' and r['corr'] not in
	    [a.get('corr') for a in kind('api')]")"
	nothing_lost "kept for 1 s"
}

# CUPTI that begins late, in a program that runs already
check_attach()
{
	"$programs/risks" steps 120 25 >"$said" &
	pid=$!
	sleep 2
	rm -f "$out"
	tq-capture -q --attach "$pid" -t cuda -d 0.8 -o "$out" ||
	    fail "attach: tq-capture exited $?"
	status=0
	wait "$pid" || status=$?
	is "attach, status of the program" 0 "$status"
	[ -e "$out" ] || return 0
	within "attach, kernels each 25 ms in 0.8 s" 10 40 "$(kernels)"
	tq-correlate "$out" >"$work/correlated.tq"
	is "attach, kernels without a call" 0 "$(ask "len([r for r in
	    kind('kernel') if 'api_ts' not in r])" "$work/correlated.tq")"
}

# The same of PyTorch, with samples of its Python.
check_attach_torch()
{
	has_torch || return 0
	python3 "$here/torch_launch.py" 1000000 >"$said" &
	pid=$!
	sleep 6
	rm -f "$out"
	tq-capture -q --attach "$pid" -t cuda --python-sampling true -d 1 \
	    -o "$out" || fail "attach to PyTorch: tq-capture exited $?"
	status=0
	wait "$pid" || status=$?
	is "attach to PyTorch, its status" 0 "$status"
	[ -e "$out" ] || return 0
	within "attach to PyTorch, kernels in 1 s" 1000 1000000 "$(kernels)"
	nothing_lost "attach to PyTorch"
	within "attach to PyTorch, samples of main" 100 1100 "$(count \
	    "r['kind'] == 'sample' and 'main (torch_launch.py' in
	    str(frames(r))")"
}

# ---- Python ----

# stackless KIND: how many correlated records of that kind have no stack of
# Python
stackless()
{
	ask "len([r for r in kind('$1') if not frames(r)])" \
	    "$work/correlated.tq"
}

check_python_stacks()
{
	has_torch || return 0
	capture --python-backtrace cuda,nvtx python3 "$here/torch_steps.py"
	keep_stream steps
	tq-correlate "$out" >"$work/correlated.tq"
	line=$(grep -n 'torch.relu' "$here/torch_steps.py" | cut -d: -f1)
	is "Python stacks, kernels of their line" "$(did kernel)" "$(ask \
	    "len([r for r in kind('kernel')
	    if 'steps (torch_steps.py:$line)' in frames(r)])" \
	    "$work/correlated.tq")"
	is "Python stacks, ranges without one" 0 "$(stackless range)"
}

# A data loader with a worker, forward and backward, with all that there is.
check_train()
{
	has_torch || return 0
	UNDER="$BUILD/capture/stand-in/spin deny"
	capture_host python3 "$here/torch_train.py" 10 5
	UNDER=
	is "training, timers, status" 0 "$status"
	nothing_lost "training, timers"
	capture_host --pytorch autograd-nvtx,functions-trace \
	    python3 "$here/torch_train.py" 40 5
	keep_stream train
	is "training, status" 0 "$status"
	is "training, steps" "$(did range)" \
	    "$(count "r['kind'] == 'range' and r['name'].startswith('step ')")"
	nothing_lost training
	tq-correlate --path "$out" >"$work/correlated.tq"
	is "training, kernels without a line of Python" 0 "$(stackless kernel)"
	within "training, kernels of backward with the line of forward" 120 1000 \
	    "$(ask "len([r for r in kind('kernel') if
	    'Backward' in str(r.get('path')) and
	    'loss_of (torch_train.py' in str(frames(r))])" \
	    "$work/correlated.tq")"
	line=$(grep -n 'return os.read' "$here/torch_train.py" | cut -d: -f1)
	within "training, reads of the worker with file and line" 80 160 "$(count \
	    "r['kind'] == 'osrt' and r.get('file', '').endswith('/shard-0.bin')
	    and 'read_sample (torch_train.py:$line)' in str(frames(r))")"
	tq-advise -v "$work/correlated.tq" >"$work/advice"
	is "training, advice says that the device waits for data" 1 \
	    "$(grep -c '^          data-loading: ' "$work/advice")"
}

check_nccl()
{
	has_torch || return 0
	rm -f "$work/rendezvous"
	# shellcheck disable=SC2016 # the inner shell is to expand it
	capture -t cuda,nvtx,nccl timeout 60 sh -c '
		python3 "$1" 0 "$2" & python3 "$1" 1 "$2"; s=$?; wait; exit $s' \
	    sh "$here/torch_nccl.py" "$work/rendezvous"
	keep_stream nccl
	is "NCCL, status" 0 "$status"
	for name in ncclAllReduce ncclBroadcast ncclAllGather; do
		is "NCCL, $name" "$(did rounds)" "$(count \
		    "r.get('name') == '$name' and r.get('api') == 'nccl' and
		    r['args']['class'] == 'collective'")"
	done
	for name in ncclSend ncclRecv; do
		is "NCCL, $name" "$(($(did rounds) / 2))" "$(count \
		    "r.get('name') == '$name' and r.get('api') == 'nccl' and
		    r['args']['class'] == 'p2p'")"
	done
	nothing_lost NCCL
}

# ---- cost ----

measure_host_cost()
{
	base=${base:-$(launch_ns without)}
	for mode in osrt samples stacks host; do
		ns=$(launch_ns $mode)
		say "measured: ns of a launch, $mode: $ns, $(awk \
		    -v a="$base" -v b="$ns" 'BEGIN { printf "%+.0f", b - a }')"
	done
	has_torch || return 0
	for options in - '-q' '-q --python-backtrace cuda' \
	    '-q --python-backtrace cuda --cudabacktrace all:1s'; do
		prefix="tq-capture -o $out $options"
		[ "$options" != - ] || prefix=
		for _ in 1 2 3; do
			# shellcheck disable=SC2086 # these are words
			$prefix python3 "$here/torch_launch.py" "$LAUNCHES"
		done >"$work/rounds"
		say "measured: ns of a launch of PyTorch, $options:" \
		    "$(ask "min([r['launch_ns'] for r in all])" "$work/rounds")"
	done
}
