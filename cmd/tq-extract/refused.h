/* refused.h - recordings that are known and not read: each with what to do */
#ifndef REFUSED_H
#define REFUSED_H

#include "operand.h"
#include "sqlite/database.h"

/* Exit, if the first bytes are those of such a file. */
void refused_file(const struct operand *from);

/* What a file is that no source reads, as the end of a message. */
const char *refused_unknown(const struct operand *from);

/* Exit, if it is such a database. */
void refused_database(const struct database *db);

#endif
