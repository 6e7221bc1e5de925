#!/usr/bin/env bats
# tq-capture --counters: what is read of GPUs, processes, disks and networks

load helper
load capture

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# gpus [VARIABLE=VALUE ...] -- ARGUMENT ...: tq-capture with a libnvidia-ml that
# needs no GPU, of a program that lasts a while
gpus() {
	local set=()

	while [ "$1" != -- ]; do
		set+=("$1")
		shift
	done
	env "${set[@]}" LD_LIBRARY_PATH="$BUILD/capture/nvml" \
	    tq-capture -q -t none -o x.tq "${@:2}"
}

# values NAME: device or process, and value, of the counter of that name
values() {
	jq -r --arg name "$1" 'if .kind == "counterdef" then
	    select(.name == $name) | "def \(.id) \(.unit)" else
	    select(.kind == "counter") | "\(.counter) \(.device // .pid) \(.value)"
	    end' x.tq | awk '$1 == "def" { unit[$2] = $3; next }
	    $1 in unit { print $2, $3, unit[$1] }' | sort -u
}

@test "counters of each GPU have its number, a name and a unit" {
	run -0 --separate-stderr gpus -- --counters gpu:50 sleep 0.3
	[ -z "$stderr" ]
	[ "$(values 'memory used')" = "0 1000000000 bytes
1 2000000000 bytes" ]
	[ "$(values power)" = "0 75.493 W
1 75.494 W" ]
	[ "$(values 'SM clock')" = "0 1980 MHz
1 1979 MHz" ]
	[ "$(values 'SM utilization' | wc -l)" -ge 5 ]
	# what a GPU or a driver lacks is left out
	[ -z "$(values temperature)$(values energy)" ]
	head -n 1 x.tq | grep -q '"mode":"none,counters:gpu@50"'
	tq-correlate x.tq | cmp - <(tq-correlate x.tq | tq-filter true)
	tq-chrome x.tq | jq -e '[.traceEvents[] | select(.ph == "C") | .name] |
	    unique | any(test("power"))' > drawn
}

@test "values that a slow library has late are in order on the standard output" {
	local i actions=()

	for i in {1..60}; do
		actions+=(marks 1 wait 20)
	done
	env FAKE_NVML_SLOW=200 LD_LIBRARY_PATH="$BUILD/capture/nvml" \
	    tq-capture -q -t nvtx --counters gpu:50 "$CLIENT" "${actions[@]}" \
	    > "$tq"
	whole
	[ "$(count mark)" = 60 ]
	[ "$(count counter)" -ge 8 ]
}

@test "a value is written when it changes, and once a second" {
	gpus -- --counters gpu:100 sleep 2.3
	jq -s '[.[] | select(.kind == "counter" and .value == 2619 and
	    .device == 0).ts]' x.tq > times
	jq -e 'length >= 2 and length <= 4' times
	jq -e '[.[1:], .[:-1]] | transpose | map(.[0] - .[1]) |
	    all(. >= 990000000)' times
}

@test "CUDA_VISIBLE_DEVICES says which GPUs there are, by number or UUID" {
	gpus CUDA_VISIBLE_DEVICES=1,0 -- --counters gpu sleep 0.1
	[ "$(values power)" = "0 75.494 W
1 75.493 W" ]
	gpus CUDA_VISIBLE_DEVICES=GPU-1 -- --counters gpu sleep 0.1
	[ "$(values power)" = "0 75.494 W" ]
	gpus CUDA_VISIBLE_DEVICES=1,7,0 -- --counters gpu sleep 0.1
	[ "$(values power)" = "0 75.494 W" ]
	run -0 gpus CUDA_VISIBLE_DEVICES= -- --counters gpu sleep 0.1
	[ "$output" = "tq-capture: --counters gpu: libnvidia-ml finds no GPU" ]
}

@test "a GPU that is slowed down for a second is told, once, with the reason" {
	run -0 gpus FAKE_NVML_REASONS=0x44 -- --counters gpu:20 sleep 1.6
	[ "$output" = "tq-capture: GPU 0 is slowed down by its power limit
tq-capture: GPU 0 is slowed down by its temperature, by the hardware" ]
	[ "$(jq -r 'select(.kind == "diagnostic").text' x.tq | wc -l)" = 2 ]
	[ "$(values 'throttle reasons')" = "0 68 mask
1 0 mask" ]
}

@test "without libnvidia-ml or a driver the program runs, and that is told" {
	run -0 gpus FAKE_NVML_BROKEN=1 -- --counters gpu sh -c 'echo done >&2'
	[[ $output = *done* ]]
	[[ $output = *"--counters gpu: libnvidia-ml finds no driver"* ]]
	jq -es 'any(.kind == "diagnostic" and
	    (.text | test("finds no driver")))' x.tq
	tail -n 1 x.tq | grep -q '"kind":"end"'
}

@test "processor time is of each process of the command, in percent of one" {
	tq-capture -q -t none -o x.tq --counters cpu:20 sh -c \
	    'n=0; sleep 1 & while [ $n -lt 300000 ]; do n=$((n + 1)); done; wait'
	values 'CPU usage' > usage
	[ "$(cut -d ' ' -f 1 usage | sort -u | wc -l)" -ge 1 ]
	awk '$3 != "%" || $2 < 0 || $2 > 150 { exit 1 } $2 > most { most = $2 }
	    END { exit most < 10 }' usage
}

@test "the values of a process that has ended are 0" {
	tq-capture -q -t none -o x.tq --counters cpu:50 sh -c \
	    "timeout 0.4 sh -c 'while :; do :; done'; sleep 0.4"
	jq -es 'map(select(.kind == "counter" and .pid != null)) |
	    group_by([.pid, .counter]) | map(select(any(.value > 20))) |
	    all(last.value < 20)' x.tq
}

@test "bytes that a process writes are counted, per second" {
	tq-capture -q -t none -o x.tq --counters io:50 sh -c '
	    sleep 0.2; i=0
	    while [ $i -lt 20000 ]; do echo "$0"; i=$((i + 1)); done > big
	    sleep 0.2' "$(printf '%0100d' 0)"
	values 'write calls' | awk '$3 != "bytes/s" { exit 1 }
	    $2 > most { most = $2 } END { exit most < 100000 }'
}

@test "counters of the network are of interfaces, but not of the loopback" {
	tq-capture -q -t none -o x.tq --counters net:50 sleep 0.2
	tail -n +3 /proc/net/dev | awk -F '[ :]+' '{ sub(/^ */, "")
	    split($0, a, ":"); if (a[1] != "lo") print a[1] }' | sort > wanted
	jq -r 'select(.kind == "counterdef").name | select(endswith(" send")) |
	    sub(" send"; "")' x.tq | sort | diff wanted -
}

@test "with --split, counters of a process are in its file, of a GPU in all" {
	gpus -- --split -o '%p.tq' --counters gpu,cpu:50 -t nvtx sh -c '
	    "$1" marks 1 wait 900 & "$1" marks 1 wait 900 & wait' sh "$CLIENT"
	for file in [0-9]*.tq; do
		jq -es --argjson pid "${file%.tq}" '
		    any(.kind == "counter" and .device == 1) and
		    any(.kind == "counter" and .pid == $pid) and
		    all(.kind != "counter" or .pid == $pid or .device != null)' \
		    "$file"
	done
}

@test "sets, their order and frequency: what makes no sense is refused" {
	run -125 tq-capture --counters gpu,disk true
	[ "$output" = "tq-capture: --counters disk: expected gpu, cpu, io or net" ]
	for hz in 0 1001 x 5x -1 ''; do
		run -125 tq-capture --counters "cpu:$hz" true
		[ "$output" = "tq-capture: --counters cpu:$hz: expected a number from 1 to 1000 behind the ':'" ]
	done
	run -0 tq-capture -q -o x.tq --gpu-metrics-devices=all true
	[[ $output = *"hardware counters are not recorded; --counters gpu"* ]]
}
