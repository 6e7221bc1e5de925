-- v2023.sql - an export of nsys 2023.3 (schema 3.4.0)
-- of the run in parts/run.sql
--
-- Here: META_DATA_EXPORT and META_DATA_CAPTURE, ENUM_CUDA_KERNEL_LAUNCH_TYPE,
-- ENUM_STACK_UNWIND_METHOD instead of UnwindMethodType, no greenContextId.

.read parts/run.sql 2023
COMMIT;
