/* http_request.c - the head of a request of HTTP/1 */

#include <string.h>
#include <strings.h>

#include "http_request.h"

/* Cut the text before a separator off *rest; false where there is none. */
static bool
take_until(struct span *rest, struct span separator, struct span *part)
{
	const char *end =
	    memmem(rest->p, rest->len, separator.p, separator.len);
	size_t n;

	if (end == NULL)
		return false;
	n = (size_t)(end - rest->p);
	*part = (struct span){rest->p, n};
	n += separator.len;
	*rest = (struct span){rest->p + n, rest->len - n};
	return true;
}

/* true if all bytes are printable ASCII, of which none is a blank */
static bool
is_word(struct span s)
{
	for (size_t i = 0; i < s.len; i++)
		if (s.p[i] <= ' ' || s.p[i] >= 0x7f)
			return false;
	return s.len > 0;
}

static bool
is_version(struct span s)
{
	return s.len == 8 && span_begins(s, SPAN("HTTP/1.")) && s.p[7] >= '0' &&
	       s.p[7] <= '9';
}

static bool
parse_first_line(struct http_request *r, struct span line)
{
	return take_until(&line, SPAN(" "), &r->method) &&
	       take_until(&line, SPAN(" "), &r->target) && is_word(r->method) &&
	       is_word(r->target) && is_version(line);
}

static struct span
without_blanks(struct span s)
{
	while (s.len > 0 && (*s.p == ' ' || *s.p == '\t'))
		s = (struct span){s.p + 1, s.len - 1};
	while (s.len > 0 && (s.p[s.len - 1] == ' ' || s.p[s.len - 1] == '\t'))
		s.len--;
	return s;
}

static bool
is_named(struct span name, const char *as)
{
	return name.len == strlen(as) && strncasecmp(name.p, as, name.len) == 0;
}

/* false where the header was there before, or has no value */
static bool
set_once(struct span *to, struct span value)
{
	bool first = to->len == 0 && value.len > 0;

	*to = value;
	return first;
}

static bool
parse_header(struct http_request *r, struct span line)
{
	struct span name, value = line;

	/* a name with a blank continues the line before, or hides a name */
	if (!take_until(&value, SPAN(":"), &name) || !is_word(name) ||
	    memchr(value.p, '\r', value.len) != NULL ||
	    memchr(value.p, '\n', value.len) != NULL ||
	    memchr(value.p, '\0', value.len) != NULL)
		return false;
	value = without_blanks(value);
	if (is_named(name, "Host"))
		return set_once(&r->host, value);
	if (is_named(name, "Origin"))
		return set_once(&r->origin, value);
	return true;
}

enum http_head
http_request_parse(struct http_request *r, struct span bytes)
{
	struct span head, line;

	*r = (struct http_request){0};
	if (bytes.len == 0 || !take_until(&bytes, SPAN("\r\n\r\n"), &head))
		return HTTP_CUT;
	head.len += 2; /* the end of the last line */
	if (!take_until(&head, SPAN("\r\n"), &line) ||
	    !parse_first_line(r, line))
		return HTTP_WRONG;
	while (head.len > 0 && take_until(&head, SPAN("\r\n"), &line))
		if (!parse_header(r, line))
			return HTTP_WRONG;
	return r->host.len > 0 ? HTTP_WHOLE : HTTP_WRONG;
}
