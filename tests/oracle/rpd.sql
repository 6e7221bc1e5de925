-- rpd.sql - the events of a recording of rocmProfileData, as JSON with nulls
.mode list
CREATE TEMP VIEW call AS SELECT a.*, n.string AS name, t.string AS args,
	start - (SELECT min(start) FROM (SELECT start FROM rocpd_api
	    UNION ALL SELECT start FROM rocpd_op)) AS ts
    FROM rocpd_api a JOIN rocpd_string n ON n.id = apiName_id
    JOIN rocpd_string t ON t.id = args_id;
SELECT json_object('kind', iif(name = 'UserMarker', 'range', iif(name GLOB 'hip*',
	'api', 'overhead')), 'ts', ts, 'dur', "end" - start, 'pid', pid,
	'tid', tid, 'corr', iif(name GLOB 'hip*', id, NULL),
	'name', iif(name = 'UserMarker' AND args <> '', args, name)) FROM call;
-- an operation belongs to the first of its calls
SELECT json_object('kind', iif(t.string GLOB 'Copy*', 'memcpy', 'kernel'),
	'ts', ts - c.start + o.start, 'dur', o."end" - o.start, 'pid', pid,
	'tid', tid, 'corr', c.id, 'device', gpuId, 'queue', queueId,
	'demangled', iif(t.string GLOB 'Copy*', NULL, d.string),
	'bytes', iif(t.string GLOB 'Copy*', size, NULL),
	'grid', iif(gridX > 0, iif(c.name GLOB
	    'hipExtModule*', json_array((gridX + workgroupX - 1) / workgroupX,
	    (gridY + workgroupY - 1) / workgroupY,
	    (gridZ + workgroupZ - 1) / workgroupZ), json_array(gridX, gridY, gridZ)), NULL),
	'block', iif(gridX > 0, json_array(workgroupX, workgroupY, workgroupZ),
	    NULL)) FROM rocpd_op o
    JOIN call c ON c.id = (SELECT min(api_id) FROM rocpd_api_ops WHERE op_id = o.id)
    JOIN rocpd_string t ON t.id = opType_id
    JOIN rocpd_string d ON d.id = description_id
    LEFT JOIN rocpd_copyapi p ON p.api_ptr_id = c.id
    LEFT JOIN rocpd_kernelapi k ON k.api_ptr_id = c.id;
