/*
 * hue.h - a colour, as far as Perfetto can be told one.
 *
 * A trace cannot say colours.  But slices that share a correlation id share
 * a colour, and its page makes that of a hash of the id: a hue and a
 * lightness.  So an id can be found that has nearly the colour that is
 * wanted.  Where that hash is another one, slices of one colour still have
 * one colour.
 */
#ifndef HUE_H
#define HUE_H

#include <stdbool.h>

enum { HUE_ID = 4 }; /* bytes, with the NUL */

/* The id for 0xrrggbb; false for shades of grey, which there are none of. */
bool hue_id(unsigned rgb, char id[HUE_ID]);

#endif
