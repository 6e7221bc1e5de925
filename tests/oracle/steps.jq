# steps.jq - step and overlap of tq-stats, of a whole stream

include "intervals";

def is_step: (.name // "") | test("^((global|train|training)[ _.-]?)?(step|iteration|iter|batch)[ _.:=#-]*[0-9]*( ?(to|of|/|-) ?[0-9]+)?$"; "i");

def is_communication: (.name // "") | test("nccl");

# what the report step says, numbers of each step and device, found by looking
# at every moment where anything changes
def steps:
    [inputs] as $all |
    [$all[] | select(is_operation) |
	{pid, tid, device, api_ts, at: [.ts, .ts + .dur],
	class: (if .kind == "memcpy" or .kind == "memset" then 2
	    elif is_communication then 1 else 0 end)}] as $ops |
    ($all | waits) as $waits |
    # when devices stalled: from the later of the end of all work and the
    # call of the next operation, to that
    ([$ops | group_by([.pid, .device])[] | sort_by(.at[0]) |
	{"key": (.[0] | "\(.pid) \(.device)"), "value": [foreach .[] as $o ({};
	    .since = (.until // -infinite) | .op = $o |
	    .until = ([.since, $o.at[1]] | max);
	    select(.op.api_ts != null and .since < .op.at[0]) |
	    [([.since, .op.api_ts] | max), .op.at[0]])]}] |
	from_entries) as $stalls |
    # when they were idle before the next call, and of which thread that is
    ([$ops | group_by([.pid, .device])[] | sort_by(.at[0]) |
	{"key": (.[0] | "\(.pid) \(.device)"), "value": [foreach
	    (.[], {at: [infinite, infinite]}) as $o ({};
	    .since = (.until // -infinite) | .op = $o |
	    .until = ([.since, $o.at[1]] | max);
	    select(.since < .op.at[0]) |
	    {from: .since, to: ([.op.api_ts // infinite, .op.at[0]] | min),
	    id: (if .op.api_ts == null or .op.tid == null then null
		else "\(.op.pid) \(.op.tid)" end)})]}] |
	from_entries) as $gaps |
    $all[] | select(.kind == "range" and is_step) | . as $s |
    (.ts + .dur) as $until |
    [$ops[] | select(.pid == $s.pid) | .device] | unique[] as $d |
    [range(3) as $c | [$ops[] | select(.pid == $s.pid and .device == $d and
	.class == $c) | .at] | within($s.ts; $until)] as $busy |
    ($busy | [.[:1], .[:2], .[:3] | add | covered]) as $sum |
    ([$gaps["\($s.pid) \($d)"][] | . as $g |
	[$waits[.id // "\($s.pid) \($s.tid)"][]?] |
	within([$s.ts, $g.from] | max; [$until, $g.to] | min) | length_of] |
	add // 0) as $sync |
    ($stalls["\($s.pid) \($d)"] | within($s.ts; $until)) as $stall |
    (($busy | add) + $stall | covered) as $other |
    [$s.name, $s.pid, $d, $s.ts, $s.dur, $sum[0], $sum[1] - $sum[0],
	$sum[2] - $sum[1], $s.dur - $sum[2], $s.dur - $other - $sync,
	$sync, $other - $sum[2], ($busy[1] | covered),
	($busy[1] | covered) - ($sum[1] - $sum[0])] | csv;

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
