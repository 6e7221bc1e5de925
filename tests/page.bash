# page.bash - what the tests of the page share

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

# work KIND TS DUR DEVICE NAME [KEYS]: an operation
work() {
	echo '{"kind":"'"$1"'","ts":'"$2"',"dur":'"$3"',"pid":1,"tid":1,"corr":'"$2"`
	    `',"name":"'"$5"'","device":'"$4"',"context":1,"stream":7'"${6:-}"'}'
}
