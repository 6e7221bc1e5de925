-- v2021.sql - an export of nsys 2021.2: no metadata, no session start, no ENUM tables
-- of the run in parts/run.sql
--
-- Here: TARGET_INFO_GPU with id; RUNTIME has callchainId, KERNEL
-- sharedMemoryLimitConfig but no mangledName, OSRT_API and PROFILER_OVERHEAD
-- still have correlationId; no PROCESSES: the name of the process is that of
-- its main thread.

.read parts/run.sql 2021
COMMIT;
