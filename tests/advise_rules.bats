#!/usr/bin/env bats
# The rules of tq-advise: each finds the fault that was planted, and what it
# costs to the nanosecond, and is silent where it is nearly there.
#
# tests/data/rules/RULE has the cases of a rule; its README says how.

load helper

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# ---- helpers ----

# rules: the rules that come with tq-advise
rules() {
	tq-advise --rules | awk '$1 == "rule" { print $2 }'
}

# findings FILE: "NAME SEVERITY GAIN" of each; "false NAME" of one whose share
# is not that of its gain, or that lacks evidence, the longest first
findings() {
	tq-extract "$1" | tq-correlate | tq-advise -f ndjson |
	    jq -r 'select(.finding) | "\(.finding) \(.severity) \(.gain_ns)",
	        if .gain_ns > 0 and .share_ppm != (.gain_ns * 1000000 / .of_ns | floor)
	            or (.evidence | length) != ([3, .pieces] | min)
	            or .evidence != (.evidence | sort_by(-.dur, .ts))
	        then "false \(.finding)" else empty end'
}

# cases RULE ...: what is wrong with their cases
cases() {
	local rule number what hole gain also name found

	(cd "$top/tests/data/rules" && awk -v dir="$BATS_TEST_TMPDIR" \
	    -f "$top/tests/rules.awk" "$@") > cases
	while read -r rule number what hole gain also name; do
		findings "$rule.$number.tq" > found
		if [[ $what = fault ]]; then
			grep -qE "^$rule [a-z]+ $gain\$" found ||
			    echo "$rule, $name: not found with $gain"
			# no warning but of it, and of what goes with it
			grep -vE " note |^($rule|${also//,/|}) " found |
			    sed "s/^/$rule, $name: /"
		else
			grep "^$rule " found | sed "s/^/$rule, $name: /"
			grep -vE " note |^(${also//,/|}) " found |
			    sed "s/^/$rule, $name: /"
		fi
	done < cases
}

# ---- rules ----

@test "each rule has a fault that it finds, and one that it nearly has" {
	for rule in $(rules); do
		[[ $(grep -c '^fault' "$top/tests/data/rules/$rule") -ge 1 &&
		    $(grep -c '^clean' "$top/tests/data/rules/$rule") -ge 1 ]] ||
		    missing+=" $rule"
	done
	[[ -z ${missing-} ]] || { echo "no cases:$missing"; return 1; }
}

@test "what was planted comes back to the nanosecond, what nearly is stays out" {
	# shellcheck disable=SC2046 # a file each
	wrong=$(cases $(rules))
	[[ -z $wrong ]] || { echo "$wrong"; return 1; }
}
