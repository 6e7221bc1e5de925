/* slow.c - a library whose function waits, to be opened in several ways */

#include <unistd.h>

int slow_rest(long us);

/* not the last thing that it does: its frame is there while it waits */
int
slow_rest(long us)
{
	return usleep((unsigned)us) + 1;
}
