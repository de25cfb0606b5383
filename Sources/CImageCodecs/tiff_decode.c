#include "CImageCodecs.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tiffio.h>

// A single allocation of libtiff, for a strip or tile, is at most this many bytes.
enum { LARGEST_BLOCK = 1 << 30 };
// Tiles may have this many pixels more than four times those of the image.
enum { TILE_SLACK = 1 << 24 };

typedef struct {
  const uint8_t *bytes;
  size_t count;
  size_t place;
  // A read beyond the end was tried.
  int is_short;
  // Something is wrong with the pixels although libtiff goes on.
  int is_damaged;
  int is_reading_pixels;
  char *message;
} tiff_source;

static tmsize_t read_bytes(thandle_t handle, void *target, tmsize_t wanted) {
  tiff_source *source = handle;
  if (wanted < 0) return -1;
  const size_t left = source->place < source->count ? source->count - source->place : 0;
  size_t count = (size_t)wanted;
  if (count > left) {
    source->is_short = 1;
    count = left;
  }
  memcpy(target, source->bytes + (left ? source->place : 0), count);
  source->place += count;
  return (tmsize_t)count;
}

static tmsize_t write_bytes(thandle_t handle, void *from, tmsize_t count) {
  (void)handle, (void)from, (void)count;
  return -1;
}

static toff_t seek(thandle_t handle, toff_t offset, int whence) {
  tiff_source *source = handle;
  const toff_t base = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? source->place : source->count;
  const toff_t place = base + offset;
  if (place > (toff_t)SIZE_MAX / 2) return (toff_t)-1;
  source->place = (size_t)place;
  return place;
}

static int close_source(thandle_t handle) {
  (void)handle;
  return 0;
}

static toff_t size_of(thandle_t handle) { return ((tiff_source *)handle)->count; }

static void keep(tiff_source *source, const char *format, va_list arguments) {
  if (source->message[0] == 0) vsnprintf(source->message, IMAGE_CODECS_MESSAGE_SIZE, format, arguments);
}

static int on_error(TIFF *file, void *user, const char *module, const char *format, va_list arguments) {
  (void)file, (void)module;
  tiff_source *source = user;
  keep(source, format, arguments);
  // Some codecs report success all the same (LZMA with a wrong checksum).
  if (source->is_reading_pixels) source->is_damaged = 1;
  return 1;
}

// libtiff and the codecs within it go on after a warning, with pixels that are not the image's.
static int on_warning(TIFF *file, void *user, const char *module, const char *format, va_list arguments) {
  (void)file, (void)module;
  tiff_source *source = user;
  if (source->is_reading_pixels && !strstr(format, "Old-style LZW")) {
    keep(source, format, arguments);
    source->is_damaged = 1;
  }
  return 1;
}

typedef struct {
  uint32_t width, height;
  uint16_t bits, samples, photometric, is_separate, is_associated;
  // The values of a pixel that are colors.
  uint16_t colors;
  const uint16_t *map[3];
  int map_shift;
  int raw;
  // A pixel is not opaque.
  int is_translucent;
} tiff_layout;

static uint32_t value_at(const uint8_t *row, size_t place, uint16_t bits) {
  switch (bits) {
    case 1: return row[place / 8] >> (7 - place % 8) & 1;
    case 2: return row[place / 4] >> (6 - 2 * (place % 4)) & 3;
    case 4: return row[place / 2] >> (4 - 4 * (place % 2)) & 15;
    case 8: return row[place];
    default: {
      uint16_t value;
      memcpy(&value, row + 2 * place, 2);
      return value;
    }
  }
}

// Writes one value of a pixel at `target`, which has `channels` bytes per pixel.
static void put(const tiff_layout *layout, uint32_t value, uint32_t sample, uint8_t *target) {
  const uint32_t most = (1u << layout->bits) - 1;
  if (layout->photometric == PHOTOMETRIC_PALETTE) {
    if (layout->raw) {
      *target = (uint8_t)value;
    } else {
      for (int color = 0; color < 3; color++) target[color] = (uint8_t)(layout->map[color][value] >> layout->map_shift);
    }
    return;
  }
  if (layout->photometric == PHOTOMETRIC_MINISWHITE) value = most - value;
  if (layout->bits == 16) {
    const uint16_t wide = (uint16_t)value;
    if (layout->raw == IMAGE_CODECS_RAW_WIDE) {
      memcpy(target, &wide, 2);
    } else {
      target[sample] = (uint8_t)(wide >> 8);
    }
  } else if (layout->bits == 8 || layout->raw) {
    target[sample] = (uint8_t)value;
  } else {
    target[sample] = (uint8_t)(value * 255 / most);
  }
}

// Takes `count` pixels from a decoded row. `sample` is that of a plane, or -1 if all values of a pixel are
// beside each other.
static void take(
    tiff_layout *layout, const uint8_t *row, uint32_t count, int sample, uint8_t *target, uint32_t channels) {
  const int is_plain = layout->photometric == PHOTOMETRIC_RGB || layout->photometric == PHOTOMETRIC_MINISBLACK;
  if (is_plain && sample < 0 && layout->bits == 8 && layout->samples == channels && layout->colors == channels) {
    memcpy(target, row, (size_t)count * channels);
    return;
  }
  const uint32_t first = sample < 0 ? 0 : (uint32_t)sample;
  const uint32_t end = sample < 0 ? layout->samples : first + 1;
  const uint32_t opaque = (1u << layout->bits) - 1;
  for (uint32_t pixel = 0; pixel < count; pixel++) {
    for (uint32_t each = first; each < end; each++) {
      const size_t place = sample < 0 ? (size_t)pixel * layout->samples + each : pixel;
      const uint32_t value = value_at(row, place, layout->bits);
      if (each < layout->colors) {
        put(layout, value, each, target + (size_t)pixel * channels);
      } else if (value != opaque) {
        layout->is_translucent = 1;
      }
    }
  }
}

static int read_strips(TIFF *file, tiff_layout *layout, uint8_t *pixels, uint32_t channels) {
  const tmsize_t length = TIFFScanlineSize(file);
  const uint64_t values = (uint64_t)layout->width * (layout->is_separate ? 1 : layout->samples);
  if (length <= 0 || (uint64_t)length < (values * layout->bits + 7) / 8) return 0;
  uint8_t *row = _TIFFmalloc(length);
  if (!row) return -1;
  int is_good = 1;
  const int planes = layout->is_separate ? layout->samples : 1;
  for (int plane = 0; is_good && plane < planes; plane++) {
    for (uint32_t line = 0; is_good && line < layout->height; line++) {
      is_good = TIFFReadScanline(file, row, line, (uint16_t)plane) == 1;
      if (is_good) {
        take(layout, row, layout->width, layout->is_separate ? plane : -1,
             pixels + (size_t)line * layout->width * channels, channels);
      }
    }
  }
  _TIFFfree(row);
  return is_good;
}

static int read_tiles(TIFF *file, tiff_layout *layout, uint8_t *pixels, uint32_t channels, char *message) {
  uint32_t width = 0, height = 0;
  if (!TIFFGetField(file, TIFFTAG_TILEWIDTH, &width) || !TIFFGetField(file, TIFFTAG_TILELENGTH, &height)) return 0;
  const tmsize_t length = TIFFTileSize(file);
  const tmsize_t pitch = TIFFTileRowSize(file);
  const uint64_t values = (uint64_t)width * (layout->is_separate ? 1 : layout->samples);
  if (width == 0 || height == 0 || length <= 0 || pitch <= 0) return 0;
  if ((uint64_t)pitch < (values * layout->bits + 7) / 8 || (uint64_t)length / height < (uint64_t)pitch) return 0;
  const uint64_t across = ((uint64_t)layout->width + width - 1) / width;
  const uint64_t down = ((uint64_t)layout->height + height - 1) / height;
  // A side has at most 2^32 pixels, so that only the last product can be too large.
  const uint64_t columns = across * width, rows = down * height;
  if (columns > UINT64_MAX / rows
      || columns * rows > 4 * (uint64_t)layout->width * layout->height + TILE_SLACK) {
    snprintf(message, IMAGE_CODECS_MESSAGE_SIZE, "tiles of %u×%u for an image of %u×%u", width, height,
             layout->width, layout->height);
    return 0;
  }
  uint8_t *tile = _TIFFmalloc(length);
  if (!tile) return -1;
  int is_good = 1;
  const int planes = layout->is_separate ? layout->samples : 1;
  for (int plane = 0; is_good && plane < planes; plane++) {
    for (uint64_t top = 0; is_good && top < layout->height; top += height) {
      for (uint64_t left = 0; is_good && left < layout->width; left += width) {
        is_good = TIFFReadTile(file, tile, (uint32_t)left, (uint32_t)top, 0, (uint16_t)plane) >= 0;
        if (!is_good) break;
        const uint64_t right = left + width < layout->width ? left + width : layout->width;
        const uint64_t bottom = top + height < layout->height ? top + height : layout->height;
        for (uint64_t line = top; line < bottom; line++) {
          take(layout, tile + (size_t)(line - top) * (size_t)pitch, (uint32_t)(right - left),
               layout->is_separate ? plane : -1, pixels + ((size_t)line * layout->width + (size_t)left) * channels,
               channels);
        }
      }
    }
  }
  _TIFFfree(tile);
  return is_good;
}

// Returns whether a color map has 8 bits per value, as some programs write it instead of 16.
static int has_small_map(const tiff_layout *layout) {
  for (int color = 0; color < 3; color++) {
    for (uint32_t i = 0; i < 1u << layout->bits; i++) {
      if (layout->map[color][i] > 255) return 0;
    }
  }
  return 1;
}

static image_codecs_status refusal(char *message, image_codecs_status status, const char *reason) {
  snprintf(message, IMAGE_CODECS_MESSAGE_SIZE, "%s", reason);
  return status;
}

// Refuses strips that together have more bytes than the file, so that some share them or are not there: a short
// file could take very long.
static image_codecs_status check_strips(TIFF *file, size_t count, char *message) {
  uint64_t total = 0, end = 0;
  const uint32_t strips = TIFFNumberOfStrips(file);
  for (uint32_t strip = 0; strip < strips; strip++) {
    const uint64_t length = TIFFGetStrileByteCount(file, strip), offset = TIFFGetStrileOffset(file, strip);
    if (length > UINT64_MAX - total || length > UINT64_MAX - offset) {
      return refusal(message, IMAGE_CODECS_DAMAGED, "a strip of too many bytes");
    }
    total += length;
    if (offset + length > end) end = offset + length;
  }
  // A single strip may be stated longer than the rest of the file.
  if (strips < 2 || total / 2 <= count) return IMAGE_CODECS_OK;
  if (end > count) return IMAGE_CODECS_TRUNCATED;
  return refusal(message, IMAGE_CODECS_DAMAGED, "its strips overlap");
}

static image_codecs_status decode(
    TIFF *file, tiff_source *source, int raw, image_codecs_shape shape, uint8_t *pixels) {
  tiff_layout layout = {0};
  uint16_t planar = PLANARCONFIG_CONTIG, compression = COMPRESSION_NONE, extras = 0;
  const uint16_t *kinds = NULL;
  TIFFGetField(file, TIFFTAG_IMAGEWIDTH, &layout.width);
  TIFFGetField(file, TIFFTAG_IMAGELENGTH, &layout.height);
  TIFFGetFieldDefaulted(file, TIFFTAG_BITSPERSAMPLE, &layout.bits);
  TIFFGetFieldDefaulted(file, TIFFTAG_SAMPLESPERPIXEL, &layout.samples);
  TIFFGetFieldDefaulted(file, TIFFTAG_PLANARCONFIG, &planar);
  TIFFGetFieldDefaulted(file, TIFFTAG_COMPRESSION, &compression);
  TIFFGetField(file, TIFFTAG_PHOTOMETRIC, &layout.photometric);
  TIFFGetFieldDefaulted(file, TIFFTAG_EXTRASAMPLES, &extras, &kinds);
  if (layout.width != shape.width || layout.height != shape.height) {
    return refusal(source->message, IMAGE_CODECS_DAMAGED, "it contains two different sizes");
  }
  if (!TIFFIsCODECConfigured(compression)) {
    snprintf(source->message, IMAGE_CODECS_MESSAGE_SIZE, "compression %d, which libtiff here does not read", compression);
    return IMAGE_CODECS_UNSUPPORTED;
  }
  if (compression == COMPRESSION_JPEG) TIFFSetField(file, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
  layout.raw = raw;
  layout.is_separate = planar == PLANARCONFIG_SEPARATE && layout.samples > 1;
  layout.is_associated = extras > 0 && kinds && kinds[0] == EXTRASAMPLE_ASSOCALPHA;
  layout.colors = layout.photometric == PHOTOMETRIC_SEPARATED ? 4
      : layout.photometric == PHOTOMETRIC_RGB || layout.photometric == PHOTOMETRIC_YCBCR ? 3 : 1;
  const int is_palette = layout.photometric == PHOTOMETRIC_PALETTE;
  const uint32_t channels = raw == IMAGE_CODECS_RAW_WIDE ? 2 : is_palette && !raw ? 3 : layout.colors;
  const int is_known = layout.bits == 1 || layout.bits == 2 || layout.bits == 4 || layout.bits == 8 || layout.bits == 16;
  if (!is_known || layout.samples < layout.colors || shape.channels != channels
      || (raw == IMAGE_CODECS_RAW_WIDE && (layout.bits != 16 || layout.colors != 1)) || (is_palette && layout.bits > 8)) {
    return refusal(source->message, IMAGE_CODECS_DAMAGED, "its directory is read in two ways");
  }
  if (is_palette && !raw) {
    uint16_t *red = NULL, *green = NULL, *blue = NULL;
    if (!TIFFGetField(file, TIFFTAG_COLORMAP, &red, &green, &blue)) {
      return refusal(source->message, IMAGE_CODECS_DAMAGED, "it has no color map");
    }
    layout.map[0] = red;
    layout.map[1] = green;
    layout.map[2] = blue;
    layout.map_shift = has_small_map(&layout) ? 0 : 8;
  }
  if (!TIFFIsTiled(file)) {
    const image_codecs_status status = check_strips(file, source->count, source->message);
    if (status != IMAGE_CODECS_OK) return status;
  }
  source->is_reading_pixels = 1;
  const int outcome = TIFFIsTiled(file) ? read_tiles(file, &layout, pixels, channels, source->message)
                                        : read_strips(file, &layout, pixels, channels);
  if (outcome < 0) return IMAGE_CODECS_OUT_OF_MEMORY;
  if (outcome == 0 || source->is_damaged) {
    const int is_cut = source->is_short || strstr(source->message, "Read error") != NULL;
    return is_cut ? IMAGE_CODECS_TRUNCATED : IMAGE_CODECS_DAMAGED;
  }
  if (layout.is_associated && layout.is_translucent) {
    return refusal(source->message, IMAGE_CODECS_UNSUPPORTED, "colors multiplied by their alpha");
  }
  return IMAGE_CODECS_OK;
}

image_codecs_status image_codecs_tiff_decode(
    const uint8_t *bytes, size_t count, int raw, image_codecs_shape shape, uint8_t *pixels,
    char message[IMAGE_CODECS_MESSAGE_SIZE]) {
  message[0] = 0;
  tiff_source source = {.bytes = bytes, .count = count, .message = message};
  TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
  if (!options) return IMAGE_CODECS_OUT_OF_MEMORY;
  TIFFOpenOptionsSetMaxSingleMemAlloc(options, LARGEST_BLOCK);
  TIFFOpenOptionsSetErrorHandlerExtR(options, on_error, &source);
  TIFFOpenOptionsSetWarningHandlerExtR(options, on_warning, &source);
  // "m": the bytes are not mapped into libtiff, which changes its own copies in place.
  TIFF *file = TIFFClientOpenExt(
      "image", "rm", &source, read_bytes, write_bytes, seek, close_source, size_of, NULL, NULL, options);
  TIFFOpenOptionsFree(options);
  if (!file) {
    return source.is_short ? IMAGE_CODECS_TRUNCATED : IMAGE_CODECS_DAMAGED;
  }
  const image_codecs_status status = decode(file, &source, raw, shape, pixels);
  TIFFClose(file);
  return status;
}
