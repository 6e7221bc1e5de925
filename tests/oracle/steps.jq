# steps.jq - step and overlap of tq-stats, of a whole stream

include "intervals";

def is_step: (.name // "") | test("^((global|train|training)[ _.-]?)?(step|iteration|iter|batch)[ _.:=#-]*[0-9]*( ?(to|of|/|-) ?[0-9]+)?$"; "i");

def is_communication: (.name // "") | test("nccl");

# the step of an operation: an index in $steps, or null
def step_of($steps): . as $o | (.api_ts // .at[0]) as $call |
    [$steps[] | select(.pid == $o.pid and .ts <= $call and $call < .end)] |
    ([.[] | select(.tid == $o.tid)] as $own |
	if ($own | length) > 0 then $own else . end) |
    sort_by([-.ts, .index])[0].index;

# Of operations of a device, in order: {step, class, dur} of each time between
# two borders in which one of them runs.
def busy: . as $ops | ([$ops[].at[]] | unique) as $at |
    range(1; $at | length) as $i |
    [$ops[] | select(.at[0] <= $at[$i - 1] and $at[$i] <= .at[1])] |
    select(length > 0) | min_by([.class, .at[0], .index]) |
    {step, class, dur: ($at[$i] - $at[$i - 1])};

# likewise the gaps: {step, from, call, to, id}
def gaps($begin): foreach .[] as $o ({until: $begin};
    .since = .until | .until = ([.since, $o.at[1]] | max) | .op = $o;
    select(.since < .op.at[0]) |
    {step: .op.step, from: .since, to: .op.at[0],
    call: (.op.api_ts // .op.at[0]),
    id: (if .op.api_ts == null or .op.tid == null then null
	else "\(.op.pid) \(.op.tid)" end)});

# the values of the report step, for each step and device
def steps:
    [inputs] as $all | ([$all[].ts | select(. != null)] | min) as $begin |
    ([$all[] | select(.kind == "range" and is_step)] |
	[to_entries[] | .value + {index: .key, end: (.value.ts + .value.dur)}] |
	[group_by(.pid)[] | to_entries[] | .value + {first: (.key == 0)}] |
	sort_by(.index)) as $steps |
    ([$all[] | select(is_operation) |
	{pid, tid, device, api_ts, at: [.ts, .ts + .dur],
	class: (if .kind == "memcpy" or .kind == "memset" then 2
	    elif is_communication then 1 else 0 end)}] |
	[to_entries[] | .value + {index: .key} |
	    . + {step: step_of($steps)}]) as $ops |
    ($all | waits) as $waits |
    ($ops | group_by([.pid, .device])[]) as $on |
    ($on | sort_by(.index)) as $on |
    [$on | busy] as $busy | [$on | gaps($begin)] as $gaps |
    $steps[] | select(.pid == $on[0].pid) | . as $s |
    [range(3) as $c | [$busy[] | select(.step == $s.index and .class == $c) |
	.dur] | add // 0] as $parts |
    [$gaps[] | select(.step == $s.index) |
	if $s.first then .from = ([.from, $s.ts] | max) else . end |
	select(.from < .to) |
	.call = ([([.call, .from] | max), .to] | min)] as $gaps |
    ([$gaps[] | .to - .from] | add // 0) as $idle |
    ([$gaps[] | .to - .call] | add // 0) as $stalled |
    ([$gaps[] | . as $g | [$waits[.id // "\($s.pid) \($s.tid)"][]?] |
	within($g.from; $g.call) | length_of] | add // 0) as $sync |
    ([$on[] | select(.step == $s.index and .class == 1) | .at] | covered) as
	$all_communication |
    [$s.name, $s.pid, $on[0].device, $s.ts, ($parts | add) + $idle, $parts[],
	$idle, $idle - $stalled - $sync, $sync, $stalled, $all_communication,
	$all_communication - $parts[1], $s.dur] | csv;

# process, device, communication, how much of it is overlapped, computation
def overlap: [inputs | select(.kind == "kernel" or .kind == "graph")] |
    group_by([.pid, .device])[] |
    map({pid, device, at: [.ts, .ts + .dur], comm: is_communication}) |
    ([.[] | select(.comm) | .at]) as $a | ([.[] | .at]) as $both |
    ([.[] | select(.comm | not) | .at]) as $b |
    select($a | length > 0) |
    [.[0].pid, .[0].device, ($a | covered),
	($a | covered) + ($b | covered) - ($both | covered), ($b | covered)] |
    csv;
