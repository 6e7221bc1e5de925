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

# records by what key makes of them, as an object
def index_by(key): group_by(key) | map({key: (.[0] | key), value: .}) |
    from_entries;
