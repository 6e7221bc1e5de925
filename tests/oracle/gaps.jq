# gaps.jq - gaps, gaps_sum, launch and launch_queue of tq-stats, of a whole
# stream (inputs)

include "intervals";

def device: [.pid, .device];
def stream: [.pid, .device, .context, .stream];

# of the operations of a lane, those behind a gap: {op, from}; the gap ends
# when the operation begins
def after_gaps: sort_by(.ts) | foreach .[] as $o ({};
	.op = $o | .from = .to |
	.to = ([.to // $o.ts, $o.ts + $o.dur] | max);
	select(.from != null and .op.ts > .from) | {op, from});

# [start, duration] of the gaps between intervals of union
def gaps_between: [range(1; length) as $i |
    [.[$i - 1][1], .[$i][0] - .[$i - 1][1]]];

# duration, process and device of the 100 longest gaps
def longest: [inputs | select(is_operation)] | group_by(device) |
    [.[] | (.[0] | device) as $key | map([.ts, .ts + .dur]) | union |
	gaps_between[] | [.[1]] + $key] |
    sort_by(-.[0])[:100][] | csv;

# for each lane, and what it waits or works for, how long
def sums(key): [inputs] as $all | ($all | wall) as [$from, $to] |
    [$all[] | select(is_operation)] | group_by(key)[] |
    (.[0] | key) as $key | map([.ts, .ts + .dur]) | union |
    $key + ["before", .[0][0] - $from],
    $key + ["busy", length_of],
    $key + ["gaps", (gaps_between | map(.[1]) | add // 0)],
    $key + ["after", $to - .[-1][1]],
    $key + ["wall", $to - $from] | select(.[-1] > 0) | csv;

# the parts of a gap: {cause, dur}; $waits as waits makes them
def parts($waits): .op as $op | .from as $from |
    if $op.api_ts == null then {cause: "unknown", dur: ($op.ts - $from)}
    elif $op.api_ts > $from then
	([$op.api_ts, $op.ts] | min) as $call |
	([$waits["\($op.pid) \($op.tid)"][]?] | within($from; $call) |
	    length_of) as $sync |
	{cause: "sync", dur: $sync},
	{cause: "host", dur: ($call - $from - $sync)},
	{cause: "launch", dur: ($op.ts - $call)} | select(.dur > 0)
    else {dur: ($op.ts - $from), cause:
	(if $op.api_ts + $op.api_dur > $from then "launch"
	elif $op.ts - $from < 10000 then "next"
	else "queue" end)}
    end;

# for each device and cause, how many gaps have a part of it, and how long
def causes: [inputs] | waits as $waits | map(select(is_operation)) |
    group_by(device)[] | (.[0] | device) as $key |
    [after_gaps | parts($waits)] | group_by(.cause)[] |
    $key + [.[0].cause, length, (map(.dur) | add)] | csv;

# by names of kernel and call: how many, time of calls, longest wait in a queue;
# the operations of a graph are one
def is_of_graph: .kind == "graph" or has("graph") or has("graph_node") or
	(.api_name // "" | contains("GraphLaunch"));
def launches: [inputs | select(has("api_ts"))] |
    (map(select(.kind == "kernel" and (is_of_graph | not)))) +
    (map(select(is_operation and is_of_graph)) | group_by([.pid, .corr]) |
	map(min_by(.ts) | .name = (if has("graph")
	    then "[CUDA graph \(.graph)]" else "[CUDA graph]" end))) |
    map({key: [.name, .api_name], api_dur,
	wait: ([.ts - .api_ts - .api_dur, 0] | max)}) |
    group_by(.key)[] |
    .[0].key + [length, (map(.api_dur) | add), (map(.wait) | max)];

# for each stream: operations, launches, greatest depth, time
def queues: [inputs | select(is_operation and has("api_ts"))] |
    group_by(stream)[] |
    (.[0] | stream) as $key | length as $n |
    (map(([.api_ts, .ts] | min) as $a | [$a, 1], [.ts + .dur, -1]) |
	sort | reduce .[] as $e ({d: 0, max: 0}; .d += $e[1] |
	.max = ([.max, .d] | max)) | .max) as $max |
    $key + [$n, (map([.api_ts, .ts] | min) | unique | length), $max,
	(map(.ts + .dur) | max) - (map([.api_ts, .ts] | min) | min)] | csv;

# ---- what the host did ----

# the names of calls and the time that they take together, as an object
def times_by_name: group_by(.name) | map({key: .[0].name,
    value: (map(.at) | covered)}) | from_entries;

# all of the gaps of devices: start, duration, device, HTA's category with a
# delay of 30 ns, thread, the name of its calls that took most of it, their
# time, its range
def details: [inputs | select(has("ts"))] as $all |
    ($all | map(select(.kind == "range") | {key: "\(.id)", value: .name}) |
	from_entries) as $ranges |
    [$all[] | select(is_operation)] | group_by(device)[] |
    after_gaps | .from as $from | .op as $o |
    [$all[] | select((.kind == "api" or .kind == "osrt") and
	.pid == $o.pid and .tid == $o.tid) |
	{name, at: [([.ts, $from] | max), ([.ts + .dur, $o.ts] | min)]} |
	select(.at[0] < .at[1])] as $calls |
    ($calls | to_entries | group_by(.value.name) | map({first: .[0].key,
	name: .[0].value.name, time: (map(.value.at) | covered)}) |
	sort_by(-.time, .first) | .[0]) as $most |
    [$from, $o.ts - $from, $o.device,
	(if $o.api_ts > $from then "host_wait"
	elif $o.ts - $from < 30 then "kernel_wait" else "other" end),
	$o.tid, $most.name, $most.time, $ranges["\($o.range)"]] | csv;

# of the $rows of gaps, those whose Host Call or Host Time is wrong: where a
# thread had no more calls in a gap than are kept it is exactly so, and never
# more than it took
def wrong_calls($rows):
    ([$rows[] | "\(.pid) \(.tid)"] | unique) as $ids |
    ([inputs | select((.kind == "api" or .kind == "osrt" or
	    .kind == "overhead") and has("dur")) |
	{id: "\(.pid) \(.tid)", name, ts, dur} |
	select(.id | IN($ids[]))] | index_by(.id)) as $threads |
    $rows[] | .start_ns as $from | .duration_ns as $dur |
    [$threads["\(.pid) \(.tid)"][]? |
	{name, at: [([.ts, $from] | max), ([.ts + .dur, $from + $dur] | min)]} |
	select(.at[0] < .at[1])] as $calls |
    ($calls | times_by_name) as $times |
    .host_call as $name | (.host_ns // 0) as $time |
    if ($calls | length) > 64 then select(($times[$name] // 0) < $time)
    elif ($calls | length) == 0 then select(($name // "") != "")
    else select($times[$name] != $time or ([$times[]] | max) != $time)
    end;

# ns of each of HTA's categories by stream, from one operation to the next,
# of streams whose operations follow each other: it is for these
def hta: [inputs | select(is_operation)] |
    group_by(stream)[] | (.[0] | stream) as $key | sort_by(.ts) |
    select([range(1; length) as $i |
	.[$i].ts >= .[$i - 1].ts + .[$i - 1].dur] | all) |
    . as $ops | reduce range(1; length) as $i ({};
	($ops[$i - 1].ts + $ops[$i - 1].dur) as $from |
	(if ($ops[$i].api_ts // -infinite) > $from then "host_wait"
	elif $ops[$i].ts - $from < 30000 then "kernel_wait"
	else "other" end) as $c | .[$c] += $ops[$i].ts - $from) |
    $key + [.host_wait // 0, .kernel_wait // 0, .other // 0] | csv;
