# intervals.jq - sets of intervals [from, to], and records that have one

# is it work of a device?
def is_operation: .kind == "kernel" or .kind == "memcpy" or
    .kind == "memset" or .kind == "graph";

# intervals as disjoint ones in order; those that touch become one
def union: sort | reduce .[] as $i ([];
    if length > 0 and .[-1][1] >= $i[0] then
	.[-1][1] = ([.[-1][1], $i[1]] | max)
    else . + [$i] end);

def length_of: map(.[1] - .[0]) | add // 0;

def covered: union | length_of;

# cut to [$from, $to]
def within($from; $to):
    [.[] | [([.[0], $from] | max), ([.[1], $to] | min)] | select(.[0] < .[1])];

def csv: map(if . == null then "" else tostring end) | join(",");

def span: [(map(.ts) | min), (map(.ts + (.dur // 0)) | max)];

# the wall of a section, of all its records
def wall: (map(select(.kind == "trace") | .dur // 0) | first // 0) as $window |
    map(select(has("ts"))) |
    map(select(.kind | IN("overhead", "lost", "diagnostic") | not)) as $program |
    ($program | map(select(is_operation))) as $work |
    if $window <= 0 or any($work[]; .ts < 0 or .ts > $window) then
	$program | span
    else
	span as $all | ($program | map(select(.ts <= $window and
	    .ts + (.dur // 0) >= 0)) | span) as $inside |
	[([$inside[0], 0] | max), ([$inside[1], $window] | min)] |
	if $all[0] <= 0 and $all[1] >= $window then [0, $window] else . end |
	.[1] = ([.[1]] + ($work | map(.ts + (.dur // 0))) | max)
    end;

# is it a call that waits for a device, by its name?
def is_wait: .kind == "api" and (.name | test("Synchronize|^cu(da)?Memcpy") and
    (test("Async") | not));

# is it a copy whose call waits?
def is_pageable: .kind == "memcpy" and has("api_ts") and
    (.src == "Pageable" or .dst == "Pageable");

# when threads waited, by "PID TID"
def waits: [.[] | if is_wait then {id: "\(.pid) \(.tid)",
	at: [.ts, .ts + .dur]}
    elif is_pageable then {id: "\(.pid) \(.tid)",
	at: [.api_ts, .api_ts + .api_dur]}
    else empty end] | group_by(.id) |
    map({key: .[0].id, value: (map(.at) | union)}) | from_entries;

# records by what key makes of them, as an object
def index_by(key): group_by(key) | map({key: (.[0] | key), value: .}) |
    from_entries;
