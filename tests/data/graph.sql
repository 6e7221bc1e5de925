-- graph.sql - CUDA graphs, traced by node and as a whole
--
-- Process 4096 was traced with --cuda-graph-trace=node: a graph of 5 nodes (3
-- kernels on two streams, a memcpy, a memset) is created, and launched three
-- times; all work of one launch shares its correlation id. Process 8192 was
-- traced with =graph: the same launches are one row each in GRAPH_TRACE, and a
-- plain kernel runs besides.
--
--   launch n (0, 1, 2) of 4096, with t = 10000 + 5000 n, corr 20 + n
--     cudaGraphLaunch t-100 to t-20
--     node 41 memset   t        to t+ 100  stream 7
--     node 42 k_load   t+ 200   to t+1200  stream 7
--     node 43 k_left   t+1300   to t+2300  stream 7
--     node 44 k_right  t+1300   to t+2800  stream 13
--     node 45 memcpy   t+2900   to t+3100  stream 7, DtoH
--     KERNEL also has graphId 4
--   the launches of 8192: corr 20 + n, cudaGraphLaunch t-90 to t-10,
--     GRAPH_TRACE graphId 4, graphExecId 5, stream 7, t to t+3100
--   plain kernel of 8192: corr 30, cudaLaunchKernel 26000-26100, k_plain
--     26200-26300
--   creation, 4096: nodes 41-45 are clones of 31-35 (CUDA_GRAPH_NODE_EVENTS,
--     10 rows), graph 3 created, 4 cloned, exec 5 (CUDA_GRAPH_EVENTS, 3 rows)
--   ranges "replay" t-200 to t, on both main threads
--
-- 6 calls of cudaGraphLaunch; 9 kernels, 3 memcpys, 3 memsets and 3 graphs come
-- from them.
--
-- Rows: ThreadNames 2, RUNTIME 9, KERNEL 10, MEMCPY 3, MEMSET 3,
-- GRAPH_TRACE 3, CUDA_GRAPH_NODE_EVENTS 10, CUDA_GRAPH_EVENTS 3,
-- NVTX_EVENTS 6.

BEGIN;
CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
INSERT INTO StringIds VALUES
	(1, 'by node'), (2, 'as a whole'), (10, 'k_load'), (11, 'k_left'),
	(12, 'k_right'), (13, 'k_plain'), (20, 'cudaGraphLaunch_v10000'),
	(21, 'cudaLaunchKernel_v7000'), (22, 'cudaStreamEndCapture_v10000'),
	(23, 'cudaGraphInstantiate_v12000'), (30, 'Graph Creation'),
	(31, 'Graph Clone'), (32, 'GraphExec Creation'), (33, 'Graph Node Creation');
.read parts/tables.sql version
CREATE TABLE ThreadNames (nameId, priority, globalTid);
INSERT INTO ThreadNames VALUES
	(1, 20, 0x1001000001000), (2, 20, 0x1002000002000);
CREATE TEMP TABLE replay AS
SELECT column1 AS n, 10000 + 5000 * column1 AS t FROM (VALUES (0), (1), (2));
.read parts/tables.sql runtime
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME (start, end, eventClass, globalTid,
	correlationId, nameId)
SELECT 5000, 5100, 0, 0x1001000001000, 1, 22 UNION ALL
SELECT 5200, 5600, 0, 0x1001000001000, 2, 23 UNION ALL
SELECT t - 100, t - 20, 0, 0x1001000001000, 20 + n, 20 FROM replay UNION ALL
SELECT t - 90, t - 10, 0, 0x1002000002000, 20 + n, 20 FROM replay UNION ALL
SELECT 26000, 26100, 0, 0x1002000002000, 30, 21;
.read parts/tables.sql kernel
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, end, streamId, correlationId,
	demangledName, shortName, graphNodeId, graphId)
SELECT t + column1, t + column2, column3, 20 + n, column4, column4, column5, 4
FROM replay, (VALUES
	( 200, 1200,  7, 10, 42),
	(1300, 2300,  7, 11, 43),
	(1300, 2800, 13, 12, 44));
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, end, correlationId, globalPid,
	demangledName, shortName) VALUES (26200, 26300, 30, 0x1002000000000, 13, 13);
.read parts/tables.sql memcpy
INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY (start, end, correlationId, copyKind,
	srcKind, dstKind, graphNodeId)
SELECT t + 2900, t + 3100, 20 + n, 2, 2, 1, 45 FROM replay;
.read parts/tables.sql memset
INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET (start, end, correlationId, graphNodeId)
SELECT t, t + 100, 20 + n, 41 FROM replay;
CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE (
	start, end, deviceId, contextId, greenContextId, streamId, correlationId,
	globalPid, graphId, graphExecId);
INSERT INTO CUPTI_ACTIVITY_KIND_GRAPH_TRACE
SELECT t, t + 3100, 0, 1, 0, 7, 20 + n, 0x1002000000000, 4, 5 FROM replay;
CREATE TABLE CUDA_GRAPH_NODE_EVENTS (
	start, end, eventClass, globalTid, nameId, graphNodeId,
	originalGraphNodeId);
INSERT INTO CUDA_GRAPH_NODE_EVENTS
SELECT 5000 + 10 * column1, 5005 + 10 * column1, 77, 0x1001000001000, 33,
	30 + column1, NULL FROM (VALUES (1), (2), (3), (4), (5)) UNION ALL
SELECT 5200 + 10 * column1, 5205 + 10 * column1, 77, 0x1001000001000, 33,
	40 + column1, 30 + column1 FROM (VALUES (1), (2), (3), (4), (5));
CREATE TABLE CUDA_GRAPH_EVENTS (
	start, end, eventClass, globalTid, nameId, graphId, originalGraphId,
	graphExecId);
INSERT INTO CUDA_GRAPH_EVENTS VALUES
	(5001, 5001, 95, 0x1001000001000, 30, 3, NULL, NULL),
	(5201, 5201, 96, 0x1001000001000, 31, 4, 3, NULL),
	(5300, 5590, 94, 0x1001000001000, 32, 4, NULL, 5);
.read parts/tables.sql nvtx
INSERT INTO NVTX_EVENTS (start, end, eventType, text, globalTid)
SELECT t - 200, t, 59, 'replay', 0x1001000001000 FROM replay UNION ALL
SELECT t - 200, t, 59, 'replay', 0x1002000002000 FROM replay;
COMMIT;
