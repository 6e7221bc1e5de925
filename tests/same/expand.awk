# expand.awk - the runs that a table stands for, a command each line
#
#	awk -f expand.awk names x.runs
#
# names has lines NAME FILE GROUP ...  A line of the table is GROUP COMMAND; it
# stands for a command for each input of the group, and - for just one.
# A line GROUP,GROUP COMMAND is for the inputs of both.
# {a,b} stands for a and for b.  A line "define NAME a,b,c" makes {NAME} the
# same as {a,b,c}, and {*NAME} the text a,b,c.

function place(command, name)
{
	gsub(/\{db\}/, "in/" file[name], command)
	gsub(/\{raw\}/, "in/" name ".tq", command)
	gsub(/\{cor\}/, "in/" name ".c.tq", command)
	gsub(/\{in\}/, "in/" name, command)
	return command
}

function expand(command,    before, after, words, n, i)
{
	if (!match(command, /\{[^{}]*,[^{}]*\}/)) {
		print command
		return
	}
	before = substr(command, 1, RSTART - 1)
	after = substr(command, RSTART + RLENGTH)
	n = split(substr(command, RSTART + 1, RLENGTH - 2), words, ",")
	for (i = 1; i <= n; i++)
		expand(before words[i] after)
}

/^#/ || NF == 0 { next }

FILENAME == ARGV[1] {
	file[$1] = $2
	for (i = 3; i <= NF; i++)
		group[$i] = group[$i] " " $1
	next
}

$1 == "define" {
	name = $2
	sub(/^define[ \t]+[^ \t]+[ \t]+/, "")
	list["{" name "}"] = "{" $0 "}"
	list["{*" name "}"] = $0
	next
}

{
	of = $1
	sub(/^[^ \t]+[ \t]+/, "")
	for (name in list)
		while ((at = index($0, name)) > 0)
			$0 = substr($0, 1, at - 1) list[name] \
			    substr($0, at + length(name))
	if (of == "-") {
		expand($0)
		next
	}
	groups = split(of, ofs, ",")
	for (g = 1; g <= groups; g++) {
		count = split(group[ofs[g]], names, " ")
		for (k = 1; k <= count; k++)
			expand(place($0, names[k]))
	}
}
