/*
 * report_database.h - the database of a report: its strings and definitions as
 * the tables that nsys exports, and the tables of events with their columns.
 *
 * Of the environment of the user, which a report holds, nothing is read.
 */
#ifndef REPORT_DATABASE_H
#define REPORT_DATABASE_H

#include "nsysrep.h"
#include "sqlite/database.h"

/* Fill an empty database. */
void report_database_fill(const struct database *db, struct nsysrep *r);

#endif
