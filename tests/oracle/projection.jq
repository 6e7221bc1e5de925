# projection.jq - the ranges of a correlated stream that launched operations, as
# nvtx_gpu_proj_trace of nsys has them: "id start duration range-start
# range-duration style pid tid launches level parent", the devices of a range
# together

include "intervals";

def rows: [inputs | select(.kind == "range" or .kind == "gpu-range")] |
    (map(select(.kind == "range") | {key: "\(.id)", value: .}) |
	from_entries) as $ranges |
    map(select(.kind == "gpu-range")) | group_by(.range)[] |
    (map(.ts) | min) as $first |
    (map(.ts + .dur) | max) as $last |
    (map(.launches) | add) as $launches | $ranges["\(.[0].range)"] |
    [.id, $first, $last - $first, .ts, .dur,
	{push: "PushPop", start: "StartEnd"}[.mode], .pid, .tid,
	$launches, .depth, .parent] | csv;
