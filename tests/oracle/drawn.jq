# drawn.jq - what a trace in JSON draws

# sums of lanes: they are tracks of one name, but for those of a thread
def merged:
    [.[] | .key |= sub(" \\(overlap[ 0-9]*\\)(?=/[^/]*/[^/]*$)"; "")] |
    group_by(.key)[] |
    {key: .[0].key, n: map(.n) | add, sum: map(.sum) | add};

# number and ns of slices by names of process and thread, name and category
def slices: .traceEvents |
    (map(select(.name == "process_name") |
	{key: "\(.pid)", value: .args.name}) | from_entries) as $p |
    (map(select(.name == "thread_name") |
	{key: "\(.pid) \(.tid)", value: .args.name}) | from_entries) as $t |
    map(select(.ph == "X" or .ph == "i") |
	{key: "\($p["\(.pid)"])/\($t["\(.pid) \(.tid)"])/\(.name)/\(.cat)",
	ns: (.dur // 0 | . * 1000 | round)}) |
    [group_by(.key)[] | {key: .[0].key, n: length, sum: map(.ns) | add}] |
    merged;

# what Perfetto has to say of the names of a stream (inputs), by category:
# number and ns
def times: [inputs | select(.dur != null and .name != null) | [({
	kernel: "kernel", osrt: "osrt", overhead: "overhead", api: "api",
	range: "user_annotation",
	"gpu-range": "gpu_user_annotation"}[.kind] // empty), .name, .dur]] |
    group_by(.[:2])[] | [.[0][0], .[0][1], length, (map(.[2]) | add)];
