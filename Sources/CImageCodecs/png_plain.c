#include "png_plain.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static uint32_t big_endian(const uint8_t *bytes) {
  return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

// The chunks of a file.
typedef struct {
  const uint8_t *bytes;
  size_t count;
  size_t position;
  const uint8_t *name;
  const uint8_t *content;
  size_t length;
} chunk_walk;

// Steps to the next chunk; returns 0 if there is no complete one.
static int next_chunk(chunk_walk *walk) {
  if (walk->count - walk->position < 12) return 0;
  const size_t length = big_endian(walk->bytes + walk->position);
  if (length > INT32_MAX || length > walk->count - walk->position - 12) return 0;
  walk->name = walk->bytes + walk->position + 4;
  walk->content = walk->name + 4;
  walk->length = length;
  walk->position += 12 + length;
  return 1;
}

static int has_name(const chunk_walk *walk, const char *name) {
  return memcmp(walk->name, name, 4) == 0;
}

static int is_intact(const chunk_walk *walk) {
  const uLong sum = crc32(crc32(0, NULL, 0), walk->name, (uInt)(walk->length + 4));
  return sum == big_endian(walk->content + walk->length);
}

// Steps to the first chunk of image data; returns 0 for a file that is not plain.
static int find_image_data(chunk_walk *walk, int raw, image_codecs_shape shape) {
  walk->position = 8;
  if (walk->count < 8 || !next_chunk(walk) || !has_name(walk, "IHDR") || walk->length != 13 ||
      !is_intact(walk)) {
    return 0;
  }
  const uint8_t *header = walk->content;
  const uint8_t depth = header[8], color = header[9];
  if (big_endian(header) != shape.width || big_endian(header + 4) != shape.height || depth != 8 ||
      !(color == 0 || (color == 3 && raw)) || header[10] != 0 || header[11] != 0 ||
      header[12] != 0) {
    return 0;
  }
  int has_palette = 0;
  while (next_chunk(walk)) {
    if (has_name(walk, "IDAT")) return color == 0 || has_palette;
    const int is_critical = (walk->name[0] & 0x20) == 0;
    if (!is_critical) continue;
    if (!has_name(walk, "PLTE") || has_palette || walk->length == 0 || walk->length > 768 ||
        walk->length % 3 != 0 || !is_intact(walk)) {
      return 0;
    }
    has_palette = 1;
  }
  return 0;
}

// Joins the image data from the current chunk of `walk` on; returns 0 for damaged chunks, or if
// there is none.
static size_t join_image_data(chunk_walk *walk, uint8_t *joined) {
  size_t count = 0;
  do {
    if (!is_intact(walk)) return 0;
    memcpy(joined + count, walk->content, walk->length);
    count += walk->length;
    if (!next_chunk(walk)) return 0;
  } while (has_name(walk, "IDAT"));
  return count;
}

static const uint64_t ones = 0x0101010101010101ULL;

static uint64_t load(const uint8_t *bytes) {
  uint64_t word;
  memcpy(&word, bytes, 8);
  return word;
}

static void store(uint8_t *bytes, uint64_t word) { memcpy(bytes, &word, 8); }

// Every byte plus its left neighbor, eight at a time: a prefix sum by doubling distances.
static void add_left(const uint8_t *source, uint8_t *row, size_t width) {
  const uint64_t lows = 0x7f7f7f7f7f7f7f7fULL;
  uint8_t last = 0;
  size_t x = 0;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  for (; x + 8 <= width; x += 8) {
    uint64_t word = load(source + x);
    // Sums of bytes without a carry into the next: the eighth bits are added separately.
    const uint64_t before = last * ones;
    for (int shift = 8; shift <= 32; shift *= 2) {
      const uint64_t moved = word << shift;
      word = ((word & lows) + (moved & lows)) ^ ((word ^ moved) & ~lows);
    }
    word = ((word & lows) + (before & lows)) ^ ((word ^ before) & ~lows);
    store(row + x, word);
    last = (uint8_t)(word >> 56);
  }
#endif
  for (; x < width; x++) row[x] = last = (uint8_t)(last + source[x]);
}

static void add_above(
    const uint8_t *restrict source, const uint8_t *restrict above, uint8_t *restrict row,
    size_t width) {
  for (size_t x = 0; x < width; x++) row[x] = (uint8_t)(source[x] + above[x]);
}

static void add_mean(
    const uint8_t *source, const uint8_t *above, uint8_t *row, size_t width) {
  uint8_t left = 0;
  for (size_t x = 0; x < width; x++) {
    row[x] = left = (uint8_t)(source[x] + ((left + above[x]) >> 1));
  }
}

static uint8_t paeth(int left, int up, int corner) {
  const int by_left = abs(up - corner), by_up = abs(left - corner);
  const int by_corner = abs(left + up - 2 * corner);
  return (uint8_t)(by_left <= by_up && by_left <= by_corner ? left : by_up <= by_corner ? up : corner);
}

// Label maps are flat: if eight bytes add nothing, the predictor is the byte above as long as left
// and corner are equal, and the byte to the left as long as all bytes above equal the corner.
static void add_paeth(
    const uint8_t *source, const uint8_t *above, uint8_t *row, size_t width) {
  uint8_t left = 0, corner = 0;
  size_t x = 0;
  while (x < width) {
    if (x + 8 <= width && load(source + x) == 0) {
      const uint64_t up = load(above + x);
      if (left == corner) {
        store(row + x, up);
        left = corner = above[x + 7];
        x += 8;
        continue;
      }
      if (up == corner * ones) {
        store(row + x, left * ones);
        x += 8;
        continue;
      }
    }
    const size_t end = x + 8 <= width ? x + 8 : width;
    for (; x < end; x++) {
      row[x] = left = (uint8_t)(source[x] + paeth(left, above[x], corner));
      corner = above[x];
    }
  }
}

// Removes the filter of one row; returns 0 for an unknown filter. The row above the first is all 0,
// for which Paeth's predictor is the left neighbor.
static int unfilter(
    uint8_t filter, const uint8_t *source, const uint8_t *above, uint8_t *row, size_t width) {
  switch (filter) {
    case 0: memcpy(row, source, width); return 1;
    case 1: add_left(source, row, width); return 1;
    case 2:
      if (above) add_above(source, above, row, width);
      else memcpy(row, source, width);
      return 1;
    case 3:
      if (!above) return 0;
      add_mean(source, above, row, width);
      return 1;
    case 4:
      if (above) add_paeth(source, above, row, width);
      else add_left(source, row, width);
      return 1;
    default: return 0;
  }
}

// Inflates a few rows at a time, so that they are still in the cache when their filter is removed.
static int inflate_rows(
    z_stream *stream, image_codecs_shape shape, uint8_t *filtered, uint32_t rows, uint8_t *pixels) {
  const size_t width = shape.width;
  const uint8_t *above = NULL;
  for (uint32_t y = 0; y < shape.height;) {
    const uint32_t count = shape.height - y < rows ? shape.height - y : rows;
    const size_t size = count * (width + 1);
    const int is_last = y + count == shape.height;
    // One byte of space after the last row: the data must end by itself.
    stream->next_out = filtered;
    stream->avail_out = (uInt)size + (is_last ? 1 : 0);
    const int result = inflate(stream, is_last ? Z_FINISH : Z_SYNC_FLUSH);
    if (is_last ? result != Z_STREAM_END || stream->avail_out != 1
                : result != Z_OK || stream->avail_out != 0) {
      return 0;
    }
    for (uint32_t i = 0; i < count; i++, y++) {
      const uint8_t *source = filtered + i * (width + 1);
      uint8_t *row = pixels + y * width;
      if (!unfilter(source[0], source + 1, above, row, width)) return 0;
      above = row;
    }
  }
  return stream->avail_in == 0;
}

int png_plain_decode(
    const uint8_t *bytes, size_t count, int raw, image_codecs_shape shape, uint8_t *pixels) {
  chunk_walk walk = {.bytes = bytes, .count = count};
  if (shape.channels != 1 || count > INT32_MAX || !find_image_data(&walk, raw, shape)) return 0;
  const uint32_t rows = (uint32_t)(((size_t)256 << 10) / ((size_t)shape.width + 1)) + 1;
  uint8_t *filtered = malloc((size_t)rows * ((size_t)shape.width + 1) + 1);
  uint8_t *joined = malloc(count);
  int done = 0;
  if (filtered && joined) {
    z_stream stream = {.next_in = joined, .avail_in = (uInt)join_image_data(&walk, joined)};
    if (stream.avail_in > 0 && inflateInit(&stream) == Z_OK) {
      done = inflate_rows(&stream, shape, filtered, rows, pixels);
      inflateEnd(&stream);
    }
  }
  free(joined);
  free(filtered);
  return done;
}
