# helper.bash - what the test files share; they open with "load helper"
#
# BUILD says which programs are tested (default: build); they come first in
# PATH, and a test calls them by name, as a user would.

bats_require_minimum_version 1.5.0
top=$(cd "$BATS_TEST_DIRNAME/.." && pwd)
BUILD=$(cd "$top" && cd "${BUILD:-build}" && pwd)
export BUILD PATH="$BUILD:$PATH" LC_ALL=C.UTF-8
unset BASH_ENV POSIXLY_CORRECT NO_COLOR
export SHELL=/bin/sh # of script(1) and others

# The names of the programs that were built.
tools() {
	local f
	for f in "$BUILD"/tq-*; do
		if [[ -f $f && -x $f ]]; then
			echo "${f##*/}"
		fi
	done
}

# need tq-x ...: skip the test while one of these programs is not there.
need() {
	local tool
	for tool; do
		[[ -x $BUILD/$tool ]] || skip "no $tool"
	done
}

# supports tq-x OPTION: does its --help know it ("-z", "--from")?
supports() {
	"$1" --help | grep -qE -- "^(  |      )(-., )?$2([ ,=]|\$)"
}

# data FILE: set $data to its path among the real exports; skip the test
# where they are not at hand.  Not to be called in $(...).
data() {
	data=${TQ_DATA:-$top/../shared/data}/$1
	[[ -e $data ]] || skip "no real data: $1"
}

# fixture NAME: print the path of the database made of tests/data/NAME.sql;
# it is made once for a test file, and not to be changed.
fixture() {
	database "$1" sh "$top/tests/data/make.sh" "$1"
}

# demo: the same for examples/demo.sql.
demo() {
	database demo cat "$top/examples/demo.sql"
}

# database NAME COMMAND ...: what fixture and demo do, of the SQL that the
# command prints.
database() {
	local db=$BATS_FILE_TMPDIR/$1.sqlite new

	if [[ ! -e $db ]]; then
		new=$db.$BASHPID # another test may make it at the same time
		"${@:2}" | sqlite3 -batch -bail "$new" >&2 &&
		    mv "$new" "$db" || return 1
	fi
	echo "$db"
}

# stream [LINE ...]: a valid section of these records, or of those on stdin.
stream() {
	local lines=() n

	if (($# > 0)); then
		lines=("$@")
	elif [[ ! -t 0 ]]; then
		mapfile -t lines
	fi
	n=${#lines[@]}
	echo '{"kind":"trace","version":1,"source":"test"}'
	((n == 0)) || printf '%s\n' "${lines[@]}"
	echo '{"kind":"end","events":'"$n"',"dropped":0}'
}

# operand tq-x: print the path of a file that this tool can read.
operand() {
	local file=$BATS_TEST_TMPDIR/operand.tq

	if [[ $1 = tq-extract ]]; then
		demo
	else
		stream '{"kind":"mark","ts":1,"pid":1,"tid":1,"name":"a"}' \
		    '{"kind":"osrt","ts":2,"dur":1,"pid":1,"tid":1,"name":"b"}' > "$file"
		echo "$file"
	fi
}
