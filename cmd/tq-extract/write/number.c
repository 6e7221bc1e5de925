/* number.c - the tables of short numbers */

#include "number.h"
#include "tq/base/text.h"

struct number_small number_smalls[256];
uint32_t number_quads[NUMBER_QUADS];

__attribute__((constructor)) static void
fill(void)
{
	char eight[8];

	for (int i = 0; i < 256; i++) {
		struct number_small *small = &number_smalls[i];
		char text[TEXT_INT_MAX];

		small->len =
		    (unsigned char)(digits_put_int(text, (signed char)i) -
				    text);
		memcpy(small->text, text, sizeof(small->text));
	}
	for (uint32_t i = 0; i < NUMBER_QUADS; i++) {
		digits_put_eight(eight, i);
		memcpy(&number_quads[i], eight + 4, 4);
	}
}
