#!/usr/bin/env bats
# tq-advise -r: the expert rules of nsys analyze 2023.4.4, byte for byte.
#
# nsys joins a call and its copy by the correlation id alone.  Of the synthetic
# export c, whose two processes use the same ids, tq-advise has the rows of the
# right join.

load helper

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# ---- helpers ----

# advise NAME RULE: the csv of an export
advise() {
	tq-advise -f csv -r "$2" "$(correlated "$1")"
}

# the files of an export, as rule and arguments
SYNC="cuda_api_sync cuda_api_sync:rows=5 cuda_api_sync:rows=-1"
GAPS="gpu_gaps gpu_gaps:gap=1 gpu_gaps:gap=1:rows=-1"
USE="gpu_time_util gpu_time_util:chunks=7 gpu_time_util:chunks=1000:rows=-1
	gpu_time_util:threshold=101:rows=-1"
COPIES="cuda_memcpy_async cuda_memcpy_async:rows=-1 cuda_memcpy_sync
	cuda_memcpy_sync:rows=-1"

# goldens NAME RULE ...: compare with the files of nsys
goldens() {
	local name=$1 rule file status=0

	data nsys/golden/nsys-2023.4.4
	case $name in
	synthetic/*) data=$data/synthetic/analyze/${name#*/} ;;
	*) data=$data/$name/analyze ;;
	esac
	for rule in "${@:2}"; do
		file=${rule//:/_}
		advise "$name" "$rule" > ours || return 1
		cmp ours "$data/${file//=/_}.csv" || {
			echo "$name $rule"
			diff ours "$data/${file//=/_}.csv" | head
			status=1
		}
	done
	return $status
}

# ---- nsys ----

@test "2021-sched-sampling: 10 tables are those of nsys" {
	# shellcheck disable=SC2086 # a rule each
	goldens 2021-sched-sampling $SYNC $GAPS $USE
}

@test "2021.2.1-osrt-callchains: 10 tables are those of nsys" {
	# shellcheck disable=SC2086 # a rule each
	goldens 2021.2.1-osrt-callchains $SYNC $GAPS $USE
}

@test "2022.2.1-nonlazy-mpi: 10 tables are those of nsys" {
	# shellcheck disable=SC2086 # a rule each
	goldens 2022.2.1-nonlazy-mpi $SYNC $GAPS $USE
}

@test "2023.1.2-julia: 10 tables are those of nsys" {
	# shellcheck disable=SC2086 # a rule each
	goldens 2023.1.2-julia $SYNC $GAPS $USE
}

@test "2024.5.1-cloverleaf: 14 tables are those of nsys" {
	# shellcheck disable=SC2086 # a rule each
	goldens 2024.5.1-cloverleaf $SYNC $GAPS $USE $COPIES
}

@test "2024.6.2-cuda-graphs: 10 tables are those of nsys" {
	# shellcheck disable=SC2086 # a rule each
	goldens 2024.6.2-cuda-graphs $SYNC $GAPS $USE
}

@test "2024.6.2-nvfuser: 15 tables are those of nsys" {
	# shellcheck disable=SC2086 # a rule each
	goldens 2024.6.2-nvfuser $SYNC $GAPS $USE $COPIES cuda_memset_sync
}

@test "2024.6.2-nvfuser-h200-a: 15 tables are those of nsys" {
	# shellcheck disable=SC2086 # a rule each
	goldens 2024.6.2-nvfuser-h200-a $SYNC $GAPS $USE $COPIES \
	    cuda_memset_sync
}

@test "2024.6.2-nvfuser-h200-b: 15 tables are those of nsys" {
	# shellcheck disable=SC2086 # a rule each
	goldens 2024.6.2-nvfuser-h200-b $SYNC $GAPS $USE $COPIES \
	    cuda_memset_sync
}

@test "2024.6.2-torch-2.7b: 14 tables are those of nsys" {
	# shellcheck disable=SC2086 # a rule each
	goldens 2024.6.2-torch-2.7b $SYNC $GAPS $USE $COPIES
}

@test "2025.3.1-cupy-nvtx: 14 tables are those of nsys" {
	# shellcheck disable=SC2086 # a rule each
	goldens 2025.3.1-cupy-nvtx $SYNC $GAPS $USE $COPIES
}

@test "2025.5.1-osrt-files: 11 tables are those of nsys" {
	# shellcheck disable=SC2086 # a rule each
	goldens 2025.5.1-osrt-files $SYNC $GAPS $USE cuda_memset_sync
}

@test "2026.1.1-vectoradd: 14 tables are those of nsys" {
	# shellcheck disable=SC2086 # a rule each
	goldens 2026.1.1-vectoradd $SYNC $GAPS $USE $COPIES
}

@test "2026.2.1-h100-2gpu: 15 tables are those of nsys" {
	# shellcheck disable=SC2086 # a rule each
	goldens 2026.2.1-h100-2gpu $SYNC $GAPS $USE $COPIES \
	    cuda_memset_sync
}

@test "2026.2.1-mfu-2gpu: 15 tables are those of nsys" {
	# shellcheck disable=SC2086 # a rule each
	goldens 2026.2.1-mfu-2gpu $SYNC $GAPS $USE $COPIES cuda_memset_sync
}

@test "synthetic/a: 14 tables are those of nsys" {
	# shellcheck disable=SC2086 # a rule each
	goldens synthetic/a $SYNC $GAPS $USE $COPIES
}

@test "synthetic/b: 14 tables are those of nsys" {
	# shellcheck disable=SC2086 # a rule each
	goldens synthetic/b $SYNC $GAPS $USE $COPIES
}

@test "synthetic/c: 10 tables are those of nsys" {
	# shellcheck disable=SC2086 # a rule each
	goldens synthetic/c $SYNC $GAPS $USE
}

@test "synthetic/rules: 10 tables are those of nsys" {
	# shellcheck disable=SC2086 # a rule each
	goldens synthetic/rules cuda_api_sync cuda_memcpy_async \
	    cuda_memcpy_sync cuda_memset_sync gpu_gaps gpu_gaps:gap=100 \
	    gpu_time_util gpu_time_util:chunks=10 \
	    gpu_time_util:chunks=1000:rows=-1 \
	    gpu_time_util:threshold=101:rows=-1
}

# ---- what is better ----

@test "a copy belongs to the call of its own process" {
	data nsys/golden/nsys-2023.4.4
	[[ -z $(advise synthetic/c cuda_memcpy_async) ]]
	[[ $(advise synthetic/c cuda_memcpy_sync | tail -n +2 | cut -d, -f2 | xargs) = \
	    "1030 30" ]]
}

@test "a name of nsys is all its rules, and takes their arguments" {
	stream '{"kind":"kernel","ts":5,"dur":10,"pid":1,"device":0}' \
	    '{"kind":"kernel","ts":3000015,"dur":10,"pid":1,"device":0}' > in.tq
	[[ $(tq-advise -f csv -r nsys:gap=2 in.tq | head -n 2) = \
	    $'Row#,Duration (ns),Start (ns),PID,Device ID,Context ID\n1,3000000,15,1,0,' ]]
	[[ $(tq-advise -f json1 -r gpu_gaps:gap=2 in.tq | jq -c '.[]') = \
	    '{"rule":"gpu_gaps","Row#":1,"Duration (ns)":3000000,"Start (ns)":15,"PID":1,"Device ID":0,"Context ID":null}' ]]
	[[ $(tq-advise -f json1 -r gpu_gaps in.tq | jq -c .) = '[]' ]]
	tq-advise -f markdown -r gpu_gaps:gap=2 in.tq | grep -F '| 1 | 3000000 | 15 | 1 | 0 |'
	tq-advise -r gpu_gaps in.tq | grep 'nothing found'
}

@test "rules and arguments that nsys does not have are refused" {
	run -2 tq-advise -r gpu_gap
	[[ $output = "tq-advise: no rule of nsys is named 'gpu_gap': did you mean gpu_gaps?" ]]
	run -2 tq-advise -r gpu_gaps:chunks=3
	[[ $output = "tq-advise: gpu_gaps takes no argument 'chunks=3', but rows gap" ]]
	run -2 tq-advise -r gpu_gaps:gap
	[[ $output = "tq-advise: expected an argument like rows=5, not 'gap'" ]]
	run -2 tq-advise -r gpu_time_util:chunks=0
	[[ $output = "tq-advise: chunks: expected a number from 1, not '0'" ]]
}

@test "a copy between host and device is a row, whatever devices it says" {
	awk 'BEGIN {
		split("HtoD DtoH DtoD PtoP", copy)
		for (i in copy) {
			printf "{\"kind\":\"api\",\"ts\":%d,\"dur\":50,\"pid\":1,\"tid\":1,\"corr\":%d,\"name\":\"cudaMemcpy\"}\n", i * 1000, i
			printf "{\"kind\":\"memcpy\",\"ts\":%d,\"dur\":5,\"pid\":1,\"corr\":%d,\"device\":0,\"bytes\":70000,\"copy\":\"%s\",\"src_device\":0,\"dst_device\":0}\n", i * 1000 + 9, i, copy[i]
		}
	}' | sort -t: -k3n | stream > copies.tq
	[[ $(tq-advise -r cuda_memcpy_sync -f ndjson copies.tq |
	    jq .start_ns | sort -n | xargs) = "1009 2009" ]]
}
