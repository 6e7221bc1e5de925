/*
 * style.h - the styles of pages and the script of pages of cards, made from
 * pages.css, document.css, cards.css and script.js, as lines that NULL ends.
 */
#ifndef STYLE_H
#define STYLE_H

extern const char *const style_pages[],
    *const style_document[], *const style_cards[], *const style_script[];

#endif
