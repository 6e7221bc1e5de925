#!/bin/sh
# Print a completion for bash, zsh or fish for the tools given as arguments, and
# for the commands of tq, made of what each says of its options in
# $BUILD/tool --help:
#
#	usage: tq-x [-a] ...
#	  -o, --output FILE   text
#	      --by a|b        text
#
# Operands, and values called FILE or DIR, are completed as files, alternatives, which
# the usage or a complaint of the tool lists, as words, lists of kinds, reports, columns and traces as words with commas, and
# other values not at all.
#
#	sh tests/completion.sh bash|zsh|fish tool ...
set -eu

shell=$1
shift
for tool in tq "$@"; do
	"$BUILD/$tool" --version > /dev/null 2>&1 || {
		echo "the completion: $BUILD/$tool does not run here;" \
		    "NATIVE=FOLDER names a build that does" >&2
		exit 1
	}
done
commands=$("$BUILD/tq" --list | awk '{ printf "%s%s", space, $1; space = " " }')

# ---- the words of lists ----

# first_words: the first word of each line, in one line
first_words() {
	awk '{ printf "%s%s", space, $1; space = " " }'
}

reports=$("$BUILD/tq-stats" --help-reports | grep '^ ' | first_words)
kinds=$("$BUILD/tq-extract" -k help | grep '^ ' | first_words)
traces=$("$BUILD/tq-capture" --help | tr '\n' ' ' |
    sed 's/.*--trace LIST *trace \([^;]*\);.*/\1/; s/(default: both)//
	s/,/ /g; s/ or / /; s/  */ /g')

# the columns of all reports that are tables, by their keys
columns() {
	for report in $reports; do
		"$BUILD/tq-stats" -r "$report" --sort help 2> /dev/null || :
	done < /dev/null | awk '/^    / && !seen[$1]++' |
	    LC_ALL=C sort | first_words
}

# a line for each option whose value is a list: tool, long name, words
lists() {
	printf 'tq-stats\t--report\t%s\n' "$reports kernels"
	printf 'tq-stats\t--help-reports\t%s\n' "$reports"
	printf 'tq-stats\t--sort\t%s\n' "$(columns)"
	printf 'tq-extract\t--kind\t%s\n' "$kinds"
	printf 'tq-correlate\t--kind\t%s\n' "$kinds"
	printf 'tq-filter\t--kind\t%s\n' "$kinds"
	printf 'tq-capture\t--trace\t%s\n' "$traces"
}

# the value of this option of a tool, which takes one word of several; nothing
# where that is not so: a tool that is given another word says which there are
asked() {
	case "$1 $2" in
	'tq-advise --explain')
		"$BUILD/$1" --rules | sed -n 's/^rule *//p' ;;
	'tq-extract --format')
		"$BUILD/$1" --list-sources ;;
	*)
		"$BUILD/$1" "$2=?" 2>&1 > /dev/null < /dev/null |
		    sed -n "/ or /s/.* '?': expected //p" | sed 's/, \| or /\n/g' |
		    grep -x '[a-z][A-Za-z0-9.-]*' ;;
	esac | first_words
}

# a line for each option of the rows whose value is so: tool, long name, words
choices() {
	awk -F '\t' '$3 == "other" && $1 !~ /^tq-(view|fleet)$/ {
		n = split($2, name, " ")
		print $1, name[n]
	}' "$1" | while read -r tool name; do
		words=$(asked "$tool" "$name")
		[ -z "$words" ] || printf '%s\t%s\t%s\n' "$tool" "$name" "$words"
	done
}

# rows, in which the value of such an option is "list" or "words"
with_values() {
	{
		lists | sed 's/$/\tlist/'
		choices "$1" | sed 's/$/\twords/'
	} | awk -F '\t' -v OFS='\t' '
	FNR == NR {
		if (!(($1, $2) in how)) {
			list[$1, $2] = $3
			how[$1, $2] = $4
		}
		next
	}
	{
		n = split($2, name, " ")
		for (i = 1; i <= n; i++)
			if (($1, name[i]) in list) {
				$3 = how[$1, name[i]]
				$4 = list[$1, name[i]]
			}
		print
	}' - "$1"
}

# ---- the options as rows ----

# a line for each option of each tool: tool, names, how, words, text.  How is
# "flag", "file", "words", "list" or "other".
rows() {
	for tool in "$@" tq-view tq-fleet; do
		case $tool in
		tq-view | tq-fleet) "$BUILD/tq" "${tool#tq-}" --help ;;
		*) "$BUILD/$tool" --help ;;
		esac | awk -v tool="$tool" '
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
			text = $0
			sub(/^.*  +/, "", text)
			sub(/  .*/, "")
			gsub(/[],=[]/, " ")
			n = split($0, word, " ")
			value = word[n] ~ /^-/ ? "" : word[n]
			names = ""
			for (i = 1; i <= n; i++)
				if (word[i] ~ /^-/) {
					names = names (names == "" ? "" : " ") \
					    word[i]
					if (word[i] in choice)
						value = choice[word[i]]
				}
			how = value == "" ? "flag" : value ~ /[|]/ ? "words" \
			    : value == "FILE" || value == "DIR" ? "file" : "other"
			gsub(/[|]/, " ", value)
			print tool "\t" names "\t" how "\t" value "\t" text
		}'
	done
}

# ---- bash ----

bash_cases() {
	awk -F '\t' -v commands="$commands" '
	function add(list, separator, item) {
		return list (list == "" ? "" : separator) item
	}
	function finish() {
		if (tool == "")
			return
		print "\t" tool ")"
		print "\t\tcase $prev in"
		printf "%s", words
		if (files != "")
			print "\t\t" files ") return ;;"
		if (other != "")
			print "\t\t" other ") compopt +o default 2>/dev/null" \
			    "; return ;;"
		print "\t\t*) [[ $cur = -* ]] && words=\"" options "\" ;;"
		if (tool == "tq")
			print "\t\tesac\n\t\tcase $cur in\n\t\t-*) ;;\n" \
			    "\t\t*) words=\"" commands "\" ;;"
		print "\t\tesac\n\t\t;;"
		words = files = other = options = ""
	}
	$1 != tool { finish(); tool = $1 }
	{
		options = add(options, " ", $2)
		names = $2
		gsub(/ /, " | ", names)
	}
	$3 == "words" || $3 == "list" {
		words = words "\t\t" names ") words=\"" $4 "\" ;;\n"
	}
	$3 == "file" { files = add(files, " | ", names) }
	$3 == "other" { other = add(other, " | ", names) }
	END { finish() }'
}

in_bash() {
	cat <<'EOF'
# bash completion for tq, made of the --help of each tool

_tq()
{
	local cur=${COMP_WORDS[COMP_CWORD]}
	local prev=${COMP_WORDS[COMP_CWORD - 1]}
	local tool=${COMP_WORDS[0]##*/} words=

	if [[ $cur = '=' ]]; then
		cur=
	elif [[ $prev = '=' && $COMP_CWORD -gt 1 ]]; then
		prev=${COMP_WORDS[COMP_CWORD - 2]}
	fi
	if [[ $tool = tq && $COMP_CWORD -gt 1 &&
	    ${COMP_WORDS[1]} != -* ]]; then
		tool=tq-${COMP_WORDS[1]}
	fi
	COMPREPLY=()
	case $tool in
EOF
	echo "	tq-help) words=\"$commands\" ;;"
	bash_cases
	cat <<EOF
	esac
	if [[ -n \$words ]]; then
		# of a list, what is behind the last comma
		local before=
		if [[ \$cur = *,* ]]; then
			before=\${cur%,*},
		fi
		mapfile -t COMPREPLY < <(compgen -P "\$before" -W "\$words" \\
		    -- "\${cur##*,}")
	fi
}

complete -o default -F _tq $*
EOF
}

# ---- zsh ----

# -a and --all are one option, which is offered once
zsh_cases() {
	awk -F '\t' -v commands="$commands" '
	function finish() {
		if (tool != "")
			print "\t\t" (tool == "tq" ? "\"1:command:(" \
			    commands ")\" " : "") "\"*:file:_files\" ;;"
	}
	$1 != tool {
		finish()
		tool = $1
		print "\t" tool ") _arguments -s \\"
	}
	{
		n = split($2, name, " ")
		text = $5
		gsub(/[][\\]/, "\\\\&", text)
		gsub(/["`$]/, "\\\\&", text)
		gsub(/:/, "\\:", text)
		value = $3 == "flag" ? "" : $3 == "file" ? ":file:_files" \
		    : $3 == "words" ? ":value:(" $4 ")" \
		    : $3 == "list" ? ":value:_sequence compadd - " $4 \
		    : ":value: "
		for (i = 1; i <= n; i++)
			print "\t\t\"(" $2 ")" name[i] \
			    (value == "" ? "" : name[i] ~ /^--/ ? "=" : "+") \
			    "[" text "]" value "\" \\"
	}
	END { finish() }'
}

in_zsh() {
	echo "#compdef $*"
	cat <<'EOF'
# zsh completion for tq, made of the --help of each tool

local tool=${words[1]:t}

if [[ $tool = tq && CURRENT -gt 2 && ${words[2]} != -* ]]; then
	tool=tq-${words[2]}
	shift words
	(( CURRENT-- ))
fi
case $tool in
EOF
	echo "	tq-help) _arguments \"1:command:($commands)\" ;;"
	zsh_cases
	echo "esac"
}

# ---- fish ----

in_fish() {
	echo "# fish completion for tq, made of the --help of each tool"
	awk -F '\t' -v commands="$commands" '
	function quoted(s) {
		gsub(/[\\\047]/, "\\\\&", s)
		return "\047" s "\047"
	}
	BEGIN {
		print "complete -c tq -n __fish_use_subcommand -f -a " \
		    quoted(commands)
		print "complete -c tq -n \047__fish_seen_subcommand_from help" \
		    "\047 -f -a " quoted(commands)
	}
	{
		rest = ""
		n = split($2, name, " ")
		for (i = 1; i <= n; i++)
			rest = rest (name[i] ~ /^--/ ? " -l " : " -s ") \
			    substr(name[i], name[i] ~ /^--/ ? 3 : 2)
		rest = rest ($3 == "flag" ? "" : $3 == "file" ? " -r -F" \
		    : $3 == "words" ? " -x -a " quoted($4) \
		    : $3 == "list" ? " -x -a " \
		    quoted("(__fish_append , " $4 ")") : " -x") \
		    " -d " quoted($5)
		if ($1 == "tq")
			rest = " -n __fish_use_subcommand" rest
		if ($1 !~ /^tq-(view|fleet)$/)
			print "complete -c " $1 rest
		if ($1 != "tq")
			print "complete -c tq -n \047" \
			    "__fish_seen_subcommand_from " \
			    substr($1, 4) "\047" rest
	}'
}

table=$(mktemp)
trap 'rm -f "$table"' EXIT
rows "$@" > "$table"
with_values "$table" | "in_$shell" "$@"
