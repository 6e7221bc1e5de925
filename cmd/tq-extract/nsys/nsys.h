/* nsys.h - an open export of Nsight Systems, and all that rows refer to */
#ifndef NSYS_H
#define NSYS_H

#include "call_chains.h"
#include "domains.h"
#include "event_records.h"
#include "file_accesses.h"
#include "global_ids.h"
#include "launches.h"
#include "payloads.h"
#include "symbols.h"
#include "sync_calls.h"
#include "write/key_choice.h"

struct nsys {
	const struct database *db; /* borrowed */
	struct output *out;        /* of definitions */
	const struct key_choice *keys;
	struct text version, schema; /* empty where the export lacks them */
	int64_t shift;               /* to be subtracted from all times */

	struct string_ids strings;
	struct global_ids ids;
	struct symbols symbols;
	struct call_chains chains;
	struct launches launches; /* process: as of global_ids_set_device */
	bool count_launches, learn_devices; /* a key is made of them */
	struct sync_calls syncs;            /* process: likewise */
	struct event_records records;
	struct file_accesses files;
	struct nsys_payloads payloads;
	struct domains domains;
};

#endif
