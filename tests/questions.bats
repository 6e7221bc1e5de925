#!/usr/bin/env bats
# Fourteen questions about recordings: at most two commands answer each, with
# at most 4 kB of output each

load helper

setup() {
	need data
	asked=0
}

# of FILE: its path among the real data; the test is skipped without it.
of() {
	data "$1"
	file=$data
}

# ask COMMAND ...: run it; its output, which is short, is in $output.
ask() {
	asked=$((asked + 1))
	[ "$asked" -le 2 ]
	run --separate-stderr "$@"
	[ "$status" -eq 0 ]
	[ "${#output}" -le 4096 ] ||
	    { echo "${#output} bytes: $*" >&2; return 1; }
}

# says TEXT ...: the output has each of these.
says() {
	local text

	for text; do
		[[ "$output" = *"$text"* ]] ||
		    { printf 'no %s in:\n%s\n' "$text" "$output" >&2; return 1; }
	done
}

# row PATTERN ...: a line of the output matches all of these expressions.
row() {
	local lines=$output pattern

	for pattern; do
		lines=$(grep -E -- "$pattern" <<< "$lines") ||
		    { printf 'no row %s in:\n%s\n' "$*" "$output" >&2
		      return 1; }
	done
}

@test "1: which kernel takes most of the time of the devices?" {
	of nsys/2026.2.1-mfu-2gpu.sqlite
	ask tq stats -r cuda_gpu_kern_sum:base --top 3 --timeunit ms "$file"
	row '^ +50\.9 +272\.317' 'flash_fwd_kernel$'
}

@test "2: how much of the time are devices idle, and what is the longest gap?" {
	of nsys/2026.2.1-mfu-2gpu.sqlite
	ask tq stats -r device_time,gaps -f csv --plain-keys --top 2 "$file"
	row '^144,0,299986072,.*,26168285,91\.3,.*,8\.7$'
	row '^145,1,299986072,.*,32710156,89\.1,.*,10\.9$'
	row '^60401707567,4492845,4477424,.*,144,0,host,' \
	    ',aten::native_layer_norm,4454995,15421,4477424$'
}

@test "3: how long did NCCL run, and what of it was hidden?" {
	of nsys/2026.2.1-mfu-2gpu.sqlite
	ask tq stats -r overlap --timeunit ms "$file"
	row '^ 145 +1 +8\.229[0-9]* +0\.0000 +8\.229'
	row '^ 144 +0 +17\.172[0-9]* +0\.0000 +17\.172'
}

@test "4: which operators launched the time of the devices?" {
	of nsys/2026.2.1-mfu-2gpu.sqlite
	ask tq stats -r range_self:folded --timeunit ms --top 12 "$file"
	row ' 69\.8691 ' 'aten::copy_$'
	row ' 57\.8073 ' 'aten::addmm$'
	row ' 42\.9790 ' 'aten::mul$'
}

@test "5: how much was copied to the devices, how fast, and who waited?" {
	of nsys/2026.2.1-h100-2gpu.sqlite
	ask tq stats -r memory,cuda_gpu_mem_size_sum -f ndjson "$file"
	row '"HtoD"' '"Pinned"' 50950504448 1841627438 27666021583
	row 50950507584 Host-to-Device
	ask tq stats -r cuda_api_sum,cuda_gpu_mem_time_sum --timeunit ms \
	    --top 3 "$file"
	row ' 856\.92' 'cudaStreamSynchronize$'
	row ' 1841\.63' ' 450 ' 'Host-to-Device\]$'
}

@test "6: what do calls, waits and copies take, and what could run beside copies?" {
	of nsys/2026.2.1-h100-2gpu.sqlite
	ask tq stats -r sync_sum,group -g device,copy --timeunit ms "$file"
	row '^ +8 +856\.92' ' stream +cudaStreamSynchronize '
	row '^ +0 ' ' device *$'
	row '^ +0 ' ' event *$'
	row ' 920\.8728 ' ' 0 +HtoD$'
	ask tq advise "$file"
	says '969 ms of 2 devices, whose shares are not proved' 'of 3,346 launches'
}

@test "7: what do the steps of training take, and what of it is communication?" {
	of kineto/torch-2.4-nccl-ddp.json.zst
	ask tq stats -r step -f csv --timeunit ms "$file"
	row '^0,ProfilerStep#4,.*,38\.5064,10\.1638,.*,222\.4422$'
	row '^1,ProfilerStep#5,.*,38\.4294,10\.5396,.*,219\.7269$'
	row '^2,ProfilerStep#6,.*,38\.7200,18\.8561,.*,224\.9362$'
}

@test "8: which operator costs the host most?" {
	of kineto/torch-2.4-nccl-ddp.json.zst
	ask tq stats -r torch_ops --sort 'Self CPU (ns)' --top 6 "$file"
	row 'aten::empty ' ' 52054373 ' ' 1590( |$)'
}

@test "9: what is slower in the second of two recordings, and what faster?" {
	of nsys/2024.6.2-nvfuser-h200-a.sqlite
	local first=$file

	of nsys/2024.6.2-nvfuser-h200-b.sqlite
	ask tq diff "$first" "$file"
	says 'one recording a side'
	row '\+49\.[89]' 'NVRTC'
	row ' 132\.511 +124\.702 ' 'nvfuser_none_f0'
}

@test "10: what would the loop gain without its input and output?" {
	of nsys/2025.3.1-cupy-nvtx.sqlite
	ask tq stats -r nvtx_sum:folded --timeunit ms --top 4 "$file"
	row ' 644\.2' 'IO \*$'
	row ' 1787\.80' 'Loop$'
	ask tq stats -r gaps_sum -f csv --timeunit ms "$file"
	row '^9946,0,host,89,652\.6247,36\.0,.*,IO \*,627\.37'
}

@test "11: which MPI calls take the time?" {
	of nsys/2022.2.1-nonlazy-mpi.sqlite
	ask tq stats -r mpi_event_sum --timeunit ms "$file"
	row ' 645\.6790 +1 ' 'nvtx +MPI_Init$'
	row ' 136\.3430 +10 ' 'nvtx +MPI_Send$'
}

@test "12: how much memory is allocated at most, and when?" {
	of kineto/cuda12.4-h100-qwen-stacks-memory.json.zst
	ask tq stats -r torch_memory -f ndjson "$file"
	row '[:,]2088508416[,}]' '[:,]46587553[,}]' '"Device"'
}

@test "13: what does loading cost, and how busy is the device from then on?" {
	of nsys/2024.6.2-torch-2.7b.sqlite
	ask tq stats -r phases --timeunit ms "$file"
	row ' loading ' ' 13627\.4[0-9]+ +4460\.3462 +3055\.2'
	row ' steady +36699\.7836 ' ' 86\.3 ' ' 3389\.0686 '
	ask tq advise "$file"
	row 'fp32-gemm: ' ' of 3\.10 s'
}

@test "14: did a call fail, what ran, and what did loading cost?" {
	of nsys/2026.1.1-vectoradd.sqlite
	ask tq stats -r api_errors,overhead --timeunit ms "$file"
	says 'none of 45 calls failed'
	row ' 32\.4652 ' ' loading +Runtime Triggered Module Loading ' \
	    ' cudaLaunchKernel +37\.2418$'
	row ' 0\.0868 ' ' loading +Lazy Function Loading '
	ask tq stats -r cuda_gpu_sum "$file"
	row ' 8 ' 'Host-to-Device\]$'
	row ' 4 ' 'Device-to-Host\]$'
	row ' 4 ' 'CUDA_KERNEL +add_parallel'
}
