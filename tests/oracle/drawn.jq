# drawn.jq - what a trace in JSON draws

# number and ns of slices by where they stand, name and category; of a device
# the row counts, of a process only that the slice is there: rows differ
def sums:
    map(.group |= sub(" · (threads|group [0-9]+)$"; "") |
	.row = if .group | test("GPU( [0-9]+)?$")
	    then .row | sub(" \\(overlap[ 0-9]*\\)$"; "") else "" end) |
    group_by([.group, .row, .name, .cat])[] |
    {group: .[0].group, row: .[0].row, name: .[0].name, cat: .[0].cat,
	n: map(.n) | add, sum: map(.sum) | add};

# of a trace in JSON
def slices: .traceEvents |
    (map(select(.name == "process_name") |
	{key: "\(.pid)", value: "\(.args.name) \(.pid)"}) | from_entries) as $p |
    (map(select(.name == "thread_name") |
	{key: "\(.pid) \(.tid)", value: .args.name}) | from_entries) as $t |
    map(select(.ph == "X" or .ph == "i") |
	{group: $p["\(.pid)"], row: $t["\(.pid) \(.tid)"], name, cat, n: 1,
	sum: (.dur // 0 | . * 1000 | round)}) | sums;

# of rows with the names of a track and of those above it, up to three
def of_tracks:
    [inputs | ([.third, .second, .first, .row] | map(select(.))) as $path |
	.group = ($path - ["· everything else"])[0]] | sums;

# what Perfetto has to say of the names of a stream (inputs), by category:
# number and ns
def times: [inputs | select(.dur != null and .name != null) | [({
	kernel: "kernel", osrt: "osrt", overhead: "overhead", api: "api",
	range: "user_annotation",
	"gpu-range": "gpu_user_annotation"}[.kind] // empty), .name, .dur]] |
    group_by(.[:2])[] | [.[0][0], .[0][1], length, (map(.[2]) | add)];
