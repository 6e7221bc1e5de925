/*
 * view.h - tq view: a trace of a recording, and how to open it.
 */
#ifndef TQ_VIEW_H
#define TQ_VIEW_H

int view_main(int argc, char *argv[]);

#endif
