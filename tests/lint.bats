#!/usr/bin/env bats
# What make lint finds in the tests themselves

load helper

# lint: the lines of a test file, on stdin, that bats.awk prints
lint() {
	cat > "$BATS_TEST_TMPDIR/x.bats"
	awk -f "$top/tests/bats.awk" "$BATS_TEST_TMPDIR/x.bats" |
	    sed 's/^[^:]*x.bats:\([0-9]*\): .*/\1/'
}

@test "no test has an assertion with ! that cannot fail" {
	awk -f "$top/tests/bats.awk" "$top"/tests/*.bats "$top"/tests/*.bash
}

@test "a command with ! in the middle of a test, a loop or a branch is found" {
	run -0 lint <<- 'END'
		test_x() {
			! grep a b
			for i in 1 2; do
				! false |
				    grep c
			done
			if true; then
				! grep \
				    d e
			fi

			! grep f g
			# a comment
			cat <<- EOF
				! grep in a document
			EOF
			true
		}
	END
	[[ $output = '2
4
8
12' ]]
}

@test "one that counts is not: the last of a function, and one with || behind it" {
	run -0 lint <<- 'END'
		absent() {
			! grep "$@"
		}

		test_x() {
			! grep a b || return 1
			! false |
			    grep c || skip
			! grep d e ||
			    return 1
			if ! grep f g; then
				true
			fi
			run ! grep h i
			! grep j k
		}
	END
	[[ -z $output ]]
}
