/* slow.c - a library whose function waits, to be opened in several ways */

#include <unistd.h>

void slow_rest(long us);

void
slow_rest(long us)
{
	usleep((unsigned)us);
}
