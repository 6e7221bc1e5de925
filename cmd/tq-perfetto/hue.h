/*
 * hue.h - colours for Perfetto.
 *
 * A trace has no colours.  But slices that share a correlation id share a
 * colour, and Perfetto's page makes it from a hash of the id: a hue and a
 * lightness.  So there is an id with nearly the wanted colour.  If that hash
 * changes, slices of one colour still have one colour.
 */
#ifndef HUE_H
#define HUE_H

#include <stdbool.h>

enum { HUE_ID = 4 }; /* bytes, with the NUL */

/* The id for 0xrrggbb; false for shades of grey, which no id has. */
bool hue_id(unsigned rgb, char id[HUE_ID]);

#endif
