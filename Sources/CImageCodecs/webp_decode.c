#include "CImageCodecs.h"

#include <stdio.h>
#include <webp/decode.h>

image_codecs_status image_codecs_webp_decode(
    const uint8_t *bytes, size_t count, image_codecs_shape shape, uint8_t *pixels,
    char message[IMAGE_CODECS_MESSAGE_SIZE]) {
  message[0] = 0;
  WebPDecoderConfig config;
  if (!WebPInitDecoderConfig(&config)) {
    snprintf(message, IMAGE_CODECS_MESSAGE_SIZE, "libwebp has another version than at build time");
    return IMAGE_CODECS_UNSUPPORTED;
  }
  VP8StatusCode code = WebPGetFeatures(bytes, count, &config.input);
  if (code == VP8_STATUS_OK) {
    if ((uint32_t)config.input.width != shape.width || (uint32_t)config.input.height != shape.height) {
      snprintf(message, IMAGE_CODECS_MESSAGE_SIZE, "it contains two different sizes");
      return IMAGE_CODECS_DAMAGED;
    }
    config.output.colorspace = MODE_RGB;
    config.output.is_external_memory = 1;
    config.output.u.RGBA.rgba = pixels;
    config.output.u.RGBA.stride = (int)(shape.width * 3);
    config.output.u.RGBA.size = (size_t)shape.width * 3 * shape.height;
    code = WebPDecode(bytes, count, &config);
  }
  WebPFreeDecBuffer(&config.output);
  switch (code) {
    case VP8_STATUS_OK: return IMAGE_CODECS_OK;
    case VP8_STATUS_OUT_OF_MEMORY: return IMAGE_CODECS_OUT_OF_MEMORY;
    case VP8_STATUS_NOT_ENOUGH_DATA:
    case VP8_STATUS_SUSPENDED: return IMAGE_CODECS_TRUNCATED;
    case VP8_STATUS_UNSUPPORTED_FEATURE:
      snprintf(message, IMAGE_CODECS_MESSAGE_SIZE, "a feature that libwebp does not read");
      return IMAGE_CODECS_UNSUPPORTED;
    default:
      snprintf(message, IMAGE_CODECS_MESSAGE_SIZE, "its image data is invalid");
      return IMAGE_CODECS_DAMAGED;
  }
}
