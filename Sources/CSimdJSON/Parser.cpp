// Batches of COCO's images, categories and annotations, parsed by simdjson into flat records.

#include "Parser.hpp"

#include <algorithm>
#include <new>

#include "Validator.hpp"

using namespace assay;
using simdjson::SUCCESS;

void assay_coco_parser::clear() {
  images.clear();
  categories.clear();
  annotations.clear();
  results.clear();
  texts.clear();
  polygons.clear();
  keypoints.clear();
  doubles.clear();
  hundredthsCount = 0;
  marks = {-1, -1, -1, -1, -1};
  place = 0;
}

/// COCO's own fields of images that describe their origin, and are not kept.
static bool isOrigin(std::string_view key) {
  return key == "license" || key == "coco_url" || key == "flickr_url" || key == "date_captured";
}

template <bool isLVIS>
error_code assay_coco_parser::image(object fields, assay_coco_image &out) {
  further.clear();
  auto error = forEachField(fields, [&](std::string_view key, value &content) {
    if (key == "id") return readID(content, out.id);
    if (key == "file_name") return readText(content, out.name, out.name_state);
    if (key == "width") return readWholeField(content, out.width, out.width_state);
    if (key == "height") return readWholeField(content, out.height, out.height_state);
    if constexpr (isLVIS) {
      if (key == "coco_url") return readText(content, out.url, out.url_state);
    }
    if (isOrigin(key)) return skip(content);
    if (key == "neg_category_ids" || key == "not_exhaustive_category_ids") {
      mark(marks.lvis);
      out.has_lists = true;
    }
    further.push_back({further.size(), std::string(key), std::string()});
    return canonical(content, further.back().text, out.has_nulled_attribute);
  });
  if (!error) keepFurther(out.attributes);
  return error;
}

error_code assay_coco_parser::parse(assay_coco_kind kind, size_t count) {
  simdjson::ondemand::document document;
  const simdjson::padded_string_view text(buffer.data(), count + 2, buffer.size());
  if (auto error = parser.iterate(text).get(document)) return error;
  array elements;
  if (auto error = document.get_array().get(elements)) return error;
  for (auto entry : elements) {
    value element;
    if (auto error = entry.get(element)) return error;
    const bool isObject = *textOf(element) == '{';
    object fields;
    error_code error = isObject ? element.get_object().get(fields) : skip(element);
    if (error) return error;
    switch (kind) {
    case assay_coco_images:
    case assay_coco_lvis_images:
      images.emplace_back();
      images.back().is_object = isObject;
      if (!isObject) break;
      error = kind == assay_coco_images
        ? image<false>(fields, images.back()) : image<true>(fields, images.back());
      break;
    case assay_coco_categories:
      categories.emplace_back();
      categories.back().is_object = isObject;
      if (isObject) error = category(fields, categories.back());
      break;
    case assay_coco_annotations:
    case assay_coco_truth:
    case assay_coco_truth_boxes:
      annotations.emplace_back();
      annotations.back().is_object = isObject;
      if (!isObject) break;
      error = kind == assay_coco_annotations
        ? annotation(fields, annotations.back())
        : truth(fields, annotations.back(), kind == assay_coco_truth);
      break;
    case assay_coco_results:
    case assay_coco_result_boxes:
      results.emplace_back();
      results.back().image_state = isObject ? 0 : assay_result_no_object;
      if (isObject) error = result(fields, kind == assay_coco_results);
      break;
    }
    if (error) return error;
    place++;
  }
  // Text that was split at the wrong position closes the list too early.
  return document.current_location().error() == simdjson::OUT_OF_BOUNDS
    ? SUCCESS : simdjson::TAPE_ERROR;
}

error_code assay_coco_parser::category(object fields, assay_coco_category &out) {
  uint8_t superState = assay_field_missing;
  further.clear();
  auto error = forEachField(fields, [&](std::string_view key, value &content) {
    error_code error = SUCCESS;
    if (key == "id") {
      error = readID(content, out.id);
    } else if (key == "name") {
      error = readText(content, out.name, out.name_state);
    } else if (key == "supercategory") {
      error = readText(content, out.supercategory, superState);
    } else {
      further.push_back({further.size(), std::string(key), std::string()});
      error = canonical(content, further.back().text, out.has_nulled_attribute);
    }
    return error;
  });
  if (error) return error;
  keepFurther(out.attributes);
  return SUCCESS;
}

void assay_coco_parser::keepFurther(assay_text &to) {
  if (further.empty()) return;
  scratch.clear();
  appendMembers(scratch, further);
  to = keep(scratch);
}

bool assay_coco_parser::ofAnnotation(
  std::string_view key, value &content, assay_coco_annotation &out, bool readsRegion,
  error_code &error
) {
  if (key == "segmentation") {
    error = readsRegion ? readShape(content, out) : passShape(content, out.shape);
  } else if (key == "image_id") {
    error = readID(content, out.image);
  } else if (key == "category_id") {
    error = readID(content, out.category);
  } else if (key == "id") {
    error = readID(content, out.id);
  } else if (key == "bbox") {
    error = readBox(content, out.box, out.box_state);
  } else if (key == "area") {
    error = readNumberField(content, out.area, out.area_state);
  } else if (key == "iscrowd") {
    error = readCrowd(content, out);
  } else {
    return false;
  }
  return true;
}

error_code assay_coco_parser::annotation(object fields, assay_coco_annotation &out) {
  further.clear();
  auto error = forEachField(fields, [&](std::string_view key, value &content) {
    error_code error = SUCCESS;
    if (ofAnnotation(key, content, out, true, error)) return error;
    if (key == "segments_info") mark(marks.segments);
    further.push_back({further.size(), std::string(key), std::string()});
    error = canonical(content, further.back().text, out.has_nulled_attribute);
    if (key == "keypoints" && further.back().text != "null" && further.back().text != "[]") {
      out.has_keypoints = true;
      const std::string &list = further.back().text;
      // A list of numbers has no comma inside a value.
      if (list[0] == '[') {
        out.keypoint_values = uint32_t(std::count(list.begin(), list.end(), ',') + 1);
      }
    }
    return error;
  });
  if (error) return error;
  keepFurther(out.attributes);
  return SUCCESS;
}

const char *assay_simdjson_version(void) { return SIMDJSON_STRINGIFY(SIMDJSON_VERSION); }

assay_coco_parser *assay_coco_parser_new(uint32_t depth) {
  auto parser = new (std::nothrow) assay_coco_parser();
  if (parser) parser->depth = depth;
  return parser;
}

void assay_coco_parser_free(assay_coco_parser *parser) { delete parser; }

uint8_t *assay_coco_parser_buffer(assay_coco_parser *parser, size_t count) {
  try {
    const size_t wanted = count + 2 + simdjson::SIMDJSON_PADDING;
    // In a list, each number takes at least two bytes.
    parser->hundredths.resize(count / 2 + 16);
    parser->buffer.resize(wanted);
    return parser->buffer.data() + 1;
  } catch (...) {
    return nullptr;
  }
}

assay_coco_batch assay_coco_parser_parse(
  assay_coco_parser *parser, assay_coco_kind kind, size_t count
) {
  assay_coco_batch batch = {};
  if (parser->buffer.size() < count + 2 + simdjson::SIMDJSON_PADDING) {
    batch.status = assay_json_no_memory;
    return batch;
  }
  uint8_t *text = parser->buffer.data();
  text[0] = '[';
  text[count + 1] = ']';
  std::memset(text + count + 2, 0, parser->buffer.size() - count - 2);
  error_code error = SUCCESS;
  try {
    parser->clear();
    error = parser->parse(kind, count);
  } catch (...) {
    batch.status = assay_json_no_memory;
    return batch;
  }
  if (error) {
    // simdjson reports that there is an error, but not its position.
    Validator validator(text, count + 2, parser->depth + 1);
    batch.status = validator.document() ? assay_json_unexpected_byte : validator.status;
    batch.offset = validator.offset() == 0 ? 0 : validator.offset() - 1;
    return batch;
  }
  switch (kind) {
  case assay_coco_images:
  case assay_coco_lvis_images: batch.count = parser->images.size(); break;
  case assay_coco_categories: batch.count = parser->categories.size(); break;
  case assay_coco_results:
  case assay_coco_result_boxes: batch.count = parser->results.size(); break;
  default: batch.count = parser->annotations.size();
  }
  batch.images = parser->images.data();
  batch.categories = parser->categories.data();
  batch.annotations = parser->annotations.data();
  batch.results = parser->results.data();
  batch.texts = parser->texts.data();
  batch.polygons = parser->polygons.data();
  batch.keypoints = parser->keypoints.data();
  batch.keypoint_count = parser->keypoints.size();
  batch.hundredths = parser->hundredths.data();
  batch.doubles = parser->doubles.data();
  batch.marks = parser->marks;
  return batch;
}
