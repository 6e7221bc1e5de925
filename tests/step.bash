# step.bash - what the tests of training steps share

op() { # KIND TS DUR [MORE]: of process 1, device 0
	local more=${4:-}

	[[ $more == *'"device"'* ]] || more='"device":0'${more:+,$more}
	echo '{"kind":"'"$1"'","ts":'"$2"',"dur":'"$3"',"pid":1,'"$more"'}'
}

step() { # NAME TS DUR [TID [MORE]]
	echo '{"kind":"range","ts":'"$2"',"dur":'"$3"',"pid":1,"tid":'"${4:-1}"',"name":"'"$1"'"'"${5:+,$5}"'}'
}

call() { # NAME TS DUR [TID]
	echo '{"kind":"api","ts":'"$2"',"dur":'"$3"',"pid":1,"tid":'"${4:-1}"',"name":"'"$1"'","api":"cuda-runtime"}'
}

# rows REPORT: of the stream in stdin
rows() {
	stream > in
	tq-stats -f csv -r "$1" in | tail -n +2
}

# steps FILE: what the report step says of it, one sorted line of numbers for
# each step and device, found by looking at every moment where anything
# changes
steps() {
	jq -rn '
	def steps: "^((global|train|training)[ _.-]?)?(step|iteration|iter|batch)[ _.:=#-]*[0-9]*( ?(to|of|/|-) ?[0-9]+)?$";
	def within($from; $to):		# intervals cut to [from, to)
	    [.[] | [([.[0], $from] | max), ([.[1], $to] | min)] |
		select(.[0] < .[1])];
	def union: sort | reduce .[] as $i ([];
	    if length > 0 and .[-1][1] >= $i[0] then
		.[-1][1] = ([.[-1][1], $i[1]] | max) else . + [$i] end);
	def length_of: map(.[1] - .[0]) | add // 0;
	def covered: union | length_of;
	[inputs] as $all |
	def of($kinds): $all[] | select(.kind | IN($kinds[]));
	[of(["kernel", "memcpy", "memset", "graph"]) |
	    {pid, device, api_ts, at: [.ts, .ts + .dur],
	    class: (if .kind == "memcpy" or .kind == "memset" then 2
		elif (.name // "") | test("nccl") then 1 else 0 end)}] as $ops |
	[of(["api"]) | select(.name | test("Synchronize")) |
	    {pid, tid, at: [.ts, .ts + .dur]}] as $waits |
	# when devices stalled: from the later of the end of all work and the
	# call of the next operation, to that
	([$ops | group_by([.pid, .device])[] | sort_by(.at[0]) |
	    {"key": (.[0] | "\(.pid) \(.device)"), "value": [foreach .[] as $o ({};
		.since = (.until // -infinite) | .op = $o |
		.until = ([.since, $o.at[1]] | max);
		select(.op.api_ts != null and .since < .op.at[0]) |
		[([.since, .op.api_ts] | max), .op.at[0]])]}] |
	    from_entries) as $stalls |
	of(["range"]) | select((.name // "") | test(steps; "i")) | . as $s |
	(.ts + .dur) as $until |
	[$ops[] | select(.pid == $s.pid) | .device] | unique[] as $d |
	[range(3) as $c | [$ops[] | select(.pid == $s.pid and .device == $d and
	    .class == $c) | .at] | within($s.ts; $until)] as $busy |
	($busy | [.[:1], .[:2], .[:3] | add | covered]) as $sum |
	([$waits[] | select(.pid == $s.pid and .tid == $s.tid) | .at] |
	    within($s.ts; $until)) as $wait |
	($stalls["\($s.pid) \($d)"] | within($s.ts; $until)) as $stall |
	(($busy | add) + $stall | covered) as $other |
	(($busy | add) + $stall + $wait | covered) as $known |
	[$s.name, $s.pid, $d, $s.ts, $s.dur, $sum[0], $sum[1] - $sum[0],
	    $sum[2] - $sum[1], $s.dur - $sum[2], $s.dur - $known,
	    $known - $other, $other - $sum[2], ($busy[1] | covered),
	    ($busy[1] | covered) - ($sum[1] - $sum[0])] | @csv' "$1" |
		tr -d '"' | sort
}

# the same as tq-stats has it
reported() {
	tq-stats -f json -r step "$1" | jq -r '.[] | [.Name, .PID, .Device,
	    (to_entries[] | select(.key | test("^(Start|Duration|Compute|Exposed|Idle|Starved|Sync|Stalled|Communication|Overlapped)")) | .value)] |
	    @csv' | tr -d '"' | sort
}
