/*
 * style.h - the style of pages, made from pages.css and document.css, as lines
 * that NULL ends.
 */
#ifndef STYLE_H
#define STYLE_H

extern const char *const style_pages[], *const style_document[];

#endif
