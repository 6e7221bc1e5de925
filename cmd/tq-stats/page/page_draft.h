/*
 * page_draft.h - the state that the parts of page_fill() share.
 */
#ifndef PAGE_DRAFT_H
#define PAGE_DRAFT_H

#include "tq/io/printed_command.h"

#include "gpu_account.h"
#include "page.h"
#include "run_report.h"

struct page_draft {
	struct page *p;
	const struct reports *rs;
	const struct gpu_account *account;
	const struct run_report_total *recorded;
	size_t *gpu_of;     /* account's GPU -> the page's */
	struct groups none; /* of a report that is not there */
	struct printed_command_input input;
	struct text text; /* for one text at a time */
};

/* What the commands of a page are for. */
void page_draft_input(
    struct printed_command_input *in, const struct report_settings *s);

/* The report of the page with that name. */
struct report *page_draft_report(const struct page_draft *f, const char *name);

/* What f->text has, which is empty then. */
struct span page_draft_text(struct page_draft *f);

/*
 * A command, whose word FILE is the input:
 *	page_draft_command(f, "tq-stats -r gaps FILE")
 */
struct span page_draft_command(struct page_draft *f, const char *command);

/* The name of a range without what PyTorch adds to it. */
struct span page_draft_range(struct page_draft *f, struct span name);

/* True if part is at least so many thousandths of whole. */
static inline bool
page_draft_is_part(dist_wide part, dist_wide whole, int permille)
{
	return part * 1000 >= whole * permille;
}

/* A sum as 64 bits; saturated is noted. */
int64_t page_draft_sum(struct page_draft *f, dist_wide sum);

/* The name of a GPU of account. */
struct span page_draft_gpu(const struct page_draft *f, size_t gpu);

/* Add "300 ms recorded each", or "9.24 s from first to last GPU operation". */
void page_draft_add_span(struct page_draft *f, struct text *t);

/* True if all GPUs have the same denominator. */
bool page_draft_same_span(const struct page_draft *f);

/* Fill the tables. */
void tables_fill(struct page_draft *f);
void rank_tables_fill(struct page_draft *f);

/* Fill the findings; after the tables and the account. */
void findings_fill(struct page_draft *f);

#endif
