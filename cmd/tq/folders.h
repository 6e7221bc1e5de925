/*
 * folders.h - an operand that is a folder stands for the recordings in it.
 */
#ifndef TQ_FOLDERS_H
#define TQ_FOLDERS_H

/*
 * The words of a command line, argc of them, with the recordings and streams of
 * each folder that is an operand in its place: recordings first, and by name.
 * Those in folders below it do not count, nor hidden files.  Ends the program
 * where a folder has none.  To be called once: the result stays.
 */
char **folders_expand(int *argc, char *argv[]);

#endif
