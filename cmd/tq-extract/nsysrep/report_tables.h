/*
 * report_tables.h - which table the events of a report belong to, and which
 * fields of an event are its columns: report_tables.def.
 */
#ifndef REPORT_TABLES_H
#define REPORT_TABLES_H

#include <stdbool.h>
#include <stdint.h>

#include "tq/base/span.h"

enum report_table {
#define TABLE(id, name) REPORT_##id,
#include "report_tables.def"
	REPORT_TABLES
};

enum { REPORT_ANY = -1 }; /* type, or class */

/* an event: its type, and the field that is its body; no body: number is 0 */
struct report_event {
	uint32_t type, number;
	int64_t event_class; /* of a call; REPORT_ANY where it has none */
	const unsigned char *p, *end;
};

/* the meaning of a field, see the table */
enum report_as {
	REPORT_INT,
	REPORT_REAL,
	REPORT_FLOAT,
	REPORT_TEXT,
	REPORT_CHAIN
};

struct report_field {
	enum report_table table;
	const char *column;
	enum report_as as;
	unsigned char sub, number;
	int since, before; /* releases; before 0: for ever */
};

/* the value of a column whose field is absent */
struct report_absent {
	enum report_table table;
	const char *column;
	int64_t value;
	int since;
};

extern const char *const report_tables_names[REPORT_TABLES];
extern const struct report_field report_tables_fields[];
extern const unsigned report_tables_field_count;
extern const struct report_absent report_tables_absent[];
extern const unsigned report_tables_absent_count;

/* tables that were found before, by the form of events; {0} at first */
struct report_known {
	struct {
		uint32_t type, number;
		int64_t event_class;
		int table;
	} all[64];
};

/*
 * Take an event apart that has the bytes from p to end; REPORT_SLACK bytes
 * behind it may be read.  False where it is no message.
 */
bool report_tables_take(
    struct report_event *e, const unsigned char *p, const unsigned char *end);

/* True if the event with these bytes is of NVTX_EVENTS. */
bool report_tables_nvtx(const unsigned char *p, const unsigned char *end);

/* The table of an event; REPORT_TABLES where it is of none. */
enum report_table report_tables_match(
    struct report_known *known, const struct report_event *e);

/* True if an NVTX event names a domain, a category or a thread. */
bool report_tables_is_name(const struct report_event *e);

/* A remark on events that are of no table; NULL: unknown ones. */
const char *report_tables_not_read(
    uint32_t type, uint32_t number, int64_t event_class);

/* The table with this name; REPORT_TABLES where there is none. */
enum report_table report_tables_find(const char *name);

#endif
