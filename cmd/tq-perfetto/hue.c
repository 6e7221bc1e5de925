/* hue.c - colours for Perfetto */

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "hue.h"

/* the page's colours: lightness in percent, and degrees */
enum { DARKEST = 40, SHADES = 40, HUES = 360 };

/* ---- the wanted colour: CIE L*u*v*, from sRGB ---- */

static double
linear(unsigned byte)
{
	double c = byte / 255.0;

	return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

/* in degrees, and in percent; false if the colour has no hue */
static bool
hue_of(unsigned rgb, double *hue, double *lightness)
{
	static const double white_u = 0.19783, white_v = 0.46832;
	double r = linear(rgb >> 16 & 0xff), g = linear(rgb >> 8 & 0xff),
	       b = linear(rgb & 0xff);
	double x = 0.41239 * r + 0.35758 * g + 0.18048 * b;
	double y = 0.21264 * r + 0.71517 * g + 0.07219 * b;
	double z = 0.01933 * r + 0.11919 * g + 0.95053 * b;
	double sum = x + 15 * y + 3 * z, u, v;

	if (sum <= 0)
		return false;
	u = 4 * x / sum - white_u;
	v = 9 * y / sum - white_v;
	*hue = fmod(atan2(v, u) * 180 / acos(-1) + HUES, HUES);
	*lightness = y <= 0.008856 ? y * 903.3 : 116 * cbrt(y) - 16;
	return hypot(u, v) > 0.01;
}

/* ---- the colour of an id ---- */

/* as JavaScript computes: a product has 53 bits, a sum 32 */
static unsigned
hash_id(const char *s, unsigned limit)
{
	int32_t h = 0x11c9dc5;

	for (; *s != '\0'; s++) {
		h ^= *s;
		h = (int32_t)(uint32_t)(int64_t)(h * 16777619.0);
	}
	return (unsigned)llabs(h) % limit;
}

static double
distance(const char *id, double hue, double lightness)
{
	char shade[HUE_ID + 1];
	double turn = fabs(hash_id(id, HUES) - hue);

	memcpy(shade, id, HUE_ID - 1);
	memcpy(shade + HUE_ID - 1, "x", 2);
	if (turn > HUES * 0.5)
		turn = HUES - turn;
	return turn + fabs(DARKEST + hash_id(shade, SHADES) - lightness);
}

bool
hue_id(unsigned rgb, char id[HUE_ID])
{
	double hue, lightness, best = HUGE_VAL, d;
	char s[HUE_ID] = "";

	if (!hue_of(rgb, &hue, &lightness))
		return false;
	for (s[0] = 'a'; s[0] <= 'z'; s[0]++)
		for (s[1] = 'a'; s[1] <= 'z'; s[1]++)
			for (s[2] = 'a'; s[2] <= 'z'; s[2]++) {
				d = distance(s, hue, lightness);
				if (d < best) {
					best = d;
					memcpy(id, s, HUE_ID);
				}
			}
	return true;
}
