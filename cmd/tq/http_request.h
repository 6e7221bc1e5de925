/*
 * http_request.h - the head of a request of HTTP/1.
 *
 *	head   = method " " target " HTTP/1." digit CRLF { header CRLF } CRLF
 *	header = name ":" value
 */
#ifndef TQ_HTTP_REQUEST_H
#define TQ_HTTP_REQUEST_H

#include <stdbool.h>

#include "tq/base/span.h"

enum http_head {
	HTTP_CUT,   /* more bytes have to come */
	HTTP_WRONG, /* it is none, or says twice what counts once */
	HTTP_WHOLE
};

/* spans of the bytes; a header that is not there has length 0 */
struct http_request {
	struct span method, target, host, origin;
};

/*
 * Take the head at the beginning of bytes apart; what follows it does not
 * matter.  A head that has more than one Host or Origin is wrong, for two
 * readers may see different ones, and so is one without Host.
 */
enum http_head http_request_parse(struct http_request *r, struct span bytes);

#endif
