// Single fields: ids, texts, numbers and boxes, and their errors.

#include "Parser.hpp"
#include "Validator.hpp"

using namespace assay;

/// Skips a value that cannot be used, after checking that it is JSON.
error_code assay_coco_parser::skip(value &from) {
  std::string_view text;
  const uint8_t *start = textOf(from);
  if (*start == '{') {
    object fields;
    if (auto error = from.get_object().get(fields)) return error;
    if (auto error = fields.raw_json().get(text)) return error;
  } else if (*start == '[') {
    array elements;
    if (auto error = from.get_array().get(elements)) return error;
    if (auto error = elements.raw_json().get(text)) return error;
  } else if (*start == '"') {
    return from.get_string().error();
  } else {
    const uint8_t *at = start;
    const bool isSound = skipNumber(at) || skipNotFinite(at) || isWord(start, "null")
      || isWord(start, "true") || isWord(start, "false");
    return isSound ? simdjson::SUCCESS : simdjson::INCORRECT_TYPE;
  }
  scratch.assign(text);
  Validator validator(reinterpret_cast<const uint8_t *>(scratch.data()), scratch.size(), depth);
  return validator.document() ? simdjson::SUCCESS : simdjson::INCORRECT_TYPE;
}

error_code assay_coco_parser::readID(value &from, assay_coco_id &to) {
  to = {};
  const uint8_t *at = textOf(from);
  if (*at == '"') {
    std::string_view text;
    if (auto error = from.get_string().get(text)) return error;
    to.text = keep(text);
    to.is_text = true;
    to.state = assay_field_fine;
    return simdjson::SUCCESS;
  }
  if (!isDigit(*at) && *at != '-') {
    const uint8_t *word = at;
    to.state = isNull(at) ? assay_field_missing
      : skipNotFinite(word) ? assay_field_not_finite : assay_field_bad;
    return skip(from);
  }
  if (readWhole(at, to.integer)) {
    to.state = assay_field_fine;
    return simdjson::SUCCESS;
  }
  const uint8_t *start = at;
  double number = 0;
  switch (readNumber(at, number)) {
  case NumberKind::none: return skip(from);
  case NumberKind::notFinite: to.state = assay_field_not_finite; break;
  case NumberKind::fine: {
    const std::string_view text(reinterpret_cast<const char *>(start), size_t(at - start));
    if (number == std::floor(number) && std::fabs(number) <= 9007199254740992.0) {
      to.integer = int64_t(number);
      to.state = assay_field_odd;
    } else if (text.find_first_of(".eE") == std::string_view::npos) {
      // An integer beyond 64 bits.
      to.text = keep(text);
      to.is_text = true;
      to.state = assay_field_odd;
    } else {
      to.state = assay_field_bad;
    }
  }
  }
  return simdjson::SUCCESS;
}

error_code assay_coco_parser::readText(value &from, assay_text &to, uint8_t &state) {
  const uint8_t *at = textOf(from);
  to = {};
  if (*at == '"') {
    std::string_view text;
    if (auto error = from.get_string().get(text)) return error;
    to = keep(text);
    state = assay_field_fine;
    return simdjson::SUCCESS;
  }
  const uint8_t *end = at;
  if (skipNumber(end)) {
    // A name that looks like a number because its quotes were lost.
    to = keep({reinterpret_cast<const char *>(at), size_t(end - at)});
    state = assay_field_odd;
    return simdjson::SUCCESS;
  }
  state = isNull(at) ? assay_field_missing
    : skipNotFinite(end) ? assay_field_not_finite : assay_field_bad;
  return skip(from);
}

error_code assay_coco_parser::readNumberField(value &from, double &to, uint8_t &state) {
  const uint8_t *at = textOf(from);
  state = assay_field_fine;
  if (*at == '"') {
    std::string_view text;
    if (auto error = from.get_string().get(text)) return error;
    scratch.assign(text);
    scratch.push_back(',');
    at = reinterpret_cast<const uint8_t *>(scratch.data());
    const auto kind = readNumber(at, to);
    const bool isWhole = at + 1 == reinterpret_cast<const uint8_t *>(scratch.data()) + scratch.size();
    state = !isWhole || kind == NumberKind::none ? assay_field_bad
      : kind == NumberKind::fine ? assay_field_odd : assay_field_not_finite;
    return simdjson::SUCCESS;
  }
  switch (readNumber(at, to)) {
  case NumberKind::fine: return simdjson::SUCCESS;
  case NumberKind::notFinite: state = assay_field_not_finite; return simdjson::SUCCESS;
  case NumberKind::none: break;
  }
  state = isNull(at) ? assay_field_missing : assay_field_bad;
  return skip(from);
}

error_code assay_coco_parser::readWholeField(value &from, int64_t &to, uint8_t &state) {
  const uint8_t *at = textOf(from);
  if (readWhole(at, to)) {
    state = assay_field_fine;
    return simdjson::SUCCESS;
  }
  double number = 0;
  if (auto error = readNumberField(from, number, state)) return error;
  if (state == assay_field_fine || state == assay_field_odd) {
    const bool isWhole = number == std::floor(number) && std::fabs(number) <= 9007199254740992.0;
    state = isWhole ? assay_field_odd : assay_field_bad;
    if (isWhole) to = int64_t(number);
  }
  return simdjson::SUCCESS;
}

error_code assay_coco_parser::readCrowd(value &from, assay_coco_annotation &to) {
  const uint8_t *at = textOf(from);
  if ((*at == '0' || *at == '1') && endsNumber(at[1])) {
    to.is_crowd = *at == '1';
    to.crowd_state = assay_field_fine;
    return simdjson::SUCCESS;
  }
  const bool isTrue = isWord(at, "true");
  if (isTrue || isWord(at, "false")) {
    to.is_crowd = isTrue;
    to.crowd_state = assay_field_odd;
    return simdjson::SUCCESS;
  }
  double number = 0;
  to.is_crowd_text = *at == '"';
  if (auto error = readNumberField(from, number, to.crowd_state)) return error;
  if (to.crowd_state == assay_field_fine) to.crowd_state = assay_field_odd;
  to.is_crowd = to.crowd_state == assay_field_odd && number != 0;
  return simdjson::SUCCESS;
}

error_code assay_coco_parser::readBox(value &from, double *to, uint8_t &state) {
  const uint8_t *at = textOf(from);
  state = assay_field_bad;
  if (*at != '[') {
    if (isNull(at)) state = assay_field_missing;
    return skip(from);
  }
  at++;
  skipBlanks(at);
  if (*at == ']') {
    state = assay_field_missing;
    return skip(from);
  }
  bool isFinite = true;
  for (int place = 0; place < 4; place++) {
    skipBlanks(at);
    const auto kind = readNumber(at, to[place]);
    if (kind == NumberKind::none) return skip(from);
    if (kind == NumberKind::notFinite) isFinite = false;
    skipBlanks(at);
    if (place == 3 && *at == ',') {
      double angle = 0;
      skipBlanks(++at);
      if (readNumber(at, angle) != NumberKind::none) {
        skipBlanks(at);
        if (*at == ']') mark(marks.oriented);
      }
      return skip(from);
    }
    if (*at != (place == 3 ? ']' : ',')) return skip(from);
    at++;
  }
  state = isFinite ? assay_field_fine : assay_field_not_finite;
  // The iterator can skip the bytes that have been read here.
  return simdjson::SUCCESS;
}

error_code assay_coco_parser::readKeypoints(value &from, assay_coco_keypoints &to) {
  const uint8_t *at = textOf(from);
  const size_t start = doubles.size();
  to.values = uint32_t(start);
  to.value_count = 0;
  to.state = assay_field_bad;
  if (*at != '[') {
    if (isNull(at)) to.state = assay_field_missing;
    return skip(from);
  }
  skipBlanks(++at);
  if (*at == ']') {
    to.state = assay_field_missing;
    return skip(from);
  }
  bool isFinite = true;
  while (true) {
    double number = 0;
    const auto kind = readNumber(at, number);
    if (kind == NumberKind::none) break;
    if (kind == NumberKind::notFinite) {
      isFinite = false;
      number = 0;
    }
    doubles.push_back(number);
    skipBlanks(at);
    if (*at == ']') {
      to.value_count = uint32_t(doubles.size() - start);
      to.state = isFinite ? assay_field_fine : assay_field_not_finite;
      // The iterator can skip the bytes that have been read here.
      return simdjson::SUCCESS;
    }
    if (*at != ',') break;
    skipBlanks(++at);
  }
  doubles.resize(start);
  return skip(from);
}
