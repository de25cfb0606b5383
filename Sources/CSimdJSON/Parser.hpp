// Reads the elements of a batch into flat records.

#ifndef ASSAY_PARSER_HPP
#define ASSAY_PARSER_HPP

#include <simdjson.h>

#include <string>
#include <vector>

#include "CSimdJSON.h"
#include "Numbers.hpp"

using simdjson::error_code;
using simdjson::ondemand::array;
using simdjson::ondemand::object;
using simdjson::ondemand::value;

namespace assay {

/// A member of an object: its index, its name, and its value in canonical spelling.
struct Member {
  size_t place;
  std::string name, text;
};

}  // namespace assay

struct assay_coco_parser {
  simdjson::ondemand::parser parser;
  uint32_t depth = 64;
  // `[`, the batch's text, `]` and padding.
  std::vector<uint8_t> buffer;

  std::vector<assay_coco_image> images;
  std::vector<assay_coco_category> categories;
  std::vector<assay_coco_annotation> annotations;
  std::vector<assay_coco_result> results;
  std::vector<char> texts;
  std::vector<assay_coco_polygon> polygons;
  std::vector<assay_coco_keypoints> keypoints;
  std::vector<int32_t> hundredths;
  size_t hundredthsCount = 0;
  std::vector<double> doubles;
  assay_coco_marks marks;

  void clear();
  error_code parse(assay_coco_kind kind, size_t count);

 private:
  std::string scratch;
  // The index of the current element.
  int64_t place = 0;
  void mark(int64_t &first) {
    if (first < 0) first = place;
  }
  // The additional fields of the current element.
  std::vector<assay::Member> further;
  // Keeps them as one object.
  void keepFurther(assay_text &to);

  // Reads the fields of LVIS, too, if `isLVIS`.
  template <bool isLVIS> error_code image(object fields, assay_coco_image &out);
  error_code category(object fields, assay_coco_category &out);
  error_code annotation(object fields, assay_coco_annotation &out);
  // Reads a field that every annotation has; returns false for any other field, which is left
  // unread.
  bool ofAnnotation(
    std::string_view key, value &content, assay_coco_annotation &out, bool readsRegion,
    error_code &error);
  error_code truth(object fields, assay_coco_annotation &out, bool readsRegion);
  error_code result(object fields, bool readsRegion);

  // Fields (Fields.cpp)
  error_code readID(value &from, assay_coco_id &to);
  error_code readText(value &from, assay_text &to, uint8_t &state);
  error_code readNumberField(value &from, double &to, uint8_t &state);
  error_code readWholeField(value &from, int64_t &to, uint8_t &state);
  error_code readCrowd(value &from, assay_coco_annotation &to);
  error_code readBox(value &from, double *to, uint8_t &state);
  error_code readKeypoints(value &from, assay_coco_keypoints &to);
  error_code skip(value &from);
  // The keypoints of the current element.
  assay_coco_keypoints &ownKeypoints() {
    if (keypoints.empty() || keypoints.back().element != uint32_t(place))
      keypoints.push_back({uint32_t(place), 0, 0, 0, assay_field_missing, assay_field_missing});
    return keypoints.back();
  }

  // Shapes (Shapes.cpp)
  error_code readShape(value &from, assay_coco_annotation &to);
  error_code readPolygons(value &from, assay_coco_annotation &to);
  error_code readRuns(value &from, assay_coco_annotation &to);
  error_code passShape(value &from, uint8_t &shape);
  bool readPolygon(const uint8_t *text, assay_coco_annotation &to);
  bool readRunList(const uint8_t *text, assay_coco_annotation &to);
  void toDoubles(assay_coco_annotation &to);
  void measure(assay_coco_annotation &to) const;

  // Additional fields (Attributes.cpp)
  error_code canonical(value &from, std::string &to, bool &hasNulled);

  assay_text keep(std::string_view text) {
    const assay_text kept = {uint32_t(texts.size()), uint32_t(text.size())};
    texts.insert(texts.end(), text.begin(), text.end());
    return kept;
  }
};

namespace assay {

/// The start of a value's text.
inline const uint8_t *textOf(value &of) {
  return reinterpret_cast<const uint8_t *>(of.raw_json_token().data());
}

inline void skipBlanks(const uint8_t *&at) {
  while (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t') at++;
}

/// Returns whether one of JSON's three literals is at this position.
inline bool isWord(const uint8_t *at, const char *word) {
  const size_t count = std::strlen(word);
  return std::strncmp(reinterpret_cast<const char *>(at), word, count) == 0
    && endsNumber(at[count]);
}

/// Returns whether `null` is at this position.
inline bool isNull(const uint8_t *at) { return isWord(at, "null"); }

/// A member's name without escapes; valid until the next name with escapes.
inline error_code keyOf(simdjson::ondemand::field &member, std::string_view &to) {
  const char *start = member.key().raw(), *end = start;
  while (*end != '"' && *end != '\\') end++;
  if (*end == '\\') return member.unescaped_key().get(to);
  to = {start, size_t(end - start)};
  return simdjson::SUCCESS;
}

/// Passes every field of an object to `body`, key and content, until one returns an error.
template <typename Body> error_code forEachField(object &fields, Body body) {
  for (auto entry : fields) {
    simdjson::ondemand::field field;
    if (auto error = std::move(entry).get(field)) return error;
    std::string_view key;
    if (auto error = keyOf(field, key)) return error;
    if (auto error = body(key, field.value())) return error;
  }
  return simdjson::SUCCESS;
}

/// Appends a quoted text, with only the required escapes.
void appendQuoted(std::string &to, std::string_view text);

/// Appends an object of names and canonical values.
void appendMembers(std::string &to, std::vector<Member> &members);

}  // namespace assay
#endif
