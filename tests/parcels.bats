#!/usr/bin/env bats
# Tools that tq joins hand on parcels, text with outlines of its lines: all that
# is printed is the same as by text alone, TQ_PARCELS=none.

load helper

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# by ROAD COMMAND...: what the command prints, and its status
by() {
	local road=$1 status=0

	shift
	if [[ $road = text ]]; then
		TQ_PARCELS=none "$@" > "$road.out" 2> "$road.err" || status=$?
	else
		"$@" > "$road.out" 2> "$road.err" || status=$?
	fi
	echo "status $status" >> "$road.err"
}

# alike COMMAND...: both roads print the same
alike() {
	by text "$@"
	by parcels "$@"
	cmp text.out parcels.out && cmp text.err parcels.err || {
		echo "$*"
		return 1
	}
}

# works COMMAND...: the same, and the command does what it is asked for
works() {
	alike "$@" && grep -qx 'status 0' parcels.err || {
		cat parcels.err
		return 1
	}
}

# joined OUT IN FILE [OPTION...]: the stream of tq-extract and tq-correlate,
# which are told so
joined() {
	local out=$1 in=$2 file=$3

	shift 3
	TQ_PARCELS=$out tq-extract "$@" "$file" |
	    TQ_PARCELS=${in:+$in,}$out tq-correlate |
	    TQ_PARCELS=$in tq-filter true
}

@test "commands print the same by parcels and by text, of every fixture" {
	local name

	for name in base collide documented documented-old empty extreme graph \
	    hosts missing mpi odd overlap ranges suffix v2020 v2021 v2022 \
	    v2023 v2026; do
		cp "$(fixture "$name")" a.sqlite
		alike tq stats -f html a.sqlite
		alike tq advise a.sqlite
		alike tq filter 'dur >= 0' a.sqlite
		alike tq info a.sqlite
		alike tq view --json -o /dev/fd/1 a.sqlite
	done
	[[ $(cat parcels.err) = *'status 0'* ]]
}

@test "commands print the same by parcels and by text, of other recordings" {
	local name

	for name in rocpd rpd; do
		cp "$(fixture $name)" a.db
		alike tq stats a.db
		alike tq stats -r account a.db
		alike tq view -o /dev/fd/1 a.db
	done
	correlated demo > /dev/null
	cp "$(correlated demo)" a.tq
	alike tq stats a.tq
	alike tq diff a.tq a.tq
	cp "$(demo)" a.sqlite
	cp "$(fixture mpi)" b.sqlite
	alike tq diff a.sqlite b.sqlite
	alike tq stats a.sqlite b.sqlite
}

@test "reports, options and selections are the same by parcels" {
	cp "$(demo)" a.sqlite
	works tq stats -r cuda_gpu_kern_sum,cuda_api_sum,nvtx_sum,gaps_sum a.sqlite
	works tq stats -r cuda_gpu_trace,cuda_kern_exec_trace,nvtx_gpu_proj_trace a.sqlite
	works tq stats -r account,folded,range_self:path a.sqlite
	works tq stats -q --time 0:1ms a.sqlite
	works tq advise -f ndjson a.sqlite
	works tq stats -r cuda_gpu_kern_sum --compat 2024.6 a.sqlite
	works tq filter -v 'kind == "kernel"' a.sqlite
	works tq filter --range AdamW.step a.sqlite
}

@test "every report is the same by parcels" {
	cp "$(demo)" a.sqlite
	tq stats --help-reports | awk '/^  [a-z_]+ / {print $1}' > reports
	[[ $(wc -l < reports) -gt 50 ]]
	while read -r report; do
		alike tq stats -q -r "$report" -f csv a.sqlite
	done < reports
}

@test "the stream is the same, whichever tools are told of parcels" {
	local name

	for name in demo base extreme odd ranges overlap graph; do
		cp "$( ([[ $name = demo ]] && demo) || fixture $name)" a.sqlite
		joined '' '' a.sqlite > text
		joined out in a.sqlite | cmp - text
		joined out in a.sqlite --keys dur,pid,tid,name,corr,stream > some
		joined '' '' a.sqlite --keys dur,pid,tid,name,corr,stream |
		    cmp - some
		tq-extract a.sqlite | TQ_PARCELS=out tq-correlate |
		    TQ_PARCELS=in tq-filter true | cmp - text
	done
	# most lines have outlines: the keys of the first parcel are few
	TQ_PARCELS=out tq-extract "$(demo)" > parcels
	[[ $(head -c 4 parcels | od -An -tx1) = ' 01 74 71 0a' ]]
	[[ $(wc -c < parcels) -gt $(tq-extract "$(demo)" | wc -c) ]]
}

@test "lines of many orders of keys, and fields whose names have escapes" {
	# a reader forgets the order that it saw first
	{
		echo '{"kind":"trace","version":1}'
		printf '{"kind":"api","ts":1,%s}\n' \
		    '"dur":3,"pid":7,"tid":8,"corr":5' \
		    '"dur":3,"pid":7,"tid":8,"corr":5' \
		    '"dur":3,"pid":7,"corr":5,"tid":8' \
		    '"dur":3,"tid":8,"pid":7,"corr":5' \
		    '"dur":3,"tid":8,"corr":5,"pid":7' \
		    '"dur":3,"corr":5,"tid":8,"pid":7'
		echo '{"kind":"end","events":6}'
	} > orders
	tq-correlate orders | tq-filter true > text
	TQ_PARCELS=out tq-correlate orders | TQ_PARCELS=in tq-filter true |
	    cmp - text
	cp "$(fixture base)" a.sqlite
	sqlite3 a.sqlite "
	    CREATE TABLE NVTX_PAYLOAD_SCHEMA_ENTRIES (domainId, schemaId, idx,
		flags, type, name, description, arrayOrUnionDetail, offset);
	    INSERT INTO NVTX_PAYLOAD_SCHEMA_ENTRIES VALUES
		(2, 7, 0, NULL, 19, '\"float', NULL, NULL, NULL);
	    UPDATE NVTX_EVENTS SET binaryData =
		x'0200000000000000070000000000000004000000000000002400000000000000' ||
		x'0000c03f' WHERE start = 5000"
	tq-extract a.sqlite | grep -F '"payload":{"\"float":1.5'
	alike tq filter true a.sqlite
}

@test "real recordings are the same by parcels" {
	local name

	for name in nsys/2021.2.1-osrt-callchains.sqlite \
	    nsys/2022.2.1-nonlazy-mpi.sqlite nsys/2023.1.2-julia.sqlite \
	    nsys/2024.6.2-cuda-graphs.sqlite nsys/2025.5.1-osrt-files.sqlite \
	    nsys/2026.2.1-mfu-2gpu.sqlite \
	    nsys-rep/Butter-gpw-3335bfb2.nsys-rep \
	    kineto/cuda12.9-b200-eager-overhead.json.zst \
	    kineto/torch-2024-cuda-sync.json.zst; do
		data "$name"
		ln -sf "$data" "${name##*/}"
		alike tq stats -f html "${name##*/}"
		alike tq view -o /dev/fd/1 "${name##*/}"
		alike tq filter true "${name##*/}"
	done
}

# large: a stream of some 16 MB
large() {
	echo '{"kind":"trace","version":1,"source":"nsys"}'
	awk 'BEGIN {
	    for (i = 0; i < 60000; i++) {
		printf "{\"kind\":\"api\",\"ts\":%d,\"dur\":900,\"pid\":7,\"tid\":7,\"corr\":%d,\"name\":\"cudaLaunchKernel\"}\n",
		    i * 5000, i
		printf "{\"kind\":\"kernel\",\"ts\":%d,\"dur\":3000,\"pid\":7,\"corr\":%d,\"name\":\"k%d\",\"device\":0,\"stream\":7}\n",
		    i * 5000 + 1000, i, i % 100
		if (i % 1000 == 0) {
			name = sprintf("%300s", "n")
			printf "{\"kind\":\"mark\",\"ts\":%d,\"pid\":7,\"name\":\"%s\\\\\"}\n",
			    i * 5000 + 1500, name
		}
	    }
	    printf "{\"kind\":\"end\",\"events\":%d}\n", 60000 * 2 + 60
	}'
}

@test "memory that is lent to a pipe is not written to before it is read" {
	large > large.tq
	tq-correlate large.tq > text
	[[ $(wc -c < text) -gt 15000000 ]]
	# the reader is slow at first: the pipe is full all the time
	TQ_PARCELS=out tq-correlate large.tq | {
		sleep 0.5
		TQ_PARCELS=in tq-filter true
	} | cmp - text
	TQ_PARCELS=out tq-filter true text | TQ_PARCELS=in,out tq-filter true |
	    TQ_PARCELS=in tq-filter true | cmp - text
	# and where the output is no pipe, as that of the copy of a reader
	TQ_PARCELS=out tq-correlate large.tq > parcels
	TQ_PARCELS=in tq-stats < <(cat parcels) > page
	tq-stats < text | cmp - page
	TQ_PARCELS=in TQ_THREADS=1 tq-stats < <(cat parcels) | cmp - page
}

@test "no user sees a parcel: tools alone and pipes of a shell are text" {
	cp "$(demo)" a.sqlite
	[[ $(tq-extract a.sqlite | head -c 1) = '{' ]]
	[[ $(tq-extract a.sqlite | tq-correlate | head -c 1) = '{' ]]
	[[ $(tq extract a.sqlite | head -c 1) = '{' ]]
	[[ $(tq filter true a.sqlite | head -c 1) = '{' ]]
	[[ $(tq correlate a.sqlite | head -c 1) = '{' ]]
	TQ_PARCELS=out tq-extract -o file a.sqlite
	tq-extract a.sqlite | cmp - file
	TQ_PARCELS=out tq-extract -z a.sqlite | zstd -dc | cmp - file
}

@test "a file that looks like parcels is none" {
	TQ_PARCELS=out tq-extract "$(demo)" > a.tq
	run -1 tq-filter true a.tq
	[[ $output = *'a.tq: is no stream'* ]]
	run -1 env TQ_PARCELS=in tq-filter true a.tq
	[[ $output = *'a.tq: is no stream'* ]]
	run -1 tq-filter true < a.tq
	[[ $output = *'<stdin>: is no stream'* ]]
}

@test "parcels of another version are refused, and torn ones are a stream that ends" {
	local n

	TQ_PARCELS=out tq-extract "$(demo)" > a
	# the number of the kinds and keys
	{
		head -c 4 a
		printf 'abcd'
		tail -c +9 a
	} > b
	run -1 sh -c 'cat b | TQ_PARCELS=in tq-filter true'
	[[ $output = *'comes from another version of tq'* ]]
	for n in 3 10 100 2000 9000; do
		run -1 sh -c "head -c $n a | TQ_PARCELS=in tq-stats"
		[[ $output = *'stdin>'* ]]
	done
}

@test "a reader that leaves ends the stages, and a bad recording is told once" {
	cp "$(demo)" a.sqlite
	run -0 bash -c 'tq filter true a.sqlite 2> messages | head -n 1'
	[[ $output = '{"kind":"trace"'* && ! -s messages ]]
	head -c 30000 a.sqlite > b.sqlite
	alike tq stats b.sqlite
	alike tq view --json -o /dev/fd/1 b.sqlite
	alike tq filter true nothing.sqlite
}
