-- innermost.sql - process, correlation id and innermost range of each kernel of
-- an export whose call is in a range; ranges have the number of their row

CREATE TEMP TABLE ranges AS
	SELECT globalTid, start, end, rowid AS id FROM NVTX_EVENTS;
CREATE INDEX temp.n ON ranges (globalTid, start);
CREATE TEMP TABLE calls AS
	SELECT globalTid, start, correlationId FROM CUPTI_ACTIVITY_KIND_RUNTIME;
CREATE INDEX temp.r ON calls (correlationId);
SELECT pid, corr, range FROM (
	SELECT (k.globalPid >> 24) & 0xffffff AS pid, k.correlationId AS corr,
	    (SELECT n.id FROM ranges AS n
		WHERE n.globalTid = c.globalTid AND
		    n.start <= c.start AND n.end > c.start
		ORDER BY n.start DESC LIMIT 1) AS range
	FROM CUPTI_ACTIVITY_KIND_KERNEL AS k
	JOIN calls AS c ON c.correlationId = k.correlationId AND
	    c.globalTid >> 24 = k.globalPid >> 24)
WHERE range IS NOT NULL;
