-- v2020.sql - an export of nsys 2020.3: no metadata, no ENUM tables, few columns
-- of the run in parts/run.sql
--
-- Here: no session start, no version, no PROCESSES; TARGET_INFO_CUDA_GPU
-- instead of TARGET_INFO_GPU; RUNTIME without callchainId, KERNEL without
-- mangledName and sharedMemoryLimitConfig; OSRT_API and PROFILER_OVERHEAD with
-- correlationId; the labels of enums must be known to the reader.

.read parts/run.sql 2020
COMMIT;
