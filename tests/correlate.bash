# correlate.bash - what the tests of tq-correlate share: they open with
# "load helper" and "load correlate"
#
# range, call, kernel and mark print a record of thread 1 of process 1; of
# equal keys the last counts, so that KEYS can replace what is there.

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# range ID START END [KEYS]: named rID
range() {
	printf '{"kind":"range","ts":%d,"dur":%d,"pid":1,"tid":1' \
	    "$2" $(($3 - $2))
	printf ',"name":"r%d","id":%d,"mode":"push"%s}\n' "$1" "$1" "${4-}"
}

# call CORR START END [KEYS]: launched one operation, if KEYS do not say more
call() {
	printf '{"kind":"api","ts":%d,"dur":%d,"pid":1,"tid":1' \
	    "$2" $(($3 - $2))
	printf ',"corr":%d,"name":"cudaLaunchKernel"' "$1"
	printf ',"api":"cuda-runtime","ret":0%s}\n' "${4-,\"gpu\":1}"
}

# kernel CORR START END [KEYS]
kernel() {
	printf '{"kind":"kernel","ts":%d,"dur":%d,"pid":1,"corr":%d' \
	    "$2" $(($3 - $2)) "$1"
	printf ',"name":"k","device":0,"context":1,"stream":7%s}\n' "${4-}"
}

mark() {
	printf '{"kind":"mark","ts":%d,"pid":1,"tid":1,"name":"m"}\n' "$1"
}

# correlate [OPTION ...]: the records on stdin as a section, into the file out
correlate() {
	stream > in
	tq-correlate "$@" in > out
}

# shows KIND FILTER TEXT: what the filter makes of the records of that kind,
# in this order, each on a line
shows() {
	local got
	got=$(jq -c "select(.kind == \"$1\") | $2" out)
	if [[ $got != "$3" ]]; then
		printf '%s\n' "$got" "instead of" "$3"
		return 1
	fi
}

# kinds TEXT: the kinds of all records, in this order
kinds() {
	[[ $(jq -r .kind out | tr '\n' ' ') = "$1 " ]]
}
