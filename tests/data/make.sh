#!/bin/sh
# Print the SQL of a fixture, of which sqlite3 makes the database:
#
#	sh tests/data/make.sh base | sqlite3 base.sqlite
#
# Fixtures share the tables in parts/.  A line ".read FILE WORD" stands for the
# sections of FILE that are for WORD.  A section begins with "# WORD ..."; "#"
# alone begins one that is for all words.
set -u

cd "$(dirname "$0")" || exit 1
if [ $# -ne 1 ] || [ ! -e "$1.sql" ]; then
	echo "usage: make.sh NAME, where NAME.sql is in tests/data" >&2
	exit 2
fi
exec awk -v fixture="$1.sql" '
function put(file, word,   line, on, part) {
	on = 1
	while ((getline line < file) > 0) {
		split(line, part, " ")
		if (part[1] == "#")
			on = line == "#" || index(line " ", " " word " ") > 0
		else if (on && part[1] == ".read")
			put(part[2], part[3])
		else if (on)
			print line
	}
	close(file)
}
BEGIN { put(fixture) }'
