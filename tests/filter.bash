# filter.bash - streams by hand, and what tq-filter makes of them

# records TEXT: between ";", "rID START END", a range, "cCORR START END", a call,
# "kCORR START END", a kernel, or "mTS", a mark, of thread 1 of process 1, with
# KEY=VALUE behind it to change that, or KEY= to be without; "+" is a space
records() {
	tr -d '\n\t' <<< "$1" | tr ';' '\n' | jq -Rc 'sub("^ +"; "") | select(. != "") |
	    if startswith("{") then fromjson else [splits(" +")] | . as $words |
	    (.[0][1:] | tonumber) as $no | (.[1] | tonumber? // 0) as $ts |
	    ((.[2] | tonumber? // 0) - $ts) as $dur | {
		r: {kind: "range", $ts, $dur, pid: 1, tid: 1, name: "r\($no)", id: $no},
		c: {kind: "api", $ts, $dur, pid: 1, tid: 1, corr: $no, name: "launch"},
		k: {kind: "kernel", $ts, $dur, pid: 1, corr: $no, name: "k", device: 0, stream: 7},
		m: {kind: "mark", ts: $no, pid: 1, tid: 1, name: "\($no)"}}[.[0][:1]] +
	    ($words[1:] | map(select(contains("=")) / "=" | {key: .[0],
		value: (.[1] | gsub("\\+"; " ") | fromjson? // .)}) | from_entries) |
	    with_entries(select(.value != "")) end'
}

# lines TEXT: these into the file in, as a section
lines() {
	records "$1" | stream > in
}

# filter OPTION ...: from in to out, of which the end has to tell how many
# records there are; what is said is in err
filter() {
	tq-filter "$@" in > out 2> err
	awk '/^{"kind":"trace"/ { n = -1 } { n++ } /^{"kind":"end"/ &&
	    !index($0, "\"events\":" n - 1 ",") { exit 1 }' out
}

# chooses TEXT OPTION ...: the records that stay, in short, with "!" where one is cut
chooses() {
	local got

	filter "${@:2}"
	got=$(jq -r 'select(.kind != "trace" and .kind != "end") | . as $r | {range: "r", api: "c",
	    kernel: "k", mark: "m"}[.kind] // .kind | . + "\($r.id // $r.corr // $r.name //
	    $r.tid // $r.stream // $r.device // $r.pid)\(if $r.cut then "!" else "" end)"' out)
	got=${got//$'\n'/ }
	if [[ $got != "$1" ]] || grep -v 'have no API call in the stream' err; then
		printf '%s\n' "${*:2}:" "$got" "instead of" "$1"
		return 1
	fi
}

# refuses TEXT OPTION ...: with status 1, and nothing but this
refuses() {
	run -1 --separate-stderr tq-filter -o new "${@:2}" in
	[[ ! -e new && -z $output && $stderr = "tq-filter: $1" ]]
}
