#ifndef C_IMAGE_CODECS_H
#define C_IMAGE_CODECS_H

#include <stddef.h>
#include <stdint.h>

// libpng, libjpeg-turbo, libwebp and libtiff behind plain functions: no state, no callbacks, no longjmp out of C. The
// caller checks an image's size and provides the pixel buffer; the functions reject a file whose
// size differs from it.

enum { IMAGE_CODECS_MESSAGE_SIZE = 200 };

// Values of `raw` for image_codecs_png_decode.
enum { IMAGE_CODECS_RAW = 1, IMAGE_CODECS_RAW_WIDE = 2, IMAGE_CODECS_RAW_ALPHA = 3 };

typedef enum {
  IMAGE_CODECS_OK = 0,
  IMAGE_CODECS_TRUNCATED,
  IMAGE_CODECS_DAMAGED,
  IMAGE_CODECS_UNSUPPORTED,
  IMAGE_CODECS_OUT_OF_MEMORY,
} image_codecs_status;

typedef struct {
  uint32_t width;
  uint32_t height;
  // Interleaved bytes per pixel in the buffer: 1 or 3; 4 for CMYK from JPEG and RGB with alpha; 2 for gray of 16
  // bits.
  uint32_t channels;
} image_codecs_shape;

// Decodes a PNG into 8-bit gray (1 channel) or RGB (3), whichever the file contains; alpha is
// dropped, of 16 bits the upper 8 are kept. With `raw` set, palette indices and gray values below 8
// bits keep their values in the file; otherwise palettes become RGB and gray is scaled to 0...255.
// With IMAGE_CODECS_RAW_WIDE and 2 bytes per pixel, gray of 16 bits keeps both, in the processor's order.
// With IMAGE_CODECS_RAW_ALPHA, RGB with alpha of 8 bits keeps its 4 bytes per pixel.
image_codecs_status image_codecs_png_decode(
    const uint8_t *bytes, size_t count, int raw, image_codecs_shape shape, uint8_t *pixels,
    char message[IMAGE_CODECS_MESSAGE_SIZE]);

// Encodes 8-bit gray (1 channel) or RGB (3), or gray of 16 bits (2 bytes per pixel, the higher one first).
// `level` is zlib's 0...9; with `filtered` unset, no row is filtered. On success, the caller releases
// `*encoded` with image_codecs_release.
image_codecs_status image_codecs_png_encode(
    const uint8_t *pixels, image_codecs_shape shape, int level, int filtered, uint8_t **encoded,
    size_t *encoded_count, char message[IMAGE_CODECS_MESSAGE_SIZE]);

void image_codecs_release(uint8_t *encoded);

// Decodes a JPEG into gray, RGB or CMYK by `shape.channels` (1, 3, 4), as stored: no orientation. At
// 1/2, 1/4 or 1/8 of its size (`denominator`; 1 for the whole size), with the same checks. `shape` has the file's size and the channels of the buffer, which has each side
// divided by the denominator, rounded up. One channel is the luma, whatever the file has.
image_codecs_status image_codecs_jpeg_decode_reduced(
    const uint8_t *bytes, size_t count, image_codecs_shape shape, uint32_t denominator,
    uint8_t *pixels, char message[IMAGE_CODECS_MESSAGE_SIZE]);

// Decodes a WebP with one image into RGB; alpha is dropped.
image_codecs_status image_codecs_webp_decode(
    const uint8_t *bytes, size_t count, image_codecs_shape shape, uint8_t *pixels,
    char message[IMAGE_CODECS_MESSAGE_SIZE]);

// Decodes the first image of a TIFF: gray into 1 channel, a palette and RGB into 3, CMYK into 4 as stored.
// Alpha is dropped, of 16 bits the upper 8 are kept; where white is zero, values are inverted. With
// IMAGE_CODECS_RAW, palette indices (1 channel) and gray below 8 bits are not scaled; with
// IMAGE_CODECS_RAW_WIDE and 2 bytes per pixel, gray of 16 bits keeps both, in the processor's order.
image_codecs_status image_codecs_tiff_decode(
    const uint8_t *bytes, size_t count, int raw, image_codecs_shape shape, uint8_t *pixels,
    char message[IMAGE_CODECS_MESSAGE_SIZE]);

// Encodes 8-bit gray or RGB, color at half resolution. `quality` is 1...100. On success, the caller
// releases `*encoded` with image_codecs_release.
image_codecs_status image_codecs_jpeg_encode(
    const uint8_t *pixels, image_codecs_shape shape, int quality, uint8_t **encoded,
    size_t *encoded_count, char message[IMAGE_CODECS_MESSAGE_SIZE]);

#endif
