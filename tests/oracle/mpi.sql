-- mpi.sql - views of the calls of MPI and of unified memory in an export

-- all calls, file by file
CREATE TEMP VIEW calls AS
	SELECT 'p2p' AS source, 1 AS file, rowid AS n, start, end,
		globalTid, textId, tag, remoteRank AS peer, NULL AS root,
		size, NULL AS sent, NULL AS received FROM MPI_P2P_EVENTS
	UNION ALL SELECT 'collectives', 2, rowid, start, end, globalTid,
		textId, NULL, NULL, rootRank, NULL, size, recvSize
		FROM MPI_COLLECTIVES_EVENTS
	UNION ALL SELECT 'start-wait', 3, rowid, start, end, globalTid,
		textId, NULL, NULL, NULL, NULL, NULL, NULL
		FROM MPI_START_WAIT_EVENTS
	UNION ALL SELECT 'other', 4, rowid, start, end, globalTid,
		textId, NULL, NULL, NULL, NULL, NULL, NULL
		FROM MPI_OTHER_EVENTS;

-- with what they are called
CREATE TEMP VIEW named AS
	SELECT *, ifnull(value, '#' || textId) AS name
	FROM calls LEFT JOIN StringIds ON id = textId;

-- sizes of messages
CREATE TEMP VIEW messages AS
	SELECT 'p2p' AS source, name, size AS v FROM named
	UNION ALL SELECT 'coll_send', name, sent FROM named
	UNION ALL SELECT 'coll_recv', name, received FROM named;

-- what happened to pages: bytes that were copied, and faults
CREATE TEMP VIEW happened AS
	SELECT globalPid AS pid, virtualAddress AS a,
		CASE copyKind WHEN 11 THEN bytes END AS htod,
		CASE copyKind WHEN 12 THEN bytes END AS dtoh,
		NULL AS cpu, NULL AS gpu, end - start AS t
		FROM CUPTI_ACTIVITY_KIND_MEMCPY WHERE copyKind IN (11, 12)
	UNION ALL SELECT globalPid, address, NULL, NULL, 1, NULL, 0
		FROM CUDA_UM_CPU_PAGE_FAULT_EVENTS
	UNION ALL SELECT globalPid, address, NULL, NULL, NULL,
		numberOfPageFaults, 0 FROM CUDA_UM_GPU_PAGE_FAULT_EVENTS;
