-- ranges.sql - ranges and the work launched in them: every case that goes wrong
--
-- Process 4096 (0x1000): main thread 4096 (M), worker 4097 (W), autograd 4098
-- (A), another 4099 (X). Each case has its own 10000 ns; corr is the
-- correlation id; work is on device 0 and stream 7 if not said. Every call is
-- cudaLaunchKernel and every operation a kernel, if not said.
--
--  case                   range                       call ns       corr  work ns
--  identical      M  twin 1, twin 2  10000-12000
--                 M  in twin         10500-11500   10600-10700    101  11000-11800
--  crossing       M  cross 1 (s/e)   20000-23000   21500-21600    102  22000-22500
--                 M  cross 2 (s/e)   21000-24000   23500-23600    103  23700-23900
--  never closed   X  unclosed        30000-        31100-31200    104  31300-31400
--                 X  after unclosed  31000-32000   (the call above is in it)
--                 X  unclosed start  33000-        (s/e; no call)
--  across threads M  handed over     40000-42000   40500-40600    105  40700-40900
--                    (s/e, ended by W)
--  zero length    M  around zero     49900-50100   50000-50050    106  50200-50300
--                 M  zero            50000-50000
--  domains        M  f               60000-65000
--                 M  g, LibA (1)     61000-64000
--                 M  f, LibB (2)     61500-62500   62000-62100    107  62200-62800
--                 marks: plain 60500; libA mark 61200, category 3 of LibA "io";
--                 libB mark 61700, category 3 of LibB "net"
--  edges          M  edge            70000-71000   69950-70050    108  70100-70200
--                    (cut by start and by end)     70900-71100    109  71200-71300
--                 M  exact           72000-72100   72000-72100    110  72200-72300
--  bug 7          M  mine            80000-81000   80100-80200    111  80300-80500
--                 W  other           80000-85000   84000-84100    112  84200-84900
--                                                               stream 13
--  runtime and    M  both            90000-91000   90100-90400    113  90500-90900
--  driver row                        cuLaunchKernel 90150-90350   113  (the same)
--  graph launch   M  graph          100000-101000  100100-100300  114
--                    3 kernels: 101000-102000, 102100-103000, 103100-105000
--  after the end  M  late           110000-110500  110100-110200  115
--                    118000-119000
--  autograd       M  backward       120000-125000
--                 A  (no range)                    121000-121100  116
--                                                  122000-123000
--                 A  AddBackward0   123000-124000  123100-123200  117
--                                                  124500-125500
--  no range       M                                130000-130100  118
--                                                  130200-130300
--  no call           kernel 130400-130500, corr 999 is in no call
--  copies         M  mem            131000-133000  131100-131200  119 HtoD
--                    131300-131400;                132100-132200  120 memset
--                    132300-132400
--  two devices    M  spread         135000-136000  135100-135200  121 device 0
--                    135300-135400;                135500-135600  122 device 1
--                    135700-136700
--  nested         M  d0 140000-149000, d1 140100-148000, d2 140200-147000,
--                    d3 140300-146000, no ops 146100-146900 (in d2), d1 again
--                    148100-148900; call 140400-140500, corr 123, 141000-145000
--
-- All kernels: "k" and their correlation id, k101 ... k999; of the graph k114a,
-- k114b, k114c. Colours, domains and marks besides: "f" is #00ff00.
--
-- Rows: ThreadNames 4, RUNTIME 24, KERNEL 24, MEMCPY 1, MEMSET 1,
-- NVTX_EVENTS 38.

BEGIN;
CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
INSERT INTO StringIds VALUES
	(1, 'main'), (2, 'worker'), (3, 'autograd'), (4, 'other'),
	(10, 'cudaLaunchKernel_v7000'), (11, 'cuLaunchKernel'),
	(12, 'cudaGraphLaunch_v10000'), (13, 'cudaMemcpyAsync_v3020'),
	(14, 'cudaMemsetAsync_v3020'), (20, 'g'), (21, 'LibB');
INSERT INTO StringIds
WITH RECURSIVE n(n) AS (SELECT 101 UNION ALL SELECT n + 1 FROM n WHERE n < 123)
SELECT n, 'k' || n FROM n;
INSERT INTO StringIds VALUES
	(999, 'k999'), (1141, 'k114a'), (1142, 'k114b'), (1143, 'k114c');
.read parts/tables.sql version
CREATE TABLE ThreadNames (nameId, priority, globalTid);
INSERT INTO ThreadNames VALUES
	(1, 20, 0x1001000001000), (2, 20, 0x1001000001001),
	(3, 20, 0x1001000001002), (4, 20, 0x1001000001003);
.read parts/tables.sql runtime
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME (start, end, eventClass, globalTid,
	correlationId, nameId) VALUES
	( 10600,  10700, 0, 0x1001000001000, 101, 10),
	( 21500,  21600, 0, 0x1001000001000, 102, 10),
	( 23500,  23600, 0, 0x1001000001000, 103, 10),
	( 40500,  40600, 0, 0x1001000001000, 105, 10),
	( 50000,  50050, 0, 0x1001000001000, 106, 10),
	( 62000,  62100, 0, 0x1001000001000, 107, 10),
	( 69950,  70050, 0, 0x1001000001000, 108, 10),
	( 70900,  71100, 0, 0x1001000001000, 109, 10),
	( 72000,  72100, 0, 0x1001000001000, 110, 10),
	( 80100,  80200, 0, 0x1001000001000, 111, 10),
	( 90100,  90400, 0, 0x1001000001000, 113, 10),
	(100100, 100300, 0, 0x1001000001000, 114, 12),
	(110100, 110200, 0, 0x1001000001000, 115, 10),
	(130000, 130100, 0, 0x1001000001000, 118, 10),
	(131100, 131200, 0, 0x1001000001000, 119, 13),
	(132100, 132200, 0, 0x1001000001000, 120, 14),
	(135100, 135200, 0, 0x1001000001000, 121, 10),
	(135500, 135600, 0, 0x1001000001000, 122, 10),
	(140400, 140500, 0, 0x1001000001000, 123, 10),
	( 90150,  90350, 1, 0x1001000001000, 113, 11),
	( 84000,  84100, 0, 0x1001000001001, 112, 10),
	(121000, 121100, 0, 0x1001000001002, 116, 10),
	(123100, 123200, 0, 0x1001000001002, 117, 10),
	( 31100,  31200, 0, 0x1001000001003, 104, 10);
.read parts/tables.sql kernel
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, end, correlationId,
	demangledName, shortName) VALUES
	( 11000,  11800, 101, 101, 101), ( 22000,  22500, 102, 102, 102),
	( 23700,  23900, 103, 103, 103), ( 31300,  31400, 104, 104, 104),
	( 40700,  40900, 105, 105, 105), ( 50200,  50300, 106, 106, 106),
	( 62200,  62800, 107, 107, 107), ( 70100,  70200, 108, 108, 108),
	( 71200,  71300, 109, 109, 109), ( 72200,  72300, 110, 110, 110),
	( 80300,  80500, 111, 111, 111), ( 90500,  90900, 113, 113, 113),
	(118000, 119000, 115, 115, 115), (122000, 123000, 116, 116, 116),
	(124500, 125500, 117, 117, 117), (130200, 130300, 118, 118, 118),
	(130400, 130500, 999, 999, 999), (135300, 135400, 121, 121, 121),
	(141000, 145000, 123, 123, 123);
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, end, deviceId, contextId,
	streamId, correlationId, demangledName, shortName, graphNodeId) VALUES
	( 84200,  84900, 0, 1, 13, 112,  112,  112, NULL),
	(101000, 102000, 0, 1,  7, 114, 1141, 1141, 1),
	(102100, 103000, 0, 1,  7, 114, 1142, 1142, 2),
	(103100, 105000, 0, 1,  7, 114, 1143, 1143, 3),
	(135700, 136700, 1, 2,  7, 122,  122,  122, NULL);
.read parts/tables.sql memcpy
INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY (start, end, correlationId)
VALUES (131300, 131400, 119);
.read parts/tables.sql memset
INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET (start, end, correlationId)
VALUES (132300, 132400, 120);
.read parts/tables.sql nvtx
INSERT INTO NVTX_EVENTS (start, end, eventType, rangeId, category, color, text,
	globalTid, endGlobalTid, textId, domainId) VALUES
	(100, NULL, 75, NULL, NULL, NULL, 'LibA', 0x1001000001000, NULL, NULL, 1),
	(110, NULL, 75, NULL, NULL, NULL, NULL, 0x1001000001000, NULL, 21, 2),
	(120, NULL, 33, NULL, 3, NULL, 'io', 0x1001000001000, NULL, NULL, 1),
	(130, NULL, 33, NULL, 3, NULL, 'net', 0x1001000001000, NULL, NULL, 2),
	(20000, 23000, 60, 1, NULL, NULL, 'cross 1', 0x1001000001000, NULL, NULL, 0),
	(21000, 24000, 60, 2, NULL, NULL, 'cross 2', 0x1001000001000, NULL, NULL, 0),
	(33000, NULL, 60, 3, NULL, NULL, 'unclosed start', 0x1001000001003, NULL,
		NULL, 0),
	(40000, 42000, 60, 4, NULL, NULL, 'handed over', 0x1001000001000,
		0x1001000001001, NULL, 0),
	(60000, 65000, 59, NULL, NULL, 0xff00ff00, 'f', 0x1001000001000, NULL,
		NULL, 0),
	(60500, NULL, 34, NULL, NULL, NULL, 'plain', 0x1001000001000, NULL, NULL, 0),
	(61000, 64000, 59, NULL, 3, NULL, NULL, 0x1001000001000, NULL, 20, 1),
	(61200, NULL, 34, NULL, 3, NULL, 'libA mark', 0x1001000001000, NULL, NULL, 1),
	(61500, 62500, 59, NULL, 3, NULL, 'f', 0x1001000001000, NULL, NULL, 2),
	(61700, NULL, 34, NULL, 3, NULL, 'libB mark', 0x1001000001000, NULL, NULL, 2);
INSERT INTO NVTX_EVENTS (start, end, eventType, text, globalTid) VALUES
	( 10000,  12000, 59, 'twin 1', 0x1001000001000),
	( 10000,  12000, 59, 'twin 2', 0x1001000001000),
	( 10500,  11500, 59, 'in twin', 0x1001000001000),
	( 30000,   NULL, 59, 'unclosed', 0x1001000001003),
	( 31000,  32000, 59, 'after unclosed', 0x1001000001003),
	( 49900,  50100, 59, 'around zero', 0x1001000001000),
	( 50000,  50000, 59, 'zero', 0x1001000001000),
	( 70000,  71000, 59, 'edge', 0x1001000001000),
	( 72000,  72100, 59, 'exact', 0x1001000001000),
	( 80000,  81000, 59, 'mine', 0x1001000001000),
	( 80000,  85000, 59, 'other', 0x1001000001001),
	( 90000,  91000, 59, 'both', 0x1001000001000),
	(100000, 101000, 59, 'graph', 0x1001000001000),
	(110000, 110500, 59, 'late', 0x1001000001000),
	(120000, 125000, 59, 'backward', 0x1001000001000),
	(123000, 124000, 59, 'AddBackward0', 0x1001000001002),
	(131000, 133000, 59, 'mem', 0x1001000001000),
	(135000, 136000, 59, 'spread', 0x1001000001000),
	(140000, 149000, 59, 'd0', 0x1001000001000),
	(140100, 148000, 59, 'd1', 0x1001000001000),
	(140200, 147000, 59, 'd2', 0x1001000001000),
	(140300, 146000, 59, 'd3', 0x1001000001000),
	(146100, 146900, 59, 'no ops', 0x1001000001000),
	(148100, 148900, 59, 'd1 again', 0x1001000001000);
COMMIT;
