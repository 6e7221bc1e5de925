# memory.jq - memory, memory_sizes and alloc of tq-stats, of a whole stream

# number, bytes and time of all copies and fills
def sum: [inputs | select(.kind == "memcpy" or .kind == "memset")] |
    [length, (map(.bytes) | add), (map(.dur) | add)];

# copies by direction and kinds of memory: number, bytes, least, most
def copies: [inputs | select(.kind == "memcpy")] |
    group_by([.copy, .src, .dst])[] |
    [.[0].copy, .[0].src, .[0].dst, length, (map(.bytes) | add, min, max)];

# of each process the peak of what was allocated, when, what is left of it, and
# the number of allocations and of frees
def allocations: [inputs | select(.kind == "alloc")] | group_by(.pid)[] |
    reduce .[] as $a ({n: 0, peak: 0};
	.pid = $a.pid | .[$a.op] += 1 |
	.n += (if $a.op == "alloc" then 1 else -1 end) * $a.bytes |
	if .n > .peak then .peak = .n | .at = $a.ts else . end) |
    [.pid, .peak, .at, .n, .alloc, .free];
