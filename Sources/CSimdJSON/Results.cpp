// Results, and annotations of which only the fields for an evaluation are read.

#include "Parser.hpp"

using namespace assay;
using simdjson::SUCCESS;

/// An id in the form that a result stores.
static int64_t packed(const assay_coco_id &id, uint8_t &state) {
  state = id.state | (id.is_text ? uint8_t(assay_result_text) : uint8_t(0));
  return id.is_text ? int64_t(uint64_t(id.text.start) << 32 | id.text.count) : id.integer;
}

error_code assay_coco_parser::result(object fields, bool readsRegion) {
  auto &out = results.back();
  return forEachField(fields, [&](std::string_view key, value &content) {
    error_code error = SUCCESS;
    if (key == "image_id" || key == "category_id") {
      assay_coco_id id;
      error = readID(content, id);
      if (key[0] == 'i') {
        out.image = packed(id, out.image_state);
      } else {
        out.category = packed(id, out.category_state);
      }
    } else if (key == "bbox") {
      error = readBox(content, out.box, out.box_state);
      if (out.box_state == assay_field_missing) mark(marks.empty_fields);
    } else if (key == "score") {
      error = readNumberField(content, out.score, out.score_state);
    } else if (key == "segmentation") {
      if (readsRegion) {
        annotations.emplace_back();
        error = readShape(content, annotations.back());
        if (annotations.back().shape == assay_shape_none) {
          annotations.pop_back();
          out.region = 0;
          mark(marks.empty_fields);
        } else {
          out.region = uint32_t(annotations.size());
        }
      } else {
        uint8_t shape = assay_shape_none;
        error = passShape(content, shape);
        out.region = shape == assay_shape_none ? 0 : UINT32_MAX;
        if (shape == assay_shape_none) mark(marks.empty_fields);
      }
    } else {
      if (key == "keypoints") {
        auto &own = ownKeypoints();
        error = readKeypoints(content, own);
        if (own.state != assay_field_missing) mark(marks.keypoints);
        return error;
      }
      if (key == "segments_info") mark(marks.segments);
      if (key == "caption") mark(marks.empty_fields);
      error = skip(content);
    }
    return error;
  });
}

error_code assay_coco_parser::truth(
  object fields, assay_coco_annotation &out, bool readsRegion
) {
  return forEachField(fields, [&](std::string_view key, value &content) {
    error_code error = SUCCESS;
    if (ofAnnotation(key, content, out, readsRegion, error)) return error;
    if (key == "keypoints") return readKeypoints(content, ownKeypoints());
    if (key == "num_keypoints") {
      auto &own = ownKeypoints();
      return readNumberField(content, own.labeled, own.labeled_state);
    }
    if (key == "segments_info") mark(marks.segments);
    return skip(content);
  });
}

/// Moves past `[…]` of numbers and of such lists; returns false, at any position, for anything
/// else.
static bool skipNumbers(const uint8_t *&at, int depth) {
  skipBlanks(++at);
  if (*at == ']') {
    at++;
    return true;
  }
  while (true) {
    if (*at == '[' ? depth == 0 || !skipNumbers(at, depth - 1) : !skipNumber(at)) return false;
    if (*at <= ' ') skipBlanks(at);
    if (*at == ']') {
      at++;
      return true;
    }
    if (*at != ',') return false;
    if (*++at <= ' ') skipBlanks(at);
  }
}

/// Skips a segmentation, and returns whether there is one; numbers and texts are still checked.
error_code assay_coco_parser::passShape(value &from, uint8_t &shape) {
  const uint8_t *start = textOf(from);
  if (isNull(start)) {
    shape = assay_shape_none;
    return SUCCESS;
  }
  shape = assay_shape_unread;
  if (*start == '[') {
    const uint8_t *at = start + 1;
    skipBlanks(at);
    if (*at == ']') shape = assay_shape_none;
    at = start;
    return skipNumbers(at, 2) ? SUCCESS : skip(from);
  }
  if (*start != '{') return skip(from);
  object fields;
  if (auto error = from.get_object().get(fields)) return error;
  return forEachField(fields, [&](std::string_view, value &content) {
    const uint8_t *at = textOf(content);
    return *at == '[' && skipNumbers(at, 0) ? SUCCESS : skip(content);
  });
}
