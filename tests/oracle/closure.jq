# closure.jq - tables of streams in which each record has a number, n

# of each record n kind ts end pid tid corr, whether another thread ended it,
# whether it is no range, and the numbers of the definitions it needs; $all are
# the definitions
def table($all):
    def stream($device): "context \(.pid) \($device) \(.context)",
	"stream \(.pid) \($device) \(.context) \(.stream)";
    (reduce $all[] as $d ({}; .[$d | if .kind == "thread" then "thread \(.pid) \(.tid)"
	elif .context then first(stream(.device) | select(startswith($d.kind)))
	else "\(.kind) \(.id)" end] += [$d.n])) as $defined |
    inputs | select(.n) | .n as $n |
    [if .ts then $defined["thread \(.pid) \(.tid, .end_tid // empty)"],
	if .context then $defined[stream(.device)] // $defined[stream(null)] else null end,
	if .sym then $defined["symbol \(.sym)"] else null end,
	if .stack then $defined["stack \(.stack)"] else null end,
	if .counter then $defined["counterdef \(.counter)"] else null end
	else null end | .[]? | select(. < $n)] as $needs |
    [.n, .kind, .ts, if .dur then .ts + .dur elif .open then 1e18 else .ts end,
	.pid, .tid, .corr, .end_tid and .end_tid != .tid, .kind != "range"] |
	map(if . == null then "-" else . end) + [$needs | join(" ")] | @tsv;

# some ranges, each as what --range takes, process, thread, times
def picks: [inputs | select(.kind == "range")] | . as $ranges |
    sort_by(.dur) | reverse | .[(0, length / 50, length / 3) | floor] |
    select(.name and .dur and (.name | length) < 999) | . as $r | $ranges |
    map(select(.name == $r.name and .domain == $r.domain).n == $r.n) |
    def text: gsub("(?<c>[\\\\@/~*])"; "\\\(.c)");
    [($r.name | text) + ($r.domain // "" | if . == "" then . else "@" + text end)
	+ "/\(index(true))", $r.pid, $r.tid, $r.ts, $r.ts + $r.dur] |
    map(tostring) | join("\t");
