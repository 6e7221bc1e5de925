# bats.awk - lines of tests that cannot fail: "! command" in the middle of one
#
#	awk -f bats.awk FILE ...
#
# bash goes on after a command with ! in front, whatever it returns: bats sees it
# only where it is the last one of a function.  "|| return 1" behind it, or ||
# and anything else, makes it count.  Exits 1 where a line was printed.

# true if LINE ends a function, or a branch of one in a helper
function ends(line)
{
	return line ~ /^}/ || (FILENAME ~ /\.bash$/ && line ~ /^[ \t]*;;/)
}

FNR == 1 { place = command = document = "" }

# a document of the shell
document != "" {
	sub(/^\t*/, "")
	if ($0 == document)
		document = ""
	next
}
match($0, /<<-?[ ]*['"\\]?[A-Z]+/) {
	document = substr($0, RSTART, RLENGTH)
	gsub(/[^A-Z]/, "", document)
}

/^[ \t]*(#|$)/ { next }

# a command is $0 or, where a line goes on in the next, these lines
command != "" { command = command $0 }
command == "" {
	if (place != "" && !ends($0)) {
		print place ": cannot fail: put || return 1 behind it"
		status = 1
	}
	place = ""
	if (/^[ \t]*! /) {
		place = FILENAME ":" FNR
		command = $0
	}
}
command !~ /(\\|[|&])$/ {
	if (command ~ /\|\|/)
		place = ""
	command = ""
}

END { exit status }
