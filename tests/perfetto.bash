# perfetto.bash - what the tests of tq-perfetto share: load it behind helper
# and chrome, whose records it draws
# shellcheck shell=bash

setup() {
	need perl
	cd "$BATS_TEST_TMPDIR"
}

# decode FILE: what it draws, as lines of JSON; fails where it is not valid
decode() {
	perl "$top/tests/perfetto.pl" "$1"
}

# draw [OPTION ...]: the records on stdin, a section, become out.pftrace, and
# what that draws out; what is said on stderr becomes err
draw() {
	stream > in
	tq-perfetto "$@" in > out.pftrace 2> err || return 1
	decode out.pftrace > out
}

# shows FILTER EXPECT: what jq makes of each line
shows() {
	local got

	got=$(jq -c "$1 | $plain" out)
	if [[ $got != "$2" ]]; then
		printf 'expected:\n%s\ngot:\n%s\n' "$2" "$got"
		return 1
	fi
}

# stands EXPECT: where each slice stands
stands() {
	shows 'select(.what == "slice") | [.name, .track]' "$1"
}

# arrows EXPECT: from where to where they lead
arrows() {
	shows 'select(.what == "arrow") | [.from, .from_ts, .to, .to_ts]' "$1"
}
