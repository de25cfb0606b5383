#ifndef PNG_PLAIN_H
#define PNG_PLAIN_H

#include "CImageCodecs.h"

// Decodes the usual format of label maps and masks: one channel of 8 bits, gray or (with `raw`)
// palette indices, not interlaced. libpng processes such rows byte by byte, which costs more than
// inflating them. Returns 0, with `pixels` in any state, for all other files and for anything
// unusual: libpng then decides, and reports the error.
int png_plain_decode(
    const uint8_t *bytes, size_t count, int raw, image_codecs_shape shape, uint8_t *pixels);

#endif
