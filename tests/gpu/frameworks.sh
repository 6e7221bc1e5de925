# shellcheck shell=sh disable=SC2154 # check.sh, which reads this, sets them
# frameworks.sh - checks of check.sh: what frameworks of Python launch, by their
# own count or by that of torch.profiler, and programs that do not end well

# in_window KIND: how many records of that kind began in the time that the
# program tells
in_window()
{
	ask "len([r for r in kind('$1') if $(did begin) <= r['ts'] +
	    int(kind('trace')[0]['origin_utc_ns']) < $(did end)])"
}

# ns_in_window KIND: how long they took together
ns_in_window()
{
	ask "sum([r['dur'] for r in kind('$1') if $(did begin) <= r['ts'] +
	    int(kind('trace')[0]['origin_utc_ns']) < $(did end)])"
}

# has MODULE
has()
{
	python3 -c "import $1" 2>/dev/null
}

# ---- programs in C ----

check_memory()
{
	[ -z "$FAKE" ] || return 0
	capture --cuda-memory "$programs/memory" 50
	keep_stream memory
	for op in alloc free; do
		is "memory, $op" "$(did $op)" "$(count "r['kind'] == 'alloc' and
		    r['op'] == '$op' and r.get('bytes') == 1 << 20")"
	done
	same memory memcpy
	nothing_lost memory
}

# The standard output is in order, whatever else the machine does.
check_order()
{
	for _ in $(seq "${ORDERS:-10}"); do
		# shellcheck disable=SC2016 # the inner shell is to expand it
		tq-capture -q -t cuda,nvtx,osrt sh -c '
			for i in 1 2 3 4; do "$1" threads 8 200 & done; wait' \
		    sh "$programs/risks" >"$out" 2>"$work/err"
		ask "len([r for r in kind('kernel')]) * 2 +
		    ([r['ts'] for r in all if 'ts' in r] ==
		    sorted([r['ts'] for r in all if 'ts' in r]))"
	done | sort | uniq -c >"$work/orders"
	is "standard output in order, of 4 processes with 8 threads" \
	    "${ORDERS:-10} $((4 * 8 * 200 * 2 + 1))" \
	    "$(sed 's/^ *//' "$work/orders")"
}

check_limits()
{
	for how in drop block spill; do
		capture --buffer 256KiB --on-full "$how" \
		    "$programs/storm" -n 100000
		say "measured: 256 KiB, $how: $(kernels) of $(did kernel)" \
		    "kernels, $(ask "kind('end')[0]['dropped']") lost"
	done
	capture -y 1 -d 1 "$programs/risks" steps 120 25
	within "-y 1 -d 1, kernels each 25 ms" 20 40 "$(kernels)"
	nothing_lost "-y 1 -d 1"
}

# ---- frameworks ----

check_launches()
{
	for framework in torch triton cupy numba; do
		has "$framework" || continue
		capture python3 "$here/launches.py" "$framework" 1000
		keep_stream "$framework"
		is "$framework, kernels" "$(did kernel)" "$(in_window kernel)"
		nothing_lost "$framework"
	done
	has jax || return 0
	for calls in 500 1000; do
		capture --cuda-graph node python3 "$here/launches.py" jax "$calls"
		is "jax, kernels that not each of $calls calls has" 0 \
		    "$(($(in_window kernel) % calls))"
		within "jax, kernels of a call" 1 20 \
		    "$(($(in_window kernel) / calls))"
		nothing_lost jax
	done
	keep_stream jax
}

# model HOW [OPTION ...]: 30 steps with the counts and times of torch.profiler
model()
{
	how=$1
	shift
	what="transformer${how:+, $how}"
	# shellcheck disable=SC2086 # no word if it is empty
	python3 "$here/torch_model.py" 30 $how profile >"$work/profiled" \
	    2>"$work/err" || fail "$what: torch.profiler exited $?"
	# shellcheck disable=SC2086 # no word if it is empty
	capture "$@" python3 "$here/torch_model.py" 30 $how
	keep_stream "model${how:+-$how}"
	for made in kernel memcpy memset; do
		is "$what, $made, as torch.profiler" \
		    "$(ask "all[0]['$made']" "$work/profiled")" \
		    "$(in_window "$made")"
	done
	within "$what, ns of kernels, times what torch.profiler says" 0.9 1.1 \
	    "$(ask "$(ns_in_window kernel) / all[0]['kernel_ns']" \
	    "$work/profiled")"
	nothing_lost "$what"
}

check_model()
{
	has_torch || return 0
	model ""
	model graph --cuda-graph node
	model compile
	capture python3 "$here/torch_model.py" 30 graph
	is "transformer, graphs as a whole" 30 "$(in_window graph)"
}

# ---- programs that do not end well ----

check_workers()
{
	has_torch || return 0
	for how in killed exits; do
		capture -t cuda,nvtx python3 "$here/torch_workers.py" "$how" 4 \
		    1000
		keep_stream "$how"
		same "workers, $how" kernel
		nothing_lost "workers, $how"
		is "workers, $how, whole" 1 "$(count "r['kind'] == 'end'")"
	done
	capture python3 -m torch.distributed.run --standalone \
	    --nproc-per-node 2 "$here/torch_workers.py" rank 1000 2>"$work/err"
	keep_stream torchrun
	is "torchrun with a rank that fails, status" 1 "$status"
	same "torchrun" kernel
	nothing_lost torchrun
	is "torchrun, whole" 1 "$(count "r['kind'] == 'end'")"
}

# hang HOW FUNCTION
hang()
{
	capture -t cuda,nvtx,osrt --python-backtrace cuda,osrt -d 15 \
	    --kill sigkill --wait primary python3 "$here/torch_hang.py" "$1"
	keep_stream "hang-$1"
	within "hang in a $1, open calls with their line" 1 99 "$(count \
	    "r.get('open') and any(['$2 (torch_hang.py:' in f
	    for f in frames(r)])")"
	tq-correlate "$out" | tq-advise -v >"$work/advice-$1" || :
	is "hang in a $1, advice" 1 "$(grep -c '^          hang: ' \
	    "$work/advice-$1")"
}

check_hang()
{
	has_torch || return 0
	hang device hang_in_device
	hang queue hang_in_queue
	hang lock wait_for
}

# ---- cost ----

# Runs that take turns, so that all see the same machine.
measure_training()
{
	has_torch || return 0
	for how in "" graph; do
		rm -f "$work"/step-*
		for _ in $(seq "${PAIRS:-3}"); do
			turn=0
			for mode in - -q "-q --cuda-graph node" "-q $HOST"; do
				prefix="tq-capture -o $out $mode"
				[ "$mode" != - ] || prefix=
				# shellcheck disable=SC2086 # these are words
				$prefix python3 "$here/torch_model.py" 200 $how \
				    2>"$work/err" >>"$work/step-$turn"
				turn=$((turn + 1))
			done
		done
		for turn in 0 1 2 3; do
			say "measured: us of a step of the transformer${how:+,}" \
			    "$how, $(echo without, default, node, host |
			    cut -d, -f$((turn + 1))):" "$(ask "[r['step_ns'] //
			    1000 for r in all]" "$work/step-$turn")"
		done
	done
}
