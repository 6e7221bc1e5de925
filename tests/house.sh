#!/bin/sh
# Print what breaks the rules of the house (common/README), and nothing else;
# exits 1 where something does:
#
#	- an include of the library goes down, and to the face of a room
#	  (include/tq); a tool includes the library and itself
#	- foo.c exports only foo and foo_*
#	- no two structs have one name, and no two files (but main.c)
#	- each folder below a tool's is named in the README of the tool, at the
#	  begin of a line: "page/html/  what is in it"
#
# The exports are read from the objects in $BUILD, which "make" makes.
set -u

cd "$(dirname "$0")/.." || exit 1
BUILD=${BUILD:-build}

# the lowest room first: a room includes itself and what stands below it
rooms='base line io show names evidence ask join ranks account advice draw'

sources() {
	find cmd common include -name '*.[ch]' | sort
}

includes() {
	sources | xargs grep -n '^[[:space:]]*#[[:space:]]*include "' |
	    awk -F: -v rooms="$rooms" '
	BEGIN {
		n = split(rooms, word, " ")
		for (i = 1; i <= n; i++)
			floor[word[i]] = i
		floor["cmd"] = n + 1
	}
	# common/ROOM/x.c, include/tq/ROOM/x.h, include/tq/ROOM.h, cmd/x.c
	function room_of(path, part) {
		sub(/^include\/tq\//, "common/", path)
		split(path, part, "/")
		sub(/[.].*/, "", part[2])
		return part[1] == "cmd" ? "cmd" : part[2]
	}
	function wrong(what) {
		print $1 ":" $2 ": " what
	}
	{
		split($3, quoted, "\"")
		to = quoted[2]
		from = room_of($1)
		if (to ~ /^tq\//) {
			# tables of facts belong to the room that reads them
			room = to ~ /[.]def$/ ? "line" : room_of("include/" to)
			if (!(room in floor))
				wrong(to " is in no room")
			else if (floor[room] > floor[from])
				wrong("room " from " includes " to \
				    ", which stands above it")
		} else if (to ~ /common\/|cmd\//)
			wrong(to " is no face of a room")
		else if (from != "cmd" && $1 ~ /^include\//)
			wrong("the face of a room includes " to)
	}'
}

exports() {
	find "$BUILD/common" "$BUILD/cmd" -name '*.o' | sort |
	    while read -r object; do
		source=${object#"$BUILD/"}
		source=${source%.o}.c
		[ -e "$source" ] || continue
		name=${source##*/}
		name=${name%.c}
		nm --defined-only --extern-only -f posix "$object" |
		    awk -v source="$source" -v name="$name" '
			$2 ~ /^[TDBRVW]$/ && $1 != "main" &&
			    $1 !~ "^" name "(_|$)" {
				print source ": exports " $1
			}'
	done
}

# what NVTX, the CUDA driver, NCCL, Python and the launcher of tq-capture look up
# by name
entry_points='InitializeInjection\|ncclProfiler_v\|PyInit_\|tq_capture_'
# and functions of the C library and of MPI, whose wrappers have their names
wrappers='^cmd/tq-capture/preload/\(mpi/mpi_\|mpi/spawn_\|exec_\)*wrappers[.]c: '

structs() {
	sources | xargs grep -HoE '^struct [a-z_0-9]+ \{' |
	    awk -F '[: ]' '
		{ n[$3]++; where[$3] = where[$3] " " $1 }
		END {
			for (name in n)
				if (n[name] > 1)
					print "struct " name ":" where[name]
		}' | sort
}

files() {
	sources | awk -F / '
		$NF != "main.c" { n[$NF]++; where[$NF] = where[$NF] " " $0 }
		END {
			for (name in n)
				if (n[name] > 1)
					print name ":" where[name]
		}' | sort
}

# the folders of a tool, beside those that its README names
folders() {
	for tool in cmd/*/; do
		tool=${tool%/}
		find "$tool" -mindepth 1 -type d | sed "s,^$tool/,,; s,\$,/," |
		    sort > "$work/there"
		if [ -s "$work/there" ] && [ ! -e "$tool/README" ]; then
			echo "$tool: has folders and no README"
			continue
		fi
		sed -n 's,^[[:blank:]]*\([a-z_/]*/\)[[:blank:]].*,\1,p' \
		    "$tool/README" 2> /dev/null | sort > "$work/named"
		comm -23 "$work/there" "$work/named" |
		    sed "s,.*,$tool/README: & has no line,"
		comm -13 "$work/there" "$work/named" |
		    sed "s,.*,$tool/README: & is no folder,"
	done
}

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

if {
	includes
	exports | grep -v "$entry_points\|$wrappers"
	structs
	files
	folders
} | grep .; then
	exit 1
fi
