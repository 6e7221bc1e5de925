-- notnsys.sql - a database without any table of nsys: must be refused
--
-- Rows: customers 2, kernels 1.
-- One table has the columns of a kernel, but not its name.

BEGIN;
CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, city TEXT);
INSERT INTO customers VALUES (1, 'Ada', 'London'), (2, 'Grace', 'New York');
CREATE TABLE kernels (
	start, end, deviceId, contextId, streamId, correlationId, globalPid,
	demangledName, shortName);
INSERT INTO kernels VALUES (1, 2, 0, 1, 7, 1, 0x1001000000000, 1, 1);
COMMIT;
