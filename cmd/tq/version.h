/*
 * version.h - the commit of the sources, which the Makefile writes down
 */
#ifndef TQ_VERSION_H
#define TQ_VERSION_H

/* as git names it; empty: not known */
extern const char version_commit[];

#endif
