#!/bin/sh
# resolved.sh FILE - how many operations of an export have a call, as SQL joins
# them: by process and correlation id
set -u

db="file:$1?immutable=1"

has_table() {
	[ "$(sqlite3 -readonly "$db" "SELECT count(*) FROM sqlite_master
	    WHERE name = '$1'")" = 1 ]
}

{
	echo "CREATE TEMP TABLE calls AS
	    SELECT correlationId AS corr, globalTid >> 24 AS pid
	    FROM CUPTI_ACTIVITY_KIND_RUNTIME;
	CREATE INDEX temp.i ON calls (corr, pid);
	SELECT sum(n) FROM ("
	for table in KERNEL MEMCPY MEMSET GRAPH_TRACE; do
		table=CUPTI_ACTIVITY_KIND_$table
		has_table "$table" || continue
		echo "SELECT count(*) AS n FROM $table AS o WHERE EXISTS
		    (SELECT 1 FROM calls AS c
		    WHERE c.corr = o.correlationId AND c.pid = o.globalPid >> 24)
		    UNION ALL"
	done
	echo "SELECT 0);"
} | sqlite3 -readonly "$db"
