#!/usr/bin/env bats
# What viewers make of the traces that tq-chrome draws of real exports, and both
# tools of recordings of PyTorch and of AMD
#
# The viewers are not part of this project.  They are used where they are:
#
#	VIEW		scripts that load a trace: tp.mjs and catapult.mjs
#			(default: ../shared/tools/view)
#	TP_DIR		Perfetto's trace processor
#	CATAPULT	the viewer of chrome://tracing
#	NODE_MODULES	where node finds playwright-core (default: beside
#			CATAPULT); it needs chromium

load helper

# what is asked of Perfetto, once for each trace; each row says what it is
asked=(
    "SELECT 'count' what, (SELECT count(*) FROM slice) slices,
	(SELECT count(*) FROM flow) arrows"
    "SELECT 'depth' what, coalesce(max(depth), 0) depth FROM slice
	JOIN thread_track ON track_id = thread_track.id
	JOIN thread USING (utid) WHERE thread.name GLOB 'stream *'"
    "SELECT 'wrong' what, count(*) arrows FROM flow
	JOIN slice s ON s.id = slice_out
	JOIN slice f ON f.id = slice_in
	JOIN thread_track t ON t.id = s.track_id
	JOIN thread USING (utid) JOIN process USING (upid)
	WHERE extract_arg(s.arg_set_id, 'args.correlation')
	    IS NOT extract_arg(f.arg_set_id, 'args.correlation')
	OR process.pid IS NOT
	    coalesce(extract_arg(f.arg_set_id, 'args.pid'), process.pid)
	OR s.ts > f.ts OR f.category NOT IN ('kernel', 'graph',
	    'gpu_memcpy', 'gpu_memset')"
    "SELECT 'time' what, CASE WHEN category IN ('kernel', 'osrt', 'overhead',
	    'user_annotation', 'gpu_user_annotation')
	THEN category ELSE 'api' END kind, name, count(*) n, sum(dur) sum
	FROM slice WHERE category NOT IN ('gpu_memcpy', 'gpu_memset', 'graph',
	    'cuda_sync', 'sched', 'sample', 'mark', 'alloc', 'diagnostic',
	    'lost')
	AND name != '(no name)'
	AND extract_arg(arg_set_id, 'args.open') IS NULL GROUP BY 2, 3"
)

setup_file() {
	local name in

	has Perfetto || has chrome://tracing || return 0
	cd "$BATS_FILE_TMPDIR"
	for name in "${COSTLY[@]}"; do
		in=$(correlated "$name")
		name=${name##*/}
		ln -s "$in" "$name.tq"
		tq-chrome -o "$name.json" "$in" 2> "$name.err"
		if has Perfetto; then
			node "$VIEW/tp.mjs" --check "$name.json" "${asked[@]}" \
			    > "$name.perfetto" 2> "$name.refused" || true
		fi
	done
}

setup() {
	need data
	cd "$BATS_FILE_TMPDIR"
	exports=("${COSTLY[@]##*/}")
}

# answer NAME WHAT: what Perfetto said to one of the questions
answer() {
	if [[ -s $1.refused ]]; then
		echo "$1: $(cat "$1.refused")"
		return 1
	fi >&2
	jq -c "select(.what == \"$2\") | del(.what) | [.[]]" "$1.perfetto"
}

# summary NAME FIELD: a number of the summary
summary() {
	sed -n "s/^tq-chrome: .* \([0-9]*\) $2.*/\1/p" "$1.err"
}

# the same VALUE VALUE WHAT
same() {
	[[ $1 = "$2" ]] || {
		echo "$3: $1, not $2"
		return 1
	}
}

@test "Perfetto imports all without an error, as many slices and arrows as drawn" {
	need Perfetto
	for name in "${exports[@]}"; do
		same "$(answer "$name" count)" \
		    "[$(summary "$name" slices),$(summary "$name" arrows)]" \
		    "$name"
	done
}

@test "Perfetto sees the time that each name took, to the nanosecond" {
	need Perfetto
	for name in "${exports[@]}"; do
		oracle drawn times "$name.tq" | sort > expect
		answer "$name" time | sort > got
		diff expect got > difference || {
			echo "$name:"
			head -n 20 difference
			return 1
		}
	done
}

@test "Perfetto sees nothing inside of anything on a stream" {
	need Perfetto
	for name in "${exports[@]}"; do
		same "$(answer "$name" depth)" '[0]' "$name"
	done
}

@test "Perfetto sees each arrow lead from its call to its operation" {
	need Perfetto
	for name in "${exports[@]}"; do
		same "$(answer "$name" wrong)" '[0]' "$name"
	done
}

@test "chrome://tracing imports all without a warning, and binds each arrow" {
	need chrome://tracing
	# node looks for modules beside the script only
	cp "$VIEW/catapult.mjs" .
	ln -sfn "$(cd "$NODE_MODULES" && pwd)" node_modules
	for name in "${exports[@]}"; do
		slices=$(summary "$name" slices)
		((slices > 0)) || continue
		node catapult.mjs "$name.json" > got || {
			echo "$name:"
			jq -c '[.fail, .warnings, .pageErrors]' got
			return 1
		}
		arrows=$(summary "$name" arrows)
		same "$(jq -c '[([.procs[].threads[].slices] | add), .flows,
		    .flowsBound]' got)" "[$slices,$arrows,$arrows]" "$name"
	done
}

# ---- PyTorch and AMD ----

# arrows between ranges; frames of Python that cross a step; AMD's copies, marks
# and counters
RECORDINGS=(kineto/torch-2.4-nccl-ddp.json kineto/rocm6.2-mi250-steps.json
	kineto/hta-critical-path-overlay.json
	kineto/cuda12.4-h100-qwen-stacks-memory.json rocpd/synthetic-full.db)

# recording NAME: the path of its stream
recording() {
	made "$1.tq" write_recording "$DATA/$1.zst"
}

write_recording() {
	if [[ $1 = *.db.zst ]]; then
		zstd -dcq "$1" > recording.db
		set -- recording.db "$2"
	fi
	tq-extract -o "$2" "$1" 2> /dev/null
}

# what a stream asks a viewer to draw: slices, and the arrows from forward to
# backward operators
wanted='[inputs | select(.ts)] | (map(.ts) | min) as $first
    | (map(select(.kind | IN("counter", "flow") | not)) | length),
    (map(select(.category == "fwdbwd")) | group_by(.flow)
	| map(sort_by(.ts) | map(.ts - $first)) | sort)'

# what Perfetto has; arrows of calls are none between ranges
seen=("SELECT count(*) n, (SELECT count(*) FROM flow) arrows FROM slice"
    "SELECT s.ts - trace_start() a, f.ts - trace_start() b FROM flow
	JOIN slice s ON s.id = slice_out JOIN slice f ON f.id = slice_in
	WHERE s.category = 'user_annotation' AND f.category = s.category
	ORDER BY 1, 2")

@test "recordings of PyTorch and AMD are drawn whole, and imported without an error" {
	need Perfetto
	for name in "${RECORDINGS[@]}"; do
		data "$name.zst"
		in=$(recording "$name")
		jq -nc "$wanted" "$in" > expect
		for tool in chrome perfetto; do
			"tq-$tool" -o drawn "$in" 2> err
			[[ $(wc -l < err) == 1 ]] # no warning
			node "$VIEW/tp.mjs" --check drawn "${seen[@]}" > all
			arrows=$(sed -n 's/.* \([0-9]*\) arrows.*/\1/p' err)
			same "$(jq 'select(.n) | .arrows' all)" "$arrows" "$name"
			jq -sc '.[0].n, (.[1:] | map([.a, .b]))' all > got
			[[ $name = *overlay* ]] || diff expect got
		done
	done
}
