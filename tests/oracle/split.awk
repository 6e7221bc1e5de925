# split.awk - streams as tq-filter would write them, n times: of lines that have
# n digits in front, jq.yes.I gets those whose digit I is 1, and jq.no.I the
# others; trace records go to both, and end records count

{ line = substr($0, n + 1) }
line ~ /^{"kind":"trace"/ {
	for (i = 1; i <= n; i++) {
		count["yes", i] = count["no", i] = 0
		print line > ("jq.yes." i)
		print line > ("jq.no." i)
	}
	next
}
line ~ /^{"kind":"end"/ {
	match(line, /"events":[0-9]+/)
	events = substr(line, RSTART + 9, RLENGTH - 9)
	match(line, /"dropped":[0-9]+/)
	dropped = substr(line, RSTART, RLENGTH)
	for (key in count) {
		split(key, part, SUBSEP)
		print count[key] == events ? line : \
		    "{\"kind\":\"end\",\"events\":" count[key] \
		    "," dropped "}" > ("jq." part[1] "." part[2])
	}
	next
}
{
	for (i = 1; i <= n; i++) {
		side = substr($0, i, 1) == "1" ? "yes" : "no"
		count[side, i]++
		print line > ("jq." side "." i)
	}
}
