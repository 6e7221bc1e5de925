#!/bin/sh
# run.sh - measure the tools on a synthetic export, beside what must be paid

set -eu

# Environment: BUILD, where the programs are; N, how many kernels; ROUNDS;
# NSYS2JSON, the file nsys2json.py of github.com/chenyu-jiang/nsys2json, to
# measure that beside them.
: "${BUILD:?is not set}"
N=${N:-1000000}
ROUNDS=${ROUNDS:-3}
LC_ALL=C
export LC_ALL

here=$(dirname "$0")
work=$BUILD/bench
database=$work/export-$N.sqlite
report=$work/export-$N.nsys-rep
stream=$work/stream-$N.tq
correlated=$work/correlated-$N.tq
repeating=$work/repeating-$N.tq # the same with 20 kernels and 200 ranges
part=$work/part-$N.tq
raw=$work/raw-$N.ndjson
result=$work/result-$N.ndjson

fail()
{
	echo "run.sh: $*" >&2
	exit 1
}

size()
{
	wc -c <"$1" | tr -d ' '
}

lines()
{
	wc -l <"$1" | tr -d ' '
}

# How many rows are stepped over.
rows()
{
	sed -n 's/^FROM \(.*\);$/SELECT count(*) FROM \1;/p' "$here/scan.sql" |
	sqlite3 -readonly "$1" |
	awk '{ n += $1 } END { print n }'
}

# run NAME BYTES RECORDS FLOORS ARGUMENTS-OF-MEASURE ...
# FLOORS are the names, with + between, of what this cannot be cheaper than.
run()
{
	name=$1 bytes=$2 records=$3 floors=$4
	shift 4
	line=$("$work/measure" -n "$name" "$@") || fail "$name: failed"
	printf '%s\n' "$line" |
	jq -c --argjson bytes "$bytes" --argjson records "$records" \
	    --arg floors "$floors" '. + { $bytes, $records, $floors }' >>"$raw"
}

round()
{
	run 'sqlite3 step' "$db_size" "$db_rows" '' \
	    "$work/step" "$here/scan.sql" "$database"
	run 'sqlite3 -json kernels' "$db_size" "$N" '' \
	    sqlite3 -readonly -json "$database" \
	    'SELECT * FROM CUPTI_ACTIVITY_KIND_KERNEL'
	run 'cat' "$stream_size" "$stream_lines" '' cat "$stream"
	run 'wc -l' "$stream_size" "$stream_lines" '' wc -l "$stream"
	# -c, because grep is done at the first match when it writes to
	# /dev/null, and when it does not, writing is not what is measured
	run 'grep -F' "$stream_size" "$stream_lines" '' \
	    -o "$work/count" grep -c -F cudaLaunchKernel "$stream"
	run 'wc -l correlated' "$corr_size" "$corr_lines" '' \
	    wc -l "$correlated"
	run 'wc -l repeating' "$rep_size" "$rep_lines" '' wc -l "$repeating"
	run 'jq -c ., a part' "$part_size" "$part_lines" '' jq -c . "$part"
	run 'tq-extract' "$db_size" "$stream_lines" 'sqlite3 step' \
	    "$BUILD/tq-extract" "$database"
	run 'tq-extract, .nsys-rep' "$report_size" "$stream_lines" \
	    'tq-extract' "$BUILD/tq-extract" "$report"
	run 'tq-extract -k kernel' "$db_size" "$N" 'sqlite3 -json kernels' \
	    "$BUILD/tq-extract" -k kernel "$database"
	run 'tq-correlate' "$stream_size" "$stream_lines" 'wc -l' \
	    -i "$stream" "$BUILD/tq-correlate"
	run 'tq-chrome' "$corr_size" "$corr_lines" 'wc -l correlated' \
	    -i "$correlated" "$BUILD/tq-chrome" -q
	run 'tq-perfetto' "$corr_size" "$corr_lines" 'wc -l correlated' \
	    -i "$correlated" "$BUILD/tq-perfetto" -q
	# what is read of a trace is a file, and writing it is not for nothing
	run 'tq-chrome, to a file' "$corr_size" "$corr_lines" \
	    'wc -l correlated' -i "$correlated" -o "$work/trace" \
	    "$BUILD/tq-chrome" -q
	rm -f "$work/trace"
	run 'tq-perfetto, to a file' "$corr_size" "$corr_lines" \
	    'wc -l correlated' -i "$correlated" -o "$work/trace" \
	    "$BUILD/tq-perfetto" -q
	rm -f "$work/trace"
	rm -rf "$work/tables"
	run 'tq-table' "$corr_size" "$corr_lines" 'wc -l correlated' \
	    "$BUILD/tq-table" -q -o "$work/tables" "$correlated"
	table_size=$(cat "$work/tables"/* | wc -c)
	rm -rf "$work/tables"
	run 'tq-filter, two keys' "$stream_size" "$stream_lines" 'wc -l' \
	    "$BUILD/tq-filter" --no-closure \
	    'kind == "kernel" && dur > 100us' "$stream"
	run 'tq-filter, closure' "$stream_size" "$stream_lines" 'wc -l' \
	    "$BUILD/tq-filter" 'kind == "kernel" && dur > 100us' "$stream"
	run 'tq-stats, kernels' "$stream_size" "$stream_lines" 'wc -l' \
	    "$BUILD/tq-stats" -r cuda_gpu_kern_sum "$stream"
	run 'tq-stats, overview' "$stream_size" "$stream_lines" 'wc -l' \
	    "$BUILD/tq-stats" "$stream"
	run 'tq-stats, executions' "$corr_size" "$corr_lines" \
	    'wc -l correlated' \
	    "$BUILD/tq-stats" -r cuda_kern_exec_sum "$correlated"
	run 'tq-stats, projection' "$corr_size" "$corr_lines" \
	    'wc -l correlated' \
	    "$BUILD/tq-stats" -r nvtx_gpu_proj_sum "$correlated"
	run 'projection, few names' "$rep_size" "$rep_lines" \
	    'wc -l repeating' \
	    "$BUILD/tq-stats" -r nvtx_gpu_proj_sum "$repeating"
	run 'page, correlated' "$corr_size" "$corr_lines" \
	    'wc -l correlated' "$BUILD/tq-stats" -q "$correlated"
	run 'page, few names' "$rep_size" "$rep_lines" \
	    'wc -l repeating' "$BUILD/tq-stats" -q "$repeating"
	# of a recording with itself, which is read twice
	run 'tq-diff' "$((2 * corr_size))" "$((2 * corr_lines))" \
	    'wc -l correlated+wc -l correlated' \
	    "$BUILD/tq-diff" "$correlated" "$correlated"
	run 'tq-diff, few names' "$((2 * rep_size))" "$((2 * rep_lines))" \
	    'wc -l repeating+wc -l repeating' \
	    "$BUILD/tq-diff" "$repeating" "$repeating"
	run 'extract|correlate|chrome' "$db_size" "$stream_lines" \
	    'sqlite3 step+wc -l+wc -l correlated' \
	    "$BUILD/tq-extract" "$database" '|' \
	    "$BUILD/tq-correlate" '|' "$BUILD/tq-chrome" -q
	run 'extract|correlate|stats' "$db_size" "$stream_lines" \
	    'sqlite3 step+wc -l+wc -l correlated' \
	    "$BUILD/tq-extract" "$database" '|' \
	    "$BUILD/tq-correlate" '|' "$BUILD/tq-stats"
	run 'tq chrome' "$db_size" "$stream_lines" 'extract|correlate|chrome' \
	    "$BUILD/tq" chrome -q "$database"
	run 'tq stats' "$db_size" "$stream_lines" 'extract|correlate|stats' \
	    "$BUILD/tq" stats "$database"
	run 'tq stats, .nsys-rep' "$report_size" "$stream_lines" \
	    'extract|correlate|stats' "$BUILD/tq" stats "$report"
	run 'tq advise' "$db_size" "$stream_lines" 'extract|correlate|stats' \
	    "$BUILD/tq" advise "$database"
}

# What people use for the same, where it is installed; once, as it takes minutes.
peers()
{
	if python3 -c 'import json' 2>/dev/null; then
		run 'python json.loads' "$stream_size" "$stream_lines" \
		    'tq-filter, two keys' python3 -c '
import json, sys
for line in open(sys.argv[1], "rb"):
    e = json.loads(line)
    if e["kind"] == "kernel" and e["dur"] > 100000:
        sys.stdout.buffer.write(line)' "$stream"
	fi
	if command -v duckdb >/dev/null; then
		run 'duckdb, kernels' "$stream_size" "$stream_lines" \
		    'tq-stats, kernels' duckdb -c "
			SELECT name, count(*), sum(dur), min(dur), max(dur)
			FROM read_json('$stream',
			    format = 'newline_delimited',
			    columns = $("$BUILD/tq-extract" --schema=duckdb))
			WHERE kind = 'kernel' GROUP BY name"
	fi
	if [ -n "${NSYS2JSON:-}" ]; then
		run 'nsys2json' "$db_size" "$stream_lines" \
		    'extract|correlate|chrome' python3 "$NSYS2JSON" \
		    -f "$database" -o "$work/trace" -t kernel nvtx cuda-api
		rm -f "$work/trace"
	fi
}

# What all but the first record is, of a stream: that has what only one of the
# database and the .nsys-rep has.
sum_of()
{
	tail -n +2 | cksum
}

# The columns of a sum, but for the median, of what SQLite groups itself.
group_by()
{
	name=$1 rows=$2 column=$3 table=$4
	run "$name" "$db_size" "$rows" '' sqlite3 -readonly "$database" \
	    "SELECT $column, count(*), sum(\"end\" - start),
		min(\"end\" - start), max(\"end\" - start)
	    FROM $table GROUP BY 1"
}

# Reports of an export, of which only what they need is read.
reports()
{
	calls=$(sqlite3 -readonly "$database" \
	    'SELECT count(*) FROM CUPTI_ACTIVITY_KIND_RUNTIME')
	group_by 'GROUP BY, kernels' "$N" demangledName \
	    CUPTI_ACTIVITY_KIND_KERNEL
	group_by 'GROUP BY, calls' "$calls" nameId CUPTI_ACTIVITY_KIND_RUNTIME
	run 'tq stats, kernels' "$db_size" "$N" 'GROUP BY, kernels' \
	    "$BUILD/tq" stats -r cuda_gpu_kern_sum "$database"
	run 'tq stats, calls' "$db_size" "$calls" 'GROUP BY, calls' \
	    "$BUILD/tq" stats -r cuda_api_sum "$database"
	run 'tq stats, executions' "$db_size" "$N" \
	    'GROUP BY, kernels+GROUP BY, calls' \
	    "$BUILD/tq" stats -r cuda_kern_exec_sum "$database"
	run 'tq stats, projection' "$db_size" "$N" \
	    'GROUP BY, kernels+GROUP BY, calls' \
	    "$BUILD/tq" stats -r nvtx_gpu_proj_sum "$database"
}

# The medians of the rounds, in the order in which things were first run.
summarise()
{
	jq -s -c --argjson kernels "$N" --argjson rounds "$ROUNDS" \
	    --argjson json "$json_size" --argjson trace "$trace_size" \
	    --arg date "$(date +%Y-%m-%d)" --arg cpus "$(nproc)" \
	    --arg commit "$("$BUILD/tq" --version | sed 's/.*(\(.*\)).*/\1/')" \
	    --arg cpu "$(sed -n 's/^model name.*: //p' /proc/cpuinfo |
		head -n 1)" '
	def median: sort | .[(length - 1) / 2 | floor];
	def cpu: .user_ns + .system_ns;
	def total(key): [.stages[] | key] | add;

	def stage: {
		command: .[0].command,
		user_ns: map(.user_ns) | median,
		system_ns: map(.system_ns) | median,
		max_rss_bytes: map(.max_rss_bytes) | median
	};

	def measured: {
		name: .[0].name, $kernels, $rounds,
		$date, $commit, $cpus, $cpu,
		records: .[0].records,
		bytes: .[0].bytes,
		wall_ns: map(.wall_ns) | median,
		user_ns: map(total(.user_ns)) | median,
		system_ns: map(total(.system_ns)) | median,
		floors: .[0].floors | split("+"),
		stages: map(.stages) | transpose | map(stage)
	};

	. as $runs
	| reduce .[].name as $n ([]; if index($n) then . else . + [$n] end)
	| map(. as $n | [$runs[] | select(.name == $n)] | measured)
	| . as $all
	| .[]
	| ([.floors[] as $f | $all[] | select(.name == $f) | cpu] | add) as $f
	| if ($f // 0) == 0 then del(.floors)
	  else . + { floor_ns: $f, ratio: (cpu / $f * 100 | round / 100) } end
	| if .name == "tq-perfetto"
	  then . + { output_bytes: $trace, json_bytes: $json } else . end
	' "$raw"
}

table()
{
	jq -r '[.name, .user_ns, .system_ns, .wall_ns,
	    ([.stages[].max_rss_bytes / 1e6 | round | tostring] | join("/")),
	    .bytes, .records, .ratio // "-"] | @tsv' "$result" |
	awk -F '\t' '
	BEGIN {
		form = "%-24s %6s %6s %6s %12s %6s %9s %8s\n"
		printf form, "", "user s", "sys s", "wall s", "peak MB", "MB/s",
		    "ns/record", "x floor"
	}
	{
		mbps = $4 > 0 ? sprintf("%.0f", $6 * 1000 / $4) : "-"
		each = $7 > 0 ? sprintf("%.0f", $2 / $7) : "-"
		printf form, $1, sprintf("%.2f", $2 / 1e9),
		    sprintf("%.2f", $3 / 1e9), sprintf("%.2f", $4 / 1e9), $5,
		    mbps, each, $8
	}'
}

for program in jq sqlite3 zstd; do
	command -v "$program" >/dev/null || fail "$program: not found"
done
for program in tq tq-extract tq-correlate tq-diff tq-filter tq-stats tq-chrome \
    tq-perfetto tq-table bench/generate bench/measure bench/step; do
	[ -x "$BUILD/$program" ] || fail "$BUILD/$program: not built"
done

trap 'rm -f "$stream" "$correlated" "$repeating" "$repeating.tmp" \
    "$work/few.sqlite" "$part" "$raw" "$work/count" "$work/trace"
    rm -rf "$work/tables"' EXIT
trap 'exit 1' HUP INT TERM
rm -f "$raw"
{ [ -n "$(find "$database" -newer "$work/generate" 2>/dev/null)" ] &&
	[ -e "$report" ]; } ||
	"$work/generate" -n "$N" -r "$report" "$database"
"$BUILD/tq-extract" "$database" >"$stream" || fail 'tq-extract: failed'
"$BUILD/tq-correlate" <"$stream" >"$correlated" ||
	fail 'tq-correlate: failed'
[ "$("$BUILD/tq-extract" "$report" | sum_of)" = "$(sum_of <"$stream")" ] ||
	fail "$database and $report: their streams differ"
head -n 200000 "$stream" >"$part"
"$work/generate" -k -n "$N" "$work/few.sqlite"
"$BUILD/tq-extract" -o "$repeating.tmp" "$work/few.sqlite" ||
	fail 'tq-extract: failed'
"$BUILD/tq-correlate" -o "$repeating" "$repeating.tmp" ||
	fail 'tq-correlate: failed'
rm "$repeating.tmp" "$work/few.sqlite"

db_size=$(size "$database")
db_rows=$(rows "$database")
report_size=$(size "$report")
stream_size=$(size "$stream")
stream_lines=$(lines "$stream")
part_size=$(size "$part")
part_lines=$(lines "$part")
corr_size=$(size "$correlated")
corr_lines=$(lines "$correlated")
rep_size=$(size "$repeating")
rep_lines=$(lines "$repeating")
json_size=$("$BUILD/tq-chrome" -q "$correlated" | wc -c)
trace_size=$("$BUILD/tq-perfetto" -q "$correlated" | wc -c)
zstd_size=$(zstd -qc "$correlated" | wc -c)

i=0
while [ "$i" -lt "$ROUNDS" ]; do
	round
	reports
	i=$((i + 1))
done
peers
summarise >"$result.tmp"
mv "$result.tmp" "$result"

cat <<END
$N kernels: $db_rows rows in $db_size bytes of database,
the same events in $report_size bytes of .nsys-rep,
$stream_lines records in $stream_size bytes of stream.
Medians of $ROUNDS rounds. MB/s is input over wall time, ns/record is user time,
x floor is CPU time over that of sqlite3 step, of wc -l, or of both; of a report
of an export, over that of sqlite3's own GROUP BY with sum, min and max; of a
.nsys-rep, over that of the same with the database; of another program, over
that of tq's for the same.

END
table
jq -s -r --argjson trace "$trace_size" --argjson json "$json_size" \
    --argjson table "$table_size" --argjson zstd "$zstd_size" '
def cpu(n): .[] | select(.name == n) | .user_ns + .system_ns;
def of(a; b): a * 1000 / b | round / 10 | tostring + " %";

"\nWhat tq-perfetto writes is \(of($trace; $json)) of what tq-chrome does;",
"its CPU time is \(of(cpu("tq-perfetto, to a file");
    cpu("tq-chrome, to a file"))) of that of tq-chrome to a file,",
"and \(of(cpu("tq-perfetto"); cpu("tq-chrome"))) where nothing is written.",
"What tq-table writes is \(of($table; $zstd)) of what zstd makes of the stream;",
"its CPU time is \(of(cpu("tq-table"); cpu("tq-chrome"))) of that of tq-chrome."
' "$result"
