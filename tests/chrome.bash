# chrome.bash - what the tests of tq-chrome share: load it behind helper
# shellcheck shell=bash

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# draw [OPTION ...]: the records on stdin, a section, become out; what is
# said on stderr becomes err.  All of it is strict JSON.
draw() {
	stream > in
	tq-chrome "$@" in > out 2> err || return 1
	jq empty out
}

# shows FILTER EXPECT: what jq makes of each event, a line each
shows() {
	local got

	got=$(jq -c ".traceEvents[] | $1 | $plain" out)
	if [[ $got != "$2" ]]; then
		printf 'expected:\n%s\ngot:\n%s\n' "$2" "$got"
		return 1
	fi
}

# says TEXT: this is all that stderr said, but for the summary
says() {
	local got

	got=$(grep -v 'events in, ' err || true)
	if [[ $got != "$1" ]]; then
		echo "said: $got"
		return 1
	fi
}

# where each slice and instant stands: its name, the process under the title
# that Perfetto shows, and the thread by name
places='(map(select(.ph == "M" and .name == "process_name")
	| {key: "\(.pid)", value: "\(.args.name) \(.pid)"}) | from_entries) as $p
    | (map(select(.ph == "M" and .name == "thread_name")
	| {key: "\(.pid) \(.tid)", value: .args.name}) | from_entries) as $t
    | .[] | select(.ph == "X" or .ph == "i")
    | [.name, $p["\(.pid)"], $t["\(.pid) \(.tid)"]]'

stands() {
	local got

	got=$(jq -c ".traceEvents | $places" out)
	if [[ $got != "$1" ]]; then
		printf 'expected:\n%s\ngot:\n%s\n' "$1" "$got"
		return 1
	fi
}

# kernel CORR TS END [MORE]
kernel() {
	echo '{"kind":"kernel","ts":'"$2"',"dur":'"$(($3 - $2))"',"pid":1,'\
'"corr":'"$1"',"name":"k'"$1"'","device":0,"context":1,"stream":7'"$4"'}'
}

# call CORR TS END [MORE]
call() {
	echo '{"kind":"api","ts":'"$2"',"dur":'"$(($3 - $2))"',"pid":1,'\
'"tid":1,"corr":'"$1"',"name":"launch","api":"cuda-runtime"'"$4"'}'
}

# range NAME TS END [MORE]
range() {
	echo '{"kind":"range","ts":'"$2"',"dur":'"$(($3 - $2))"',"pid":1,'\
'"tid":1,"name":"'"$1"'"'"$4"'}'
}

# projected ID TS END [MORE]
projected() {
	echo '{"kind":"gpu-range","ts":'"$2"',"dur":'"$(($3 - $2))"',"pid":1,'\
'"tid":1,"name":"r'"$1"'","device":0,"range":'"$1$4"'}'
}
