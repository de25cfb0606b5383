// Any JSON value in a canonical spelling: no blanks, members sorted by name, no unnecessary
// escapes. Numbers keep their original digits.

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "Parser.hpp"

using namespace assay;

void assay::appendQuoted(std::string &to, std::string_view text) {
  static const char digits[] = "0123456789abcdef";
  to.push_back('"');
  for (const char letter : text) {
    const uint8_t byte = uint8_t(letter);
    switch (byte) {
    case '"': to += "\\\""; break;
    case '\\': to += "\\\\"; break;
    case '\n': to += "\\n"; break;
    case '\r': to += "\\r"; break;
    case '\t': to += "\\t"; break;
    default:
      if (byte < 0x20 || byte == 0x7F) {
        to += "\\u00";
        to.push_back(digits[byte >> 4]);
        to.push_back(digits[byte & 15]);
      } else {
        to.push_back(letter);
      }
    }
  }
  to.push_back('"');
}

/// Returns whether a number is not beyond the range of a double, such as 1e400.
static bool isWithinDouble(std::string_view number) {
  // Without an exponent, a number has more than 300 digits to be beyond it.
  if (number.size() <= 300 && number.find_first_of("eE") == std::string_view::npos) return true;
  return std::isfinite(std::strtod(std::string(number).c_str(), nullptr));
}

error_code assay_coco_parser::canonical(value &from, std::string &to, bool &hasNulled) {
  const uint8_t *start = textOf(from);
  switch (*start) {
  case '"': {
    std::string_view text;
    if (auto error = from.get_string().get(text)) return error;
    appendQuoted(to, text);
    return simdjson::SUCCESS;
  }
  case '[': {
    array elements;
    if (auto error = from.get_array().get(elements)) return error;
    to.push_back('[');
    bool isFirst = true;
    for (auto entry : elements) {
      value element;
      if (auto error = entry.get(element)) return error;
      if (!isFirst) to.push_back(',');
      isFirst = false;
      if (auto error = canonical(element, to, hasNulled)) return error;
    }
    to.push_back(']');
    return simdjson::SUCCESS;
  }
  case '{': {
    object fields;
    if (auto error = from.get_object().get(fields)) return error;
    std::vector<Member> members;
    for (auto entry : fields) {
      simdjson::ondemand::field field;
      if (auto error = std::move(entry).get(field)) return error;
      std::string_view key;
      if (auto error = keyOf(field, key)) return error;
      members.push_back({members.size(), std::string(key), std::string()});
      if (auto error = canonical(field.value(), members.back().text, hasNulled)) return error;
    }
    appendMembers(to, members);
    return simdjson::SUCCESS;
  }
  default: break;
  }
  for (const char *word : {"null", "true", "false"}) {
    if (isWord(start, word)) {
      to += word;
      return simdjson::SUCCESS;
    }
  }
  const uint8_t *at = start;
  if (skipNumber(at)) {
    const std::string_view number(reinterpret_cast<const char *>(start), size_t(at - start));
    if (isWithinDouble(number)) {
      to.append(number);
      return simdjson::SUCCESS;
    }
  } else if (!skipNotFinite(at)) {
    return simdjson::INCORRECT_TYPE;
  }
  to += "null";
  hasNulled = true;
  return simdjson::SUCCESS;
}

/// If several members have one name, the last counts.
void assay::appendMembers(std::string &to, std::vector<Member> &members) {
  std::sort(members.begin(), members.end(), [](const Member &a, const Member &b) {
    const int order = a.name.compare(b.name);
    return order != 0 ? order < 0 : a.place < b.place;
  });
  to.push_back('{');
  bool isFirst = true;
  for (size_t place = 0; place < members.size(); place++) {
    if (place + 1 < members.size() && members[place + 1].name == members[place].name) continue;
    if (!isFirst) to.push_back(',');
    isFirst = false;
    appendQuoted(to, members[place].name);
    to.push_back(':');
    to += members[place].text;
  }
  to.push_back('}');
}
