#!/usr/bin/env bats
# tq-extract --schema: the kinds and keys, and what databases make of them.

load helper

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# all keys, in the order of the schema
keys() {
	tq-extract --schema | jq -r .key | sort -u
}

@test "--schema has a form for each database, with all keys in it" {
	keys > expect
	tq-extract --schema=ndjson | cmp - <(tq-extract --schema)
	tq-extract --schema=duckdb | tr "'" '"' | tr -d '\n' | jq -r keys[] |
	    sort | diff expect - > extra || true
	# kind itself is a column, and no key of a kind
	[[ $(grep '^[<>]' extra) = '> kind' ]]
	tq-extract --schema=clickhouse | sed 's/^`\([a-z_]*\)` .*/\1/' |
	    grep -vx kind | sort | diff expect -
	run -2 tq-extract --schema=oracle
	[[ $output = "tq-extract: --schema oracle: expected ndjson, duckdb, clickhouse or sqlite" ]]
}

# kinds_of_page: KIND KEY, for each key of each kind in tq-events(5)
kinds_of_page() {
	awk '/^[.]It Cm/ { kind = $3 }
	    /^Keys:/ { keys = 1; next }
	    !/^[.]Cm/ { keys = 0 }
	    keys { for (i = 2; i <= NF; i++) print kind, $i }' \
	    "$top/man/tq-events.5"
}

# keys_of_page: KEY TYPE [UNIT]: DOC, for each key in tq-events(5), Keys
keys_of_page() {
	sed -n '/^[.]Ss Keys/,/^[.]El/p' "$top/man/tq-events.5" | awk '
	    /^[.]/ && key != "" { print key line }
	    /^[.]/ { key = /^[.]It Cm/ ? $3 : ""; line = ""; next }
	    { line = line " " $0 }'
}

@test "tq-events(5) has all kinds, and all of their keys in canonical order" {
	sed -n 's/^KEY(\([a-z_0-9]*\),.*/\1/p' "$top/include/tq/events.def" > order
	kinds_of_page > page
	tq-extract --schema | jq -r '"\(.kind) \(.key)"' | sort |
	    diff - <(sort page)
	awk 'NR == FNR { place[$1] = NR; next }
	    $1 == kind && place[$2] < last { print; wrong = 1 }
	    { kind = $1; last = place[$2] }
	    END { exit wrong }' order page
}

@test "tq-events(5) has all keys in canonical order, as --schema describes them" {
	sed -n 's/^KEY(\([a-z_0-9]*\),.*/\1/p' "$top/include/tq/events.def" > order
	tq-extract --schema | jq -r '"\(.key) \(.type)" +
	    if .unit != "" then " [\(.unit)]" else "" end + ": \(.doc)"' |
	    awk 'NR == FNR { line[$1] = $0; next } $1 in line { print line[$1] }' \
	        - order > schema
	keys_of_page | sed 1d | diff schema -
}

@test "--schema=sqlite makes a view of a stream, with exact integers" {
	{
		echo '{"kind":"kernel","ts":9223372036854775806,"dur":1,"name":"a"}'
		echo '{"kind":"kernel","ts":1,"grid":[1,2,3],"name":"b \"c\"","new":1}'
	} > in.tq
	tq-extract --schema=sqlite | sqlite3 db
	tq-extract --schema=sqlite | sqlite3 db # a second time is no error
	sqlite3 db '.mode ascii' '.separator "\037" "\n"' '.import in.tq line' \
	    '.mode list' 'SELECT ts, dur, name, grid FROM event ORDER BY ts' > got
	diff - got <<-'END'
	1||b "c"|[1,2,3]
	9223372036854775806|1|a|
	END
}

@test "--schema=duckdb lets DuckDB read keys that come late" {
	need duckdb
	tq-extract "$(demo)" > in.tq
	duckdb -csv -noheader -c "SELECT count(*), sum(dur) FROM read_json('in.tq',
	    format = 'newline_delimited',
	    columns = $(tq-extract --schema=duckdb)) WHERE kind = 'kernel'" > got
	jq -sr '[.[] | select(.kind == "kernel")] |
	    "\(length),\(map(.dur) | add)"' in.tq | diff - got
}
