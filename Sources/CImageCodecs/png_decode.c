#include "CImageCodecs.h"
#include "png_plain.h"

#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

typedef struct {
  const uint8_t *bytes;
  size_t count;
  size_t position;
  int truncated;
  char *message;
  jmp_buf escape;
} png_source;

static void on_error(png_structp png, png_const_charp text) {
  png_source *source = png_get_error_ptr(png);
  snprintf(source->message, IMAGE_CODECS_MESSAGE_SIZE, "%s", text);
  longjmp(source->escape, 1);
}

static void on_warning(png_structp png, png_const_charp text) {
  (void)png;
  (void)text;
}

static void on_read(png_structp png, png_bytep target, size_t count) {
  png_source *source = png_get_io_ptr(png);
  if (count > source->count - source->position) {
    source->truncated = 1;
    png_error(png, "the file ends too early");
  }
  memcpy(target, source->bytes + source->position, count);
  source->position += count;
}

// Every ancillary chunk that libpng would parse: none of them changes the pixels.
static const png_byte skipped_chunks[] =
    "bKGD\0cHRM\0cICP\0cLLI\0eXIf\0gAMA\0hIST\0iCCP\0iTXt\0mDCV\0oFFs\0pCAL\0pHYs\0sBIT\0sCAL\0sPLT\0sRGB\0sTER\0"
    "tEXt\0tIME\0tRNS\0zTXt";

static void read_rows(
    png_structp png, png_infop info, int raw, image_codecs_shape shape, uint8_t *pixels) {
  png_set_user_limits(png, shape.width, shape.height);
  png_set_chunk_cache_max(png, 64);
  // Skipped chunks count against this limit, too, though nothing is allocated for them.
  png_set_chunk_malloc_max(png, 64 << 20);
  png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, 0);
  png_set_keep_unknown_chunks(
      png, PNG_HANDLE_CHUNK_NEVER, skipped_chunks, (int)(sizeof skipped_chunks / 5));
  png_read_info(png, info);

  const int color = png_get_color_type(png, info);
  if (raw == IMAGE_CODECS_RAW_WIDE) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    png_set_swap(png);
#endif
  } else if (raw) {
    png_set_packing(png);
  } else if (color == PNG_COLOR_TYPE_PALETTE) {
    png_set_palette_to_rgb(png);
  } else if (color == PNG_COLOR_TYPE_GRAY) {
    png_set_expand_gray_1_2_4_to_8(png);
  }
  if (raw != IMAGE_CODECS_RAW_WIDE) png_set_strip_16(png);
  if (raw != IMAGE_CODECS_RAW_ALPHA) png_set_strip_alpha(png);
  const int passes = png_set_interlace_handling(png);
  png_read_update_info(png, info);

  const size_t stride = (size_t)shape.width * shape.channels;
  if (png_get_image_width(png, info) != shape.width ||
      png_get_image_height(png, info) != shape.height || png_get_rowbytes(png, info) != stride) {
    png_error(png, "the header and the image data disagree about the size");
  }
  for (int pass = 0; pass < passes; pass++) {
    for (uint32_t row = 0; row < shape.height; row++) {
      png_read_row(png, pixels + row * stride, NULL);
    }
  }
}

image_codecs_status image_codecs_png_decode(
    const uint8_t *bytes, size_t count, int raw, image_codecs_shape shape, uint8_t *pixels,
    char message[IMAGE_CODECS_MESSAGE_SIZE]) {
  message[0] = 0;
  if (png_plain_decode(bytes, count, raw, shape, pixels)) return IMAGE_CODECS_OK;
  png_source source = {.bytes = bytes, .count = count, .message = message};
  png_structp volatile png = NULL;
  png_infop volatile info = NULL;
  image_codecs_status volatile status = IMAGE_CODECS_OUT_OF_MEMORY;

  if (setjmp(source.escape) == 0) {
    png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &source, on_error, on_warning);
    info = png ? png_create_info_struct(png) : NULL;
    if (info) {
      png_set_read_fn(png, &source, on_read);
      read_rows(png, info, raw, shape, pixels);
      status = IMAGE_CODECS_OK;
    }
  } else {
    status = source.truncated ? IMAGE_CODECS_TRUNCATED : IMAGE_CODECS_DAMAGED;
  }
  png_structp reader = png;
  png_infop reader_info = info;
  if (reader) png_destroy_read_struct(&reader, &reader_info, NULL);
  return status;
}
