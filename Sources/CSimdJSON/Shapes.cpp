// Segmentations: polygons in hundredths of a pixel if that is exact, and run lengths.

#include "Parser.hpp"
#include "Validator.hpp"

using namespace assay;

error_code assay_coco_parser::readShape(value &from, assay_coco_annotation &to) {
  to.polygons = uint32_t(polygons.size());
  to.polygon_count = to.value_count = 0;
  to.values = uint32_t(hundredthsCount);
  to.has_odd_polygon = to.is_flat = false;
  to.shape = assay_shape_bad;
  const uint8_t *at = textOf(from);
  if (*at == '[') return readPolygons(from, to);
  if (*at == '{') return readRuns(from, to);
  if (isNull(at)) to.shape = assay_shape_none;
  return skip(from);
}

error_code assay_coco_parser::readPolygons(value &from, assay_coco_annotation &to) {
  const uint8_t *start = textOf(from), *first = start + 1;
  skipBlanks(first);
  if (isDigit(*first) || *first == '-') {
    to.shape = assay_shape_hundredths;
    if (!readPolygon(start, to)) to.shape = assay_shape_bad;
    to.is_flat = true;
    measure(to);
    return to.shape == assay_shape_bad ? skip(from) : simdjson::SUCCESS;
  }
  array list;
  if (auto error = from.get_array().get(list)) return error;
  to.shape = assay_shape_none;
  bool isBad = false;
  for (auto element : list) {
    value polygon;
    if (auto error = element.get(polygon)) return error;
    if (to.shape == assay_shape_none) to.shape = assay_shape_hundredths;
    const uint8_t *text = textOf(polygon);
    // A text that was read to its end is known to be JSON; all others are checked again.
    if (*text != '[' || !readPolygon(text, to)) {
      isBad = true;
      if (auto error = skip(polygon)) return error;
    }
  }
  if (isBad) to.shape = assay_shape_bad;
  measure(to);
  return simdjson::SUCCESS;
}

/// Switches to floating point if hundredths are not exact.
void assay_coco_parser::toDoubles(assay_coco_annotation &to) {
  if (to.shape == assay_shape_doubles) return;
  const uint32_t start = uint32_t(doubles.size());
  for (uint32_t place = 0; place < to.value_count; place++)
    doubles.push_back(double(hundredths[to.values + place]) / 100);
  hundredthsCount = to.values;
  to.values = start;
  to.shape = assay_shape_doubles;
}

/// Reads `[x, y, …]`; returns false if it is not a list of numbers.
bool assay_coco_parser::readPolygon(const uint8_t *text, assay_coco_annotation &to) {
  const uint8_t *at = text + 1;
  const uint32_t before = to.value_count;
  bool isBad = false, isAtEnd = false;
  skipBlanks(at);
  if (*at == ']') {
    polygons.push_back({0, false});
    to.polygon_count++;
    to.has_odd_polygon = true;
    return true;
  }
  if (to.shape == assay_shape_hundredths) {
    int32_t *next = hundredths.data() + hundredthsCount;
    while (readHundredths(at, *next)) {
      next++;
      if (*at == ',') {
        at++;
        if (*at <= ' ') skipBlanks(at);
        continue;
      }
      skipBlanks(at);
      if (*at != ',') {
        isAtEnd = true;
        break;
      }
      at++;
      skipBlanks(at);
    }
    to.value_count += uint32_t(next - hundredths.data() - hundredthsCount);
    hundredthsCount = size_t(next - hundredths.data());
    // Two numbers without a comma between them are not JSON.
    if (isAtEnd && *at != ']') return false;
  }
  if (!isAtEnd) {
    toDoubles(to);
    while (true) {
      skipBlanks(at);
      double number = 0;
      const auto kind = readNumber(at, number);
      if (kind == NumberKind::none) return false;
      if (kind == NumberKind::notFinite) {
        isBad = true;
        number = 0;
      }
      doubles.push_back(number);
      to.value_count++;
      skipBlanks(at);
      if (*at == ']') break;
      if (*at != ',') return false;
      at++;
    }
  }
  const uint32_t count = to.value_count - before;
  polygons.push_back({count, isBad});
  to.polygon_count++;
  if (isBad || count < 6 || count % 2 != 0) to.has_odd_polygon = true;
  return true;
}

/// The minimum and maximum coordinates.
void assay_coco_parser::measure(assay_coco_annotation &to) const {
  if (to.has_odd_polygon || to.value_count < 2) return;
  if (to.shape == assay_shape_hundredths) {
    const int32_t *at = hundredths.data() + to.values;
    int32_t least[2] = {at[0], at[1]}, greatest[2] = {at[0], at[1]};
    for (uint32_t place = 2; place + 1 < to.value_count; place += 2) {
      for (int axis = 0; axis < 2; axis++) {
        const int32_t number = at[place + uint32_t(axis)];
        least[axis] = number < least[axis] ? number : least[axis];
        greatest[axis] = number > greatest[axis] ? number : greatest[axis];
      }
    }
    for (int axis = 0; axis < 2; axis++) {
      to.bounds[axis] = double(least[axis]) / 100;
      to.bounds[axis + 2] = double(greatest[axis]) / 100;
    }
  } else if (to.shape == assay_shape_doubles) {
    const double *at = doubles.data() + to.values;
    for (int axis = 0; axis < 2; axis++) to.bounds[axis] = to.bounds[axis + 2] = at[axis];
    for (uint32_t place = 0; place + 1 < to.value_count; place += 2) {
      for (int axis = 0; axis < 2; axis++) {
        const double number = at[place + uint32_t(axis)];
        to.bounds[axis] = std::fmin(to.bounds[axis], number);
        to.bounds[axis + 2] = std::fmax(to.bounds[axis + 2], number);
      }
    }
  }
}

error_code assay_coco_parser::readRuns(value &from, assay_coco_annotation &to) {
  object fields;
  if (auto error = from.get_object().get(fields)) return error;
  bool hasCounts = false, hasSize = false;
  for (auto entry : fields) {
    simdjson::ondemand::field field;
    if (auto error = std::move(entry).get(field)) return error;
    std::string_view key;
    if (auto error = keyOf(field, key)) return error;
    value &content = field.value();
    const uint8_t *at = textOf(content);
    if (key == "counts") {
      hasCounts = true;
      if (*at == '"') {
        std::string_view text;
        if (auto error = content.get_string().get(text)) return error;
        to.compressed = keep(text);
        to.shape = assay_shape_compressed;
      } else if (*at == '[' && readRunList(at, to)) {
        to.shape = assay_shape_runs;
      } else {
        hasCounts = false;
        if (auto error = skip(content)) return error;
      }
    } else if (key == "size" && *at == '[') {
      const uint8_t *number = at + 1;
      skipBlanks(number);
      hasSize = readWhole(number, to.mask_height);
      skipBlanks(number);
      if (hasSize && *number == ',') {
        number++;
        skipBlanks(number);
        hasSize = readWhole(number, to.mask_width);
        skipBlanks(number);
        hasSize = hasSize && *number == ']';
      } else {
        hasSize = false;
      }
      if (!hasSize) {
        if (auto error = skip(content)) return error;
      }
    } else if (auto error = skip(content)) {
      return error;
    }
  }
  to.size_state = hasSize ? assay_field_fine : assay_field_bad;
  if (!hasCounts) to.shape = assay_shape_bad;
  return simdjson::SUCCESS;
}

/// Reads run lengths; a run that is not a finite number becomes one that no mask has.
bool assay_coco_parser::readRunList(const uint8_t *text, assay_coco_annotation &to) {
  const uint8_t *at = text + 1;
  to.values = uint32_t(doubles.size());
  to.value_count = 0;
  skipBlanks(at);
  if (*at == ']') return true;
  while (true) {
    skipBlanks(at);
    double number = 0;
    const auto kind = readNumber(at, number);
    if (kind == NumberKind::none) return false;
    doubles.push_back(kind == NumberKind::fine ? number : -1);
    to.value_count++;
    skipBlanks(at);
    if (*at == ']') return true;
    if (*at != ',') return false;
    at++;
  }
}
