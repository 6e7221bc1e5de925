# mutate.awk - a text with a fault in it, the same for the same seed (-v seed=)
#
# Cut off, or with a part left out, twice, elsewhere, or replaced by characters
# that mean something in JSON.

BEGIN { RS = "\001" }
{ text = $0 }
END {
	srand(seed)
	rand() # the first are much alike
	at = 1 + int(rand() * length(text))
	n = 1 + int(rand() * rand() * 200)
	before = substr(text, 1, at - 1)
	part = substr(text, at, n)
	after = substr(text, at + n)
	split("\" { } [ ] , : \\ 0 e - . null 99999999999999999999 \"\"", words, " ")
	word = words[1 + int(rand() * 15)]
	kind = seed % 6
	if (kind == 0) printf "%s", before
	else if (kind == 1) printf "%s%s", before, after
	else if (kind == 2) printf "%s%s%s%s", before, part, part, after
	else if (kind == 3) printf "%s%s%s", before, word, substr(text, at + 1)
	else if (kind == 4) printf "%s%s%s%s", before, word, part, after
	else printf "%s%s%s", substr(after, 1, at), part, before after
}
