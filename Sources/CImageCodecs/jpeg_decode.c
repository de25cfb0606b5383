#include "CImageCodecs.h"

#include <stdio.h>
#include <string.h>
#include <turbojpeg.h>

// Returns whether the end marker comes after the last start of a scan. In image data 0xFF is never
// followed by either code; a thumbnail's end marker is before it.
static int has_end(const uint8_t *bytes, size_t count) {
  for (size_t i = count; i >= 2; i--) {
    if (bytes[i - 2] != 0xFF) continue;
    if (bytes[i - 1] == 0xD9) return 1;
    if (bytes[i - 1] == 0xDA) return 0;
  }
  return 0;
}

static image_codecs_status failure(const char *text, char *message) {
  snprintf(message, IMAGE_CODECS_MESSAGE_SIZE, "%s", text);
  const int is_short = strstr(text, "Premature end of JPEG file") || strstr(text, "missing SOS");
  return is_short ? IMAGE_CODECS_TRUNCATED : IMAGE_CODECS_DAMAGED;
}

static image_codecs_status decode(
    tjhandle reader, const uint8_t *bytes, size_t count, image_codecs_shape shape,
    uint32_t denominator, uint8_t *pixels, char *message) {
  int width = 0, height = 0, subsampling = 0, colors = 0;
  // This also fails for unusual subsampling, which tjDecompress2 decodes: only the size matters
  // here.
  tjDecompressHeader3(
      reader, bytes, (unsigned long)count, &width, &height, &subsampling, &colors);
  if (width <= 0 || height <= 0) return failure(tjGetErrorStr2(reader), message);
  if ((uint32_t)width != shape.width || (uint32_t)height != shape.height) {
    return failure("it contains two different sizes", message);
  }
  const int format = shape.channels == 1 ? TJPF_GRAY : shape.channels == 3 ? TJPF_RGB : TJPF_CMYK;
  const int divisor = (int)denominator;
  width = (width + divisor - 1) / divisor;
  height = (height + divisor - 1) / divisor;
  const int pitch = width * (int)shape.channels;
  const int flags = TJFLAG_LIMITSCANS | TJFLAG_ACCURATEDCT;
  if (tjDecompress2(
          reader, bytes, (unsigned long)count, pixels, width, pitch, height, format, flags) == 0) {
    return IMAGE_CODECS_OK;
  }
  // After a warning, libjpeg continues with gray or repeated pixels, which must not be accepted as
  // an image. Bytes between two markers are the only harmless kind (cameras leave them), but
  // libjpeg keeps only its first warning, so the end marker must be present as well.
  const char *text = tjGetErrorStr2(reader);
  if (tjGetErrorCode(reader) == TJERR_WARNING && strstr(text, "extraneous bytes before marker")) {
    return has_end(bytes, count) ? IMAGE_CODECS_OK : IMAGE_CODECS_TRUNCATED;
  }
  return failure(text, message);
}

image_codecs_status image_codecs_jpeg_decode_reduced(
    const uint8_t *bytes, size_t count, image_codecs_shape shape, uint32_t denominator,
    uint8_t *pixels, char message[IMAGE_CODECS_MESSAGE_SIZE]) {
  message[0] = 0;
  tjhandle reader = tjInitDecompress();
  if (!reader) return IMAGE_CODECS_OUT_OF_MEMORY;
  const image_codecs_status status =
      decode(reader, bytes, count, shape, denominator, pixels, message);
  tjDestroy(reader);
  return status;
}
