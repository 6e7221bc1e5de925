#!/usr/bin/env bats
# tq-extract: what synchronisations wait for

load helper

# both readers must agree on a database
agree() {
	cmp <(tq-extract "$1" 2>&1) <(tq-extract --reader=sqlite "$1" 2>&1)
}

# syncs_of FILE [OPTION ...]: the types of its synchronisations, on a line
syncs_of() {
	tq-extract "${@:2}" "$1" | jq -r 'select(.kind == "sync") | .sync' | paste -sd ' '
}

# changed SQL: set $db to a copy of the base fixture after these statements
changed() {
	db=$BATS_TEST_TMPDIR/changed.sqlite
	cp "$(fixture base)" "$db"
	sqlite3 "$db" "$1"
}

# what the name of a call says that it waits for, in SQL
says="CASE WHEN v.value GLOB 'cu*StreamWaitEvent*' THEN 'stream wait event'
    WHEN v.value GLOB 'cu*Stream*' THEN 'stream'
    WHEN v.value GLOB 'cu*Event*' THEN 'event' ELSE 'context' END"

@test "in every real export a synchronisation has the type that its API call names" {
	local all=0

	need data
	for name in "${EXPORTS[@]}"; do
		[[ $(sqlite3 -readonly "file:$(export_of "$name")?immutable=1" "
		    SELECT count(*) FROM sqlite_master
		    WHERE name = 'CUPTI_ACTIVITY_KIND_SYNCHRONIZATION'") = 1 ]] || continue
		sqlite3 -readonly "file:$(export_of "$name")?immutable=1" "
		    SELECT DISTINCT s.start || ' ' || s.correlationId || ' ' || $says
		    FROM CUPTI_ACTIVITY_KIND_SYNCHRONIZATION s
		    JOIN CUPTI_ACTIVITY_KIND_RUNTIME r ON
		    r.correlationId = s.correlationId AND r.globalTid >> 24 = s.globalPid >> 24
		    JOIN StringIds v ON v.id = r.nameId" | sort > "$BATS_TEST_TMPDIR/says"
		jq -r 'select(.kind == "sync") | "\(.ts) \(.corr) \(.sync)"' \
		    "$(extracted "$name")" | sort > "$BATS_TEST_TMPDIR/syncs"
		[[ -z $(comm -23 "$BATS_TEST_TMPDIR/says" "$BATS_TEST_TMPDIR/syncs") ]] ||
		    { comm -3 "$BATS_TEST_TMPDIR/says" "$BATS_TEST_TMPDIR/syncs" | head; false; }
		all=$((all + $(wc -l < "$BATS_TEST_TMPDIR/says")))
	done
	[ "$all" -gt 2000 ]
}

@test "viewers name a synchronisation after its API call" {
	data nsys/2021-sched-sampling.sqlite
	[ "$(jq -r '.traceEvents[] | select(.cat == "cuda_sync") | .name' \
	    <(tq-extract "$data" | tq-chrome -q) | sort | uniq -c | paste -sd ' ' | tr -s ' ')" = \
	    " 9 sync context 6 sync event" ]
	tq-extract "$data" | tq-perfetto -q | grep -aq 'sync context'
}

@test "the API call decides what a synchronisation waits for, then the old type, then the number" {
	changed "UPDATE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION
	    SET syncType = 1, deprecatedSyncType = 1"
	[ "$(syncs_of "$db")" = "stream context" ]
	agree "$db"
	changed "DELETE FROM CUPTI_ACTIVITY_KIND_RUNTIME WHERE correlationId IN (8, 9);
	    UPDATE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION
	    SET syncType = 1, deprecatedSyncType = CASE correlationId WHEN 8 THEN 2 ELSE 0 END"
	[ "$(syncs_of "$db")" = "stream context" ]
	agree "$db"
	changed "DELETE FROM CUPTI_ACTIVITY_KIND_RUNTIME WHERE correlationId IN (8, 9);
	    UPDATE META_DATA_EXPORT SET value = '3.24.14'
	    WHERE name = 'EXPORT_SCHEMA_VERSION';
	    UPDATE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION SET syncType = correlationId - 7"
	[ "$(syncs_of "$db")" = "event stream wait event" ]
	agree "$db"
}

@test "before schema 3.24.14 stream and event of a synchronisation without call tell its type" {
	changed "DELETE FROM CUPTI_ACTIVITY_KIND_RUNTIME WHERE correlationId IN (8, 9);
	    UPDATE META_DATA_EXPORT SET value = '3.24.13'
	    WHERE name = 'EXPORT_SCHEMA_VERSION';
	    UPDATE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION SET syncType = 0"
	[ "$(syncs_of "$db")" = "stream context" ]
	agree "$db"
	sqlite3 "$db" "UPDATE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION SET eventId = 5"
	[ "$(syncs_of "$db")" = "stream wait event event" ]
	agree "$db"
}

@test "synchronisations are named after calls that are not chosen or outside of the window" {
	changed "UPDATE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION SET syncType = 1"
	[ "$(syncs_of "$db" -k sync)" = "stream context" ]
	sqlite3 "$db" "UPDATE CUPTI_ACTIVITY_KIND_RUNTIME SET start = 1, end = 2
	    WHERE correlationId = 9"
	[ "$(syncs_of "$db" --from 16us)" = context ]
}

@test "the functions of a default stream per thread and of the driver name synchronisations, too" {
	changed "UPDATE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION SET syncType = 1;
	    INSERT INTO StringIds VALUES (9001, 'cuStreamSynchronize_ptsz'),
		(9002, 'cuCtxSynchronize_v2');
	    UPDATE CUPTI_ACTIVITY_KIND_RUNTIME SET nameId = correlationId + 8993
	    WHERE correlationId IN (8, 9)"
	[ "$(syncs_of "$db")" = "stream context" ]
}

# ---- events ----

@test "a wait for an event names the stream that recorded it last, and that call" {
	changed "CREATE TABLE CUPTI_ACTIVITY_KIND_CUDA_EVENT (deviceId, contextId,
		streamId, correlationId, globalPid, eventId);
	    INSERT INTO CUPTI_ACTIVITY_KIND_CUDA_EVENT VALUES
		(0, 1, 21, 3, 0x1001000000000, 5), (0, 1, 22, 5, 0x1001000000000, 5),
		(0, 1, 23, 10, 0x1001000000000, 5), (0, 1, 24, 4, 0x1001000000000, 6),
		(0, 1, 25, 6, 0x1002000000000, 5);
	    UPDATE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION SET eventId = 5"
	run jq -c 'select(.kind == "sync") | [.event, .wait_stream, .wait_context, .wait_corr]' \
	    <(tq-extract "$db")
	[ "${lines[*]}" = "[5,22,null,5] [5,22,null,5]" ]
	agree "$db"
	# an event that no row records, and one that another context recorded
	sqlite3 "$db" "UPDATE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION SET eventId = 9 WHERE rowid = 1;
	    UPDATE CUPTI_ACTIVITY_KIND_CUDA_EVENT SET contextId = 3"
	run jq -c 'select(.kind == "sync") | [.event, .wait_stream, .wait_context, .wait_corr]' \
	    <(tq-extract "$db")
	[ "${lines[*]}" = "[9,null,null,null] [5,22,3,5]" ]
	agree "$db"
}

@test "eventSyncId tells which record of an event is waited for" {
	changed "CREATE TABLE CUPTI_ACTIVITY_KIND_CUDA_EVENT (timestamp, deviceId, contextId,
		streamId, correlationId, globalPid, eventId, eventSyncId);
	    INSERT INTO CUPTI_ACTIVITY_KIND_CUDA_EVENT VALUES
		(0, 0, 1, 21, 3, 0x1001000000000, 5, 71), (0, 0, 1, 22, 5, 0x1001000000000, 5, 72);
	    UPDATE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION
	    SET eventId = 5, eventSyncId = 63 + correlationId"
	run jq -c 'select(.kind == "sync") | [.wait_stream, .wait_corr]' \
	    <(tq-extract "$db")
	[ "${lines[*]}" = "[21,3] [22,5]" ]
	agree "$db"
}

@test "in a real export every wait for an event that has a row names its stream" {
	data nsys/2026.1.1-vectoradd.sqlite
	run jq -c 'select(.kind == "sync" and .event) | [.event, .wait_stream, .wait_corr]' \
	    <(tq-extract "$data")
	[ "$output" = "$(sqlite3 "file:$data?immutable=1" "
	    SELECT '[' || s.eventId || ',' || e.streamId || ',' || e.correlationId || ']'
	    FROM CUPTI_ACTIVITY_KIND_SYNCHRONIZATION s
	    JOIN CUPTI_ACTIVITY_KIND_CUDA_EVENT e USING (globalPid, eventSyncId) ORDER BY s.start")" ]
	[ -n "$output" ]
}
