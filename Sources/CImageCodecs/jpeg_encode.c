#include "CImageCodecs.h"

#include <stdio.h>
#include <stdlib.h>
#include <turbojpeg.h>

image_codecs_status image_codecs_jpeg_encode(
    const uint8_t *pixels, image_codecs_shape shape, int quality, uint8_t **encoded,
    size_t *encoded_count, char message[IMAGE_CODECS_MESSAGE_SIZE]) {
  message[0] = 0;
  const int subsampling = shape.channels == 1 ? TJSAMP_GRAY : TJSAMP_420;
  const unsigned long room = tjBufSize((int)shape.width, (int)shape.height, subsampling);
  if (room == (unsigned long)-1) return IMAGE_CODECS_UNSUPPORTED;
  // Not turbojpeg's own buffer, because the caller releases every buffer in the same way.
  uint8_t *bytes = malloc(room);
  tjhandle writer = bytes ? tjInitCompress() : NULL;
  if (!writer) {
    free(bytes);
    return IMAGE_CODECS_OUT_OF_MEMORY;
  }
  unsigned long count = room;
  const int result = tjCompress2(
      writer, pixels, (int)shape.width, 0, (int)shape.height,
      shape.channels == 1 ? TJPF_GRAY : TJPF_RGB, &bytes, &count, subsampling, quality,
      TJFLAG_NOREALLOC | TJFLAG_ACCURATEDCT);
  if (result != 0) snprintf(message, IMAGE_CODECS_MESSAGE_SIZE, "%s", tjGetErrorStr2(writer));
  tjDestroy(writer);
  if (result != 0) {
    free(bytes);
    return IMAGE_CODECS_DAMAGED;
  }
  *encoded = bytes;
  *encoded_count = count;
  return IMAGE_CODECS_OK;
}
