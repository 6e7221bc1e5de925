# gaps.bash - what the tests of gaps share

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# op KIND TS DUR [API_TS API_DUR [MORE]]: an operation of pid 1, device 0,
# context 1; stream 7, thread 1 and a name unless MORE says otherwise
op() {
	printf '{"kind":"%s","ts":%s,"dur":%s,"pid":1,"device":0,"context":1' \
	    "$1" "$2" "$3"
	[[ ${6-} == *'"stream"'* ]] || printf ',"stream":7'
	[[ $1 != kernel || ${6-} == *'"name"'* ]] || printf ',"name":"k"'
	[[ -z ${6-} ]] || printf ',%s' "$6"
	if [[ -n ${4-} ]]; then
		[[ ${6-} == *'"tid"'* ]] || printf ',"tid":1'
		printf ',"api_ts":%s,"api_dur":%s' "$4" "$5"
		[[ ${6-} == *api_name* ]] || printf ',"api_name":"launch"'
	fi
	echo '}'
}

# call TS DUR NAME [TID]
call() {
	printf '{"kind":"api","ts":%s,"dur":%s,"pid":1,"tid":%s,"name":"%s"}\n' \
	    "$1" "$2" "${4:-1}" "$3"
}

# table REPORT [FILE]: what tq-stats says, as csv without its header
table() {
	tq-stats -q -f csv -r "$@" | tail -n +2
}

# is WHAT: standard input is that, byte for byte
is() {
	local got

	got=$(cat)
	[[ $got == "$1" ]] || { printf 'got:\n%s\n' "$got"; return 1; }
}

# gaps [:stream] [FILE]: rows of gaps, up to the call, without Sync and HTA
gaps() {
	local first=7

	[[ ${1-} != :stream ]] || first=9
	table "gaps$1" "${@:2}" |
	    cut -d, -f "1-3,5-$first,$((first + 2)),$((first + 3))"
}

# cause_of_gap < RECORDS: what the one gap of a stream is put down to
cause_of_gap() {
	stream > one
	gaps "${1-}" one | tee rows
	(($(wc -l < rows) == 1))
}

# each FUNCTION: of every real export, correlated; FUNCTION compares, and says
# what differs
each() {
	local name

	need data
	for name in "${COSTLY[@]}"; do
		"$1" "$(correlated "$name")" || { echo "$name"; return 1; }
	done
}
