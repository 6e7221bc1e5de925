#!/usr/bin/env bats
# tq-filter, what it changes: --set, --tag, --merge-short, --redact, --clip.

load helper

setup_file() {
	[[ -x $BUILD/tq-extract && -x $BUILD/tq-correlate ]] || return 0
	tq-extract "$(demo)" | tq-correlate --path > "$BATS_FILE_TMPDIR/demo.tq"
}

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	demo=$BATS_FILE_TMPDIR/demo.tq
}

# kernel TS DUR NAME [KEY ...]: a line of the stream
kernel() {
	echo '{"kind":"kernel","ts":'"$1"',"dur":'"$2"',"pid":1,"name":"'"$3"'",' \
	    '"device":0,"context":1,"stream":7'"${4:+,$4}"'}' | tr -d '\n' |
	    sed 's/", "/","/'
	echo
}

# whole FILE: its end record counts its lines
whole() {
	[[ $(tail -n 1 "$1" | jq .events) = $(($(wc -l < "$1") - 2)) ]]
}

# ---- --set ----

@test "--set gives a key the value of an expression, in its place or at the end" {
	stream '{"kind":"mark","ts":1,"pid":1,"name":"a"}' > in
	run -2 tq-filter --set '.x=5' in
	tq-filter --set 'name="b"' --set 'tid=pid+1' --set 'mine=ts*2' in > out
	[[ $(sed -n 2p out) = '{"kind":"mark","ts":1,"pid":1,"name":"b","tid":2,"mine":2}' ]]
	whole out
}

@test "where there is no value a record stays as it is, byte for byte" {
	stream '{"kind":"mark", "ts":1,"name":"a"}' > in
	tq-filter --set 'tid=pid+1' in | cmp - in
	tq-filter --set 'tid=1/(ts-1)' in | cmp - in
}

@test "settings are all evaluated before the first is set" {
	stream '{"kind":"mark","ts":1,"pid":1,"tid":2}' > in
	tq-filter --set 'pid=tid' --set 'tid=pid' in > out
	[[ $(sed -n 2p out) = '{"kind":"mark","ts":1,"pid":2,"tid":1}' ]]
}

@test "a value of another type than the key, and kind and ts, are refused" {
	for setting in 'name=5' 'pid="a"' 'kind="mark"' 'ts=5' 'pid' '=5' 'pid=' \
	    'pid=1+'; do
		run -2 --separate-stderr tq-filter --set "$setting" in
		[[ -z $output && ${stderr_lines[0]} = tq-filter:* ]]
	done
}

# ---- --tag ----

@test "--tag gives kernels the category of the first rule that is true" {
	stream "$(kernel 1 5 gemm)" "$(kernel 7 5 nccl)" "$(kernel 13 5 gemm2)" \
	    "$(kernel 20 5 other)" "$(kernel 30 5 gemm '"category":"mine"')" \
	    '{"kind":"mark","ts":40,"name":"gemm"}' > in
	printf '# rules\n\nfast dur < 5\none name == "gemm"\ntwo name ~ /gemm/\n' > rules
	tq-filter --tag rules in > out
	[[ $(jq -r 'select(.ts).category' out | paste -sd,) = one,null,two,null,mine,null ]]
	whole out
}

@test "the rules that are built in know the kernels of the example" {
	tq-filter -k kernel --tag default "$demo" > out
	[[ $(jq -s 'map(select(.kind == "kernel" and (.category | not))) | length' out) = 0 ]]
	[[ $(jq -r 'select(.kind == "kernel" and (.name | test("nccl"))).category' out |
	    sort -u) = communication ]]
}

@test "a rule that is wrong is shown with its file and line, and exits 2" {
	printf 'a dur > 1\nb dur >\n' > rules
	run -2 --separate-stderr tq-filter --tag rules in
	[[ ${stderr_lines[0]} = 'tq-filter: rules:2: '* ]]
	run -1 --separate-stderr tq-filter --tag none in
	[[ $stderr = 'tq-filter: none: No such file or directory' ]]
}

# ---- --merge-short ----

@test "a run of short kernels on a stream is one record, with count and busy" {
	stream "$(kernel 0 4 a)" "$(kernel 5 4 a)" "$(kernel 10 3 b)" \
	    "$(kernel 14 90 long)" "$(kernel 110 2 a)" "$(kernel 130 2 a)" > in
	tq-filter --merge-short 10ns in > out
	[[ $(jq -c 'select(.ts) | [.ts, .dur, .name, .count, .busy]' out | paste -sd' ') = \
	    '[0,13,"3 kernels",3,11] [14,90,"long",null,null] [110,2,"a",null,null] [130,2,"a",null,null]' ]]
	whole out
}

@test "sums stay exact, order stays, and nothing else changes" {
	for limit in 1us 10us 50us 1ms 1s; do
		tq-filter --merge-short $limit "$demo" > out
		whole out
		[[ $(jq -s 'map(select(.kind == "kernel") | .busy // .dur) | add' out) = \
		    $(jq -s 'map(select(.kind == "kernel").dur) | add' "$demo") ]]
		[[ $(jq -s 'map(select(.kind == "kernel") | .count // 1) | add' out) = \
		    $(grep -c '"kind":"kernel"' "$demo") ]]
		jq -se 'map(select(.ts and .kind != "gpu-range").ts) | . == sort' out
		diff <(grep -v '"kind":"\(kernel\|end\)"' "$demo") \
		    <(grep -v '"kind":"\(kernel\|end\)"' out)
		tq-chrome -q out > trace.json
	done
}

# ---- --redact ----

@test "nothing of names, paths, hosts and commands is left by --redact" {
	tq-filter --redact --key k "$demo" > out
	whole out
	jq -r '(select(.kind | IN("process", "thread", "symbol", "kernel", "range",
	    "mark", "stream", "trace")) | .name, .demangled, .mangled, .host,
	    .command, .text), (.frames // [])[], (.path // [])[] |
	    select(. and length > 3)' "$demo" | sort -u > names
	[[ -s names ]]
	run -1 grep -c -F -f names <(jq -r '.. | strings' out)
}

@test "what is equal stays equal, numbers and structure stay" {
	tq-filter --redact --key k "$demo" > out
	jq -c 'walk(if type == "string" then "" else . end)' "$demo" > numbers
	jq -c 'walk(if type == "string" then "" else . end)' out | cmp numbers -
	paste -d' ' <(jq -r 'select(.kind == "kernel").name' "$demo") \
	    <(jq -r 'select(.kind == "kernel").name' out) | sort -u > pairs
	[[ $(cut -d' ' -f1 pairs | uniq -d) = '' ]]
	[[ $(cut -d' ' -f2 pairs | sort | uniq -d) = '' ]]
}

@test "pseudonyms hang on the key, and on nothing else" {
	tq-filter --redact --key k "$demo" > one
	tq-filter --redact --key k "$demo" | cmp one -
	tq-filter --redact --key l "$demo" > other
	run -1 cmp -s one other
	run --separate-stderr tq-filter --redact "$demo"
	[[ $status = 0 && $stderr = *"without --key"* ]]
	run -2 tq-filter --key k "$demo"
}

# ---- --clip ----

@test "--clip shortens what reaches beyond the rest, and keeps what it was" {
	stream '{"kind":"range","ts":0,"dur":100,"pid":1,"tid":1,"name":"outer","id":1,"mode":"push"}' \
	    '{"kind":"range","ts":5,"dur":80,"pid":1,"tid":1,"name":"mid","id":2,"mode":"push"}' \
	    '{"kind":"range","ts":20,"dur":10,"pid":1,"tid":1,"name":"step","id":3,"mode":"push"}' \
	    '{"kind":"mark","ts":25,"pid":1,"tid":1,"name":"m"}' > in
	tq-filter --range step --clip in > out
	[[ $(jq -c 'select(.kind == "range") | [.name, .ts, .dur, .range_ts, .range_dur, .cut]' out |
	    paste -sd' ') = '["outer",20,10,0,100,true] ["mid",20,10,5,80,true] ["step",20,10,null,null,null]' ]]
	whole out
	run -2 tq-filter --clip --no-closure --range step in
}

@test "clipped streams are in order, and lie in what is left" {
	for selection in --time=20ms:30ms '--step=1' 'dur > 1ms && kind == "kernel"'; do
		tq-filter --clip "$selection" "$demo" > out
		whole out
		jq -se 'map(select(.ts and .kind != "gpu-range").ts) | . == sort' out
		jq -se 'map(select(.ts and .kind != "gpu-range" and (.cut | not)).ts) as $t |
		    all(.[] | select(.range_ts and .kind == "range"); .ts >= ($t | min))' out
		tq-correlate out | tq-chrome -q > trace.json
	done
}

# ---- all of them ----

@test "changes are made one after the other: set, tag, redact, merge" {
	tq-filter --set 'category="x"' --tag default --redact --key k \
	    --merge-short 100us "$demo" > out
	whole out
	[[ $(jq -r 'select(.kind == "kernel").category' out | sort -u) = x ]]
	run -1 grep -c nvjet out
}

@test "a cut that is changed is a stream for all tools" {
	tq-filter --step 1 --scope process --clip --tag default --redact --key k \
	    "$demo" | tq-correlate | tq-chrome -q > trace.json
	jq -e '.traceEvents | length > 100' trace.json
}
