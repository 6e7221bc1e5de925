/* finding_draft.c - the findings of the page, while their sentences are made */

#include <stdarg.h>

#include "tq/base/array.h"

#include "tq/show/amount.h"
#include "finding_draft.h"

static void
add_part(struct finding_draft *x, enum page_part_kind kind, struct span s)
{
	if (s.len > 0)
		*array_add(&x->now->parts, &x->now->count, &x->now->cap) =
		    (struct page_part){kind, s};
}

static struct span
amount(struct finding_draft *x, char what, va_list *args)
{
	struct text *t = &x->f->text;
	int64_t v = va_arg(*args, int64_t);

	switch (what) {
	case 't':
		amount_time(t, v);
		break;
	case 'z':
		amount_size(t, v);
		break;
	case 'r':
		amount_rate(t, v);
		break;
	case 'p':
		amount_share(t, v, va_arg(*args, int64_t));
		text_add_str(t, " %");
		break;
	default:
		amount_count(t, v);
		break;
	}
	return page_draft_text(x->f);
}

void
finding_draft_add(struct finding_draft *x, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	while (*format != '\0') {
		size_t n = strcspn(format, "%");

		add_part(x, PAGE_WORDS, (struct span){format, n});
		format += n;
		if (*format == '\0')
			break;
		if (format[1] == 'n')
			add_part(x, PAGE_NAME, va_arg(args, struct span));
		else if (format[1] == 's')
			add_part(
			    x, PAGE_WORDS, span_of(va_arg(args, const char *)));
		else
			add_part(x, PAGE_NUMBER, amount(x, format[1], &args));
		format += 2;
	}
	va_end(args);
}

void
finding_draft_words(struct finding_draft *x, struct span words)
{
	add_part(x, PAGE_WORDS, words);
}

void
finding_draft_begin(
    struct finding_draft *x, struct span name, struct span title)
{
	struct page *p = x->p;

	x->now = array_add(&p->findings, &p->finding_count, &x->cap);
	*x->now = (struct page_finding){.name = name,
	    .title = title,
	    .note = true,
	    .most = 3,
	    .confidence = PAGE_SURE};
}

void
finding_draft_confidence(struct finding_draft *x, enum page_confidence c)
{
	static const char *const words[] = {"", " (likely)", " (hint)"};

	x->now->confidence = c;
	finding_draft_words(x, span_of(words[c]));
}

void
finding_draft_command(struct finding_draft *x, struct span command)
{
	x->f->text.len = 0;
	printed_command_add(&x->f->text, &x->f->input, command);
	x->now->command = page_draft_text(x->f);
}

void
finding_draft_rest(struct finding_draft *x, const struct start_up *s)
{
	struct text command = {0};

	start_up_add_look(&command, s);
	finding_draft_command(x, text_span(&command));
	text_free(&command);
}
