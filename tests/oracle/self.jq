# self.jq - range_self, key_averages and folded:samples of tq-stats, of a whole
# stream (inputs), by brute force

include "intervals";

def work: has("dur") and is_operation;

def full_name: (if .domain then .domain + ":" else "" end) + (.name // "");

# time and number of all operations
def sum: [inputs | select(work) | .dur] | [add // 0, length];

# [name, time, number] of operations, named by f; $r are the ranges by id
def self(f): [inputs] as $all |
    ([$all[] | select(.kind == "range") | {key: "\(.id)", value: {
	name: full_name, parent}}] | from_entries) as $r |
    [$all[] | select(work) | {d: .dur, n: ([$r, .] | f)}] |
    group_by(.n)[] | [.[0].n, (map(.d) | add), length];

def by_range: self(.[0]["\(.[1].range)"].name // "");

# by the names of all ranges around it
def by_path: self(.[0] as $r | .[1] |
    def chain: . as $id | if $id == null then []
	else ($r[$id | tostring].parent | chain) +
	    [$r[$id | tostring].name] end;
    (.path // (.range | chain)) | join(" / "));

# [name, ranges, CPU time, self, device time, self] by name
def averages: [inputs] |
    (map(select(.ts) | .ts + (.dur // 0)) | max) as $last |
    map(select(work)) as $ops |
    [to_entries[] | .key as $k | .value | select(.kind == "range") |
	{id, ts, order: $k, to: (if .dur then .ts + .dur else $last end),
	thread: (if .end_tid then "-\($k)" else "\(.pid) \(.tid)" end),
	name: full_name}] |
    # the innermost that encloses it, and the names of all that do
    [group_by(.thread)[] | sort_by(.ts, -.to, .order) |
	foreach .[] as $r ({open: []};
	    .open |= map(select(.to >= $r.ts)) |
	    ([.open[] | select(.to >= $r.to)] | reverse |
		min_by(.to - .ts)) as $up |
	    .open += [$r + {chain: ($up | if . then .chain + [.id]
		else [] end), names: ($up | if . then .names + [.name]
		else [] end)}]; .open[-1])] |
    map({key: "\(.id)", value: .}) | from_entries as $r |
    # the time that the children of each take
    ([$r[] | select(.chain != []) | {up: .chain[-1], ts, to}] |
	group_by(.up) | map({key: "\(.[0].up)", value:
	    (sort_by(.ts) | reduce .[] as $c ({n: 0, at: null};
		([$c.ts, .at // $c.ts] | max) as $from |
		if $c.to > $from then .n += $c.to - $from |
		    .at = $c.to else . end) | .n)}) |
	from_entries) as $covered |
    [($r[] | {n: .name, calls: 1, cpu: (if .name as $n | .names |
	    index($n) then 0 else .to - .ts end),
	self: (.to - .ts - ($covered["\(.id)"] // 0)), dev: 0, own: 0}),
    ($ops[] | select(.range == null) |
	{n: null, calls: 0, cpu: 0, self: 0, dev: .dur, own: .dur}),
    ($ops[] | select(.range) | .dur as $d | $r["\(.range)"] |
	.name as $n | (.names + [$n] | unique[]) |
	{n: ., calls: 0, cpu: 0, self: 0, dev: $d,
	    own: (if . == $n then $d else 0 end)})] |
    group_by(.n)[] | [.[0].n // ""] +
	(map([.calls, .cpu, .self, .dev, .own]) | transpose | map(add));

# the thread and the frames of each sample, and how often, as folded:samples
def samples: reduce inputs as $e ({t: {}, s: {}, all: []};
    if $e.kind == "thread" then .t["\($e.pid) \($e.tid)"] = $e.name
    elif $e.kind == "stack" then .s["\($e.id)"] = $e.frames
    elif $e.kind == "sample" then .all += [([.t["\($e.pid) \($e.tid)"]] +
	(.s["\($e.stack)"] | reverse) | map(gsub(";"; ":")) | join(";"))]
    else . end) | .all | group_by(.)[] | "\(.[0]) \(length)";

# folded:python: a line for each stack of Python and its own time, from the ids
def python: [inputs | select(.kind == "range" and .dur and
	.category == "python_function") | {pid, dur,
	name: (.name | gsub(";"; ":")), id: .args["Python id"],
	up: .args["Python parent id"]}] as $all |
    # setpath on one level, without += and //, whose copies take a while
    (reduce $all[] as $c ({}; "\($c.pid) \($c.up)" as $key |
	setpath([$key]; .[$key] + $c.dur))) as $in |
    # callers come before those that they call
    [foreach $all[] as $c ({}; setpath(["\($c.pid) \($c.id)"];
	(.["\($c.pid) \($c.up)"] | if . then . + ";" else "" end) + $c.name);
	{path: .["\($c.pid) \($c.id)"],
	own: ($c.dur - ($in["\($c.pid) \($c.id)"] // 0))})] |
    map(select(.own > 0)) | group_by(.path)[] |
    "\(.[0].path) \(map(.own) | add)";
