#include "CImageCodecs.h"

#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  uint8_t *bytes;
  size_t count;
  size_t capacity;
  int out_of_memory;
  char *message;
  jmp_buf escape;
} png_sink;

static void on_error(png_structp png, png_const_charp text) {
  png_sink *sink = png_get_error_ptr(png);
  snprintf(sink->message, IMAGE_CODECS_MESSAGE_SIZE, "%s", text);
  longjmp(sink->escape, 1);
}

static void on_warning(png_structp png, png_const_charp text) {
  (void)png;
  (void)text;
}

static void on_write(png_structp png, png_bytep source, size_t count) {
  png_sink *sink = png_get_io_ptr(png);
  if (count > sink->capacity - sink->count) {
    size_t capacity = sink->capacity * 2;
    if (capacity < sink->count + count) capacity = sink->count + count;
    uint8_t *bytes = realloc(sink->bytes, capacity);
    if (!bytes) {
      sink->out_of_memory = 1;
      png_error(png, "out of memory");
    }
    sink->bytes = bytes;
    sink->capacity = capacity;
  }
  memcpy(sink->bytes + sink->count, source, count);
  sink->count += count;
}

static void on_flush(png_structp png) { (void)png; }

static void write_rows(
    png_structp png, png_infop info, const uint8_t *pixels, image_codecs_shape shape, int level,
    int filtered) {
  png_set_user_limits(png, shape.width, shape.height);
  png_set_IHDR(
      png, info, shape.width, shape.height, shape.channels == 2 ? 16 : 8,
      shape.channels == 3 ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE,
      PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_set_compression_level(png, level);
  png_set_filter(png, PNG_FILTER_TYPE_BASE, filtered ? PNG_ALL_FILTERS : PNG_FILTER_NONE);
  png_write_info(png, info);
  const size_t stride = (size_t)shape.width * shape.channels;
  for (uint32_t row = 0; row < shape.height; row++) png_write_row(png, pixels + row * stride);
  png_write_end(png, NULL);
}

image_codecs_status image_codecs_png_encode(
    const uint8_t *pixels, image_codecs_shape shape, int level, int filtered, uint8_t **encoded,
    size_t *encoded_count, char message[IMAGE_CODECS_MESSAGE_SIZE]) {
  png_sink sink = {.message = message};
  png_structp volatile png = NULL;
  png_infop volatile info = NULL;
  image_codecs_status volatile status = IMAGE_CODECS_OUT_OF_MEMORY;
  message[0] = 0;

  if (setjmp(sink.escape) == 0) {
    png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &sink, on_error, on_warning);
    info = png ? png_create_info_struct(png) : NULL;
    if (info) {
      png_set_write_fn(png, &sink, on_write, on_flush);
      write_rows(png, info, pixels, shape, level, filtered);
      status = IMAGE_CODECS_OK;
    }
  } else {
    status = sink.out_of_memory ? IMAGE_CODECS_OUT_OF_MEMORY : IMAGE_CODECS_DAMAGED;
  }
  png_structp writer = png;
  png_infop writer_info = info;
  if (writer) png_destroy_write_struct(&writer, &writer_info);
  if (status == IMAGE_CODECS_OK) {
    *encoded = sink.bytes;
    *encoded_count = sink.count;
  } else {
    free(sink.bytes);
  }
  return status;
}

void image_codecs_release(uint8_t *encoded) { free(encoded); }
