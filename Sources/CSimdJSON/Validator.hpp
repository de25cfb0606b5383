// Finds the byte at which text stops being valid JSON; used only for rejected text, so it may be
// slow.

#ifndef ASSAY_VALIDATOR_HPP
#define ASSAY_VALIDATOR_HPP

#include "CSimdJSON.h"
#include "Numbers.hpp"

namespace assay {

/// JSON (RFC 8259) with Python's NaN and Infinity, in text that is followed by a 0.
class Validator {
 public:
  Validator(const uint8_t *text, size_t count, uint32_t depthLimit)
    : text(text), end(text + count), at(text), limit(depthLimit) {}

  assay_json_status status = assay_json_ok;
  size_t offset() const { return size_t(at - text); }

  /// Reads one value and the blanks after it up to the end.
  bool document() {
    if (!value(0)) return false;
    blanks();
    return at == end || fail(assay_json_trailing_text);
  }

 private:
  const uint8_t *text, *end, *at;
  uint32_t limit;

  bool fail(assay_json_status why) {
    if (status == assay_json_ok) status = at >= end ? assay_json_truncated : why;
    return false;
  }

  void blanks() {
    while (at < end && (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t')) at++;
  }

  bool take(uint8_t byte) {
    blanks();
    if (at >= end || *at != byte) return false;
    at++;
    return true;
  }

  bool value(uint32_t depth) {
    blanks();
    if (at >= end) return fail(assay_json_truncated);
    switch (*at) {
    case '{':
      if (depth >= limit) return fail(assay_json_too_deep);
      at++;
      if (take('}')) return true;
      do {
        blanks();
        if (at >= end || *at != '"') return fail(assay_json_unexpected_byte);
        if (!string()) return false;
        if (!take(':')) return fail(assay_json_unexpected_byte);
        if (!value(depth + 1)) return false;
      } while (take(','));
      return take('}') || fail(assay_json_unexpected_byte);
    case '[':
      if (depth >= limit) return fail(assay_json_too_deep);
      at++;
      if (take(']')) return true;
      do {
        if (!value(depth + 1)) return false;
      } while (take(','));
      return take(']') || fail(assay_json_unexpected_byte);
    case '"': return string();
    case 't': return word("true", 4);
    case 'f': return word("false", 5);
    case 'n': return word("null", 4);
    default: {
      const bool isNumber = isDigit(*at) || *at == '-';
      if (skipNumber(at) || skipNotFinite(at)) return true;
      return fail(isNumber ? assay_json_bad_number : assay_json_unexpected_byte);
    }
    }
  }

  bool word(const char *wanted, size_t count) {
    if (size_t(end - at) < count || std::memcmp(at, wanted, count) != 0 || !endsNumber(at[count]))
      return fail(assay_json_bad_word);
    at += count;
    return true;
  }

  bool string() {
    at++;
    while (at < end) {
      const uint8_t byte = *at;
      if (byte == '"') {
        at++;
        return true;
      }
      if (byte < 0x20) return fail(assay_json_bad_string);
      if (byte == '\\') {
        if (!escape()) return false;
      } else if (byte < 0x80) {
        at++;
      } else if (!scalar()) {
        return fail(assay_json_bad_utf8);
      }
    }
    return fail(assay_json_truncated);
  }

  bool escape() {
    if (end - at < 2) {
      at = end;
      return fail(assay_json_truncated);
    }
    if (at[1] != 'u') {
      if (!std::memchr("\"\\/bfnrt", at[1], 8)) return fail(assay_json_bad_string);
      at += 2;
      return true;
    }
    uint32_t code = 0;
    if (!unit(at, code)) return fail(assay_json_bad_string);
    if (code >= 0xDC00 && code < 0xE000) return fail(assay_json_bad_string);
    if (code >= 0xD800 && code < 0xDC00) {
      uint32_t low = 0;
      if (!unit(at + 6, low) || low < 0xDC00 || low >= 0xE000) return fail(assay_json_bad_string);
      at += 6;
    }
    at += 6;
    return true;
  }

  bool unit(const uint8_t *p, uint32_t &code) {
    if (end - p < 6 || p[0] != '\\' || p[1] != 'u') return false;
    for (int place = 2; place < 6; place++) {
      const uint8_t byte = p[place], folded = byte | 0x20;
      if (isDigit(byte)) {
        code = code << 4 | uint32_t(byte - '0');
      } else if (folded >= 'a' && folded <= 'f') {
        code = code << 4 | uint32_t(folded - 'a' + 10);
      } else {
        return false;
      }
    }
    return true;
  }

  bool scalar() {
    const uint8_t lead = *at;
    const int more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : 1;
    if (lead < 0xC2 || lead > 0xF4 || end - at <= more) return false;
    uint32_t code = lead & (0x3F >> more);
    for (int place = 1; place <= more; place++) {
      if ((at[place] & 0xC0) != 0x80) return false;
      code = code << 6 | (at[place] & 0x3F);
    }
    static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
    if (code < least[more] || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return false;
    at += more + 1;
    return true;
  }
};

}  // namespace assay
#endif
