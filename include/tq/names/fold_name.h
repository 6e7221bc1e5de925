/*
 * fold_name.h - names of ranges without what differs from call to call.
 *
 * Both functions change a name in place and return its new length, which is
 * never more.
 */
#ifndef TQ_NAMES_FOLD_NAME_H
#define TQ_NAMES_FOLD_NAME_H

#include <stddef.h>

/*
 * Parts that no name needs: the arguments that PyTorch adds, as ", op_id = 3"
 * or ", sizes = [[2, 3], []]", go; a hexadecimal number of four digits or more
 * becomes 0x*.
 */
size_t fold_name_always(char *p, size_t len);

/*
 * Parts of such a name that may be an identity: a number that stands alone or
 * follows a word as step, layer or rank becomes *.
 */
size_t fold_name_numbers(char *p, size_t len);

#endif
