#ifndef PNG_PLAIN_H
#define PNG_PLAIN_H

#include "CImageCodecs.h"

// Decodes what label maps and masks are: one channel of 8 bits, gray or (with `raw`) palette indices, not
// interlaced. libpng takes such rows byte by byte, which costs more than inflating them. Returns 0, with
// `pixels` in any state, for every other file and for all that is out of the ordinary: libpng then
// decides, and says what is wrong.
int png_plain_decode(
    const uint8_t *bytes, size_t count, int raw, image_codecs_shape shape, uint8_t *pixels);

#endif
