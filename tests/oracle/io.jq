# io.jq - io_sum of tq-stats, of a whole stream

def kind:
    if . == "" then "unknown"
    elif startswith("socket") then "socket"
    elif startswith("pipe") then "pipe"
    elif startswith("anon_inode:") then "anonymous"
    elif startswith("/dev/") then "device"
    elif startswith("/memfd:") then "memory"
    else "file" end;

# calls of each file: number, bytes, time, wait, the longest
def files: [inputs | select(.kind == "osrt" and (has("file") or .bytes > 0))] |
    map(.file //= "" | .bytes //= 0 | .dur //= 0) | group_by(.file)[] |
    [(.[0].file | kind), .[0].file, length, (map(.bytes) | add),
	(map(.dur) | add), (map(select(.bytes == 0).dur) | add // 0),
	(map(.dur) | max)];
