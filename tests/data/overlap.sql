-- overlap.sql - kernels of one stream that overlap, and such that only seem to
--
-- Process 4096, device 0, context 1. Programmatic dependent launch lets the next
-- kernel of a stream start before the one before it has ended: a viewer that
-- wants nested slices needs a lane of its own for those that cross.
--
--   stream 7   back to back at odd ns, no overlap: 20 kernels "tight", kernel n
--              (0 ... 19) starts where n - 1 ended, lasts 1001 + n ns, the
--              first at 1000000001. In floating microseconds of an epoch most
--              of them overlap. One lane.
--   stream 8   crossing: "a" 1000-2000, "b" 1999-3000 (by 1 ns), "c" 3000-4000
--              (touches b), "d" 3500-4500 (crosses c), "e" 4500-5000. Two lanes:
--              a, c, e fit in the first, b and d need the second.
--   stream 9   contained: "outer" 1000-5000, "inner" 2000-3000, "inner 2"
--              3000-5000 (same end), "inner 3" 1000-1500 (same start). Nested,
--              no crossing: one lane.
--   stream 10  three at once: "x" 1000-3000, "y" 1500-3500, "z" 2000-4000, "w"
--              3200-3300 (inside y and z, after x). Three lanes.
--   stream 11  siblings cross inside a parent: "parent" 1000-9000, "s1"
--              2000-4000, "s2" 3000-5000, "s3" 4500-6000: whoever only knows
--              the latest end misses them.
--   stream 12  equal: "same" 1000-2000 twice, and "same" 1000-1000 (zero)
--   stream 13  a memcpy 1000-2000 that crosses kernel "k" 1500-2500
--   stream 14  touching by zero: "p" 1000-2000, "zero" 2000-2000, "q" 2000-3000
--
-- Crossing pairs: 7 in all (stream 8: 2, stream 10: 3, and of s1-s3: 2), and 1
-- of a memcpy with a kernel.
--
-- Rows: KERNEL 44, MEMCPY 1.

BEGIN;
CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
INSERT INTO StringIds VALUES
	(1, 'tight'), (2, 'a'), (3, 'b'), (4, 'c'), (5, 'd'), (6, 'e'),
	(7, 'outer'), (8, 'inner'), (9, 'inner 2'), (10, 'inner 3'), (11, 'x'),
	(12, 'y'), (13, 'z'), (14, 'w'), (15, 'parent'), (16, 's1'), (17, 's2'),
	(18, 's3'), (19, 'same'), (20, 'k'), (21, 'p'), (22, 'zero'), (23, 'q');
.read parts/tables.sql version
.read parts/tables.sql kernel
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, end, correlationId,
	demangledName, shortName)
WITH RECURSIVE t(n, a, b) AS (
	SELECT 0, 1000000001, 1000001002
	UNION ALL SELECT n + 1, b, b + 1002 + n FROM t WHERE n < 19)
SELECT a, b, 100 + n, 1, 1 FROM t;
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (streamId, start, end, correlationId,
	demangledName, shortName)
SELECT column1, column2, column3, 200 + column4, column4, column4
FROM (VALUES
	( 8, 1000, 2000,  2), ( 8, 1999, 3000,  3), ( 8, 3000, 4000,  4),
	( 8, 3500, 4500,  5), ( 8, 4500, 5000,  6),
	( 9, 1000, 5000,  7), ( 9, 2000, 3000,  8), ( 9, 3000, 5000,  9),
	( 9, 1000, 1500, 10),
	(10, 1000, 3000, 11), (10, 1500, 3500, 12), (10, 2000, 4000, 13),
	(10, 3200, 3300, 14),
	(11, 1000, 9000, 15), (11, 2000, 4000, 16), (11, 3000, 5000, 17),
	(11, 4500, 6000, 18),
	(12, 1000, 2000, 19), (12, 1000, 2000, 19), (12, 1000, 1000, 19),
	(13, 1500, 2500, 20),
	(14, 1000, 2000, 21), (14, 2000, 2000, 22), (14, 2000, 3000, 23));
.read parts/tables.sql memcpy
INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY (streamId, start, end, correlationId)
VALUES (13, 1000, 2000, 300);
COMMIT;
