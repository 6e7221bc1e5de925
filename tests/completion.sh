#!/bin/sh
# Print a bash completion for the tools given as arguments, and for the commands
# of tq, made of what each says of its options in $BUILD/tool --help:
#
#	usage: tq-x [-a] ...
#	  -o, --output FILE   text
#	      --by a|b        text
#
# Operands, and values called FILE, are completed as files, alternatives as
# words, and other values not at all.
set -eu

cat <<'EOF'
# bash completion for tq, made of the --help of each tool

_tq()
{
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
	local words=

	if [[ $cur = '=' ]]; then
		cur=
	elif [[ $prev = '=' && $COMP_CWORD -gt 1 ]]; then
		prev=${COMP_WORDS[COMP_CWORD - 2]}
	fi
	COMPREPLY=()
	local tool=${COMP_WORDS[0]##*/}
	if [[ $tool = tq && $COMP_CWORD -gt 1 && ${COMP_WORDS[1]} != -* ]]; then
		tool=tq-${COMP_WORDS[1]}
	fi
	case $tool in
EOF

commands=$("$BUILD/tq" --list | awk '{ printf "%s%s", space, $1; space = " " }')
echo "	tq-help) words=\"$commands\" ;;"

for tool in "$@" tq-view; do
	case $tool in
	tq-view) help=$("$BUILD/tq" view --help) ;;
	*) help=$("$BUILD/$tool" --help) ;;
	esac
	case $tool in
	tq) first=$commands ;;
	*) first= ;;
	esac
	echo "$help" | awk -v tool="$tool" -v first="$first" '
	function add(list, separator, item) {
		return list (list == "" ? "" : separator) item
	}
	# [--option a|b] of the synopsis
	/^$/ { table = 1 }
	!table {
		gsub(/[][=]/, " ")
		n = split($0, word, " ")
		for (i = 2; i <= n; i++)
			if (word[i] ~ /[|]/ && word[i - 1] ~ /^-/)
				choice[word[i - 1]] = word[i]
	}
	/^(  |      )-/ {
		# names and value end where the text begins
		sub(/^ +/, "")
		sub(/  .*/, "")
		gsub(/[],=[]/, " ")
		n = split($0, word, " ")
		value = word[n] ~ /^-/ ? "" : word[n]
		names = ""
		for (i = 1; i <= n; i++)
			if (word[i] ~ /^-/) {
				options = add(options, " ", word[i])
				names = add(names, " | ", word[i])
				if (word[i] in choice)
					value = choice[word[i]]
			}
		if (gsub(/[|]/, " ", value))
			words = words "\t\t" names \
			    ") words=\"" value "\" ;;\n"
		else if (value == "FILE")
			files = add(files, " | ", names)
		else if (value != "")
			other = add(other, " | ", names)
	}
	END {
		print "\t" tool ")"
		print "\t\tcase $prev in"
		printf "%s", words
		if (files != "")
			print "\t\t" files ") return ;;"
		if (other != "")
			print "\t\t" other ") compopt +o default 2>/dev/null" \
			    "; return ;;"
		print "\t\t*) [[ $cur = -* ]] && words=\"" \
		    options "\" ;;"
		if (first != "")
			print "\t\tesac\n\t\tcase $cur in\n\t\t-*) ;;\n" \
			    "\t\t*) words=\"" first "\" ;;"
		print "\t\tesac"
		print "\t\t;;"
	}'
done

cat <<EOF
	esac
	if [[ -n \$words ]]; then
		mapfile -t COMPREPLY < <(compgen -W "\$words" -- "\$cur")
	fi
}

complete -o default -F _tq $*
EOF
