// Numbers in JSON syntax, read from text that ends with at least one byte that is not part of a
// number.

#ifndef ASSAY_NUMBERS_HPP
#define ASSAY_NUMBERS_HPP

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace assay {

enum class NumberKind {
  fine,
  /// NaN, Infinity, -Infinity, or a number beyond a double's range.
  notFinite,
  /// Not a number.
  none,
};

inline bool isDigit(uint8_t byte) { return uint8_t(byte - '0') < 10; }

/// Returns whether a number can end before this byte.
inline bool endsNumber(uint8_t byte) {
  return byte == ',' || byte == ']' || byte == '}' || byte == ' ' || byte == '\n' || byte == '\r'
    || byte == '\t';
}

/// Moves past a number in JSON's grammar; returns false if there is none.
inline bool skipNumber(const uint8_t *&at) {
  const uint8_t *p = at;
  if (*p == '-') p++;
  if (*p == '0') {
    p++;
  } else if (isDigit(*p)) {
    while (isDigit(*p)) p++;
  } else {
    return false;
  }
  if (*p == '.') {
    if (!isDigit(*++p)) return false;
    while (isDigit(*p)) p++;
  }
  if ((*p | 0x20) == 'e') {
    p++;
    if (*p == '+' || *p == '-') p++;
    if (!isDigit(*p)) return false;
    while (isDigit(*p)) p++;
  }
  if (!endsNumber(*p)) return false;
  at = p;
  return true;
}

/// Moves past NaN, Infinity or -Infinity, as Python's json writes them.
inline bool skipNotFinite(const uint8_t *&at) {
  static const struct {
    const char *word;
    size_t count;
  } words[] = {{"NaN", 3}, {"Infinity", 8}, {"-Infinity", 9}, {"-NaN", 4}};
  for (const auto &entry : words) {
    if (std::strncmp(reinterpret_cast<const char *>(at), entry.word, entry.count) == 0
        && endsNumber(at[entry.count])) {
      at += entry.count;
      return true;
    }
  }
  return false;
}

/// Reads a number with few digits and no exponent, and moves past it; returns false without moving
/// for all others.
///
/// Both the digits and the power of ten they are divided by are exact, so that the quotient is the
/// double nearest to the decimal. Source: W. D. Clinger, "How to Read Floating Point Numbers
/// Accurately" (1990).
inline bool readShort(const uint8_t *&at, double &value) {
  static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7, 1e8,
                                  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  const uint8_t *p = at;
  const bool isNegative = *p == '-';
  if (isNegative) p++;
  if (!isDigit(*p) || (*p == '0' && isDigit(p[1]))) return false;
  const uint8_t *first = p;
  uint64_t digits = 0;
  while (isDigit(*p)) digits = digits * 10 + uint64_t(*p++ - '0');
  size_t count = size_t(p - first), decimals = 0;
  if (*p == '.') {
    const uint8_t *point = p++;
    if (!isDigit(*p)) return false;
    while (isDigit(*p)) digits = digits * 10 + uint64_t(*p++ - '0');
    decimals = size_t(p - point) - 1;
    count += decimals;
  }
  if (count > 15 || !endsNumber(*p)) return false;
  const double number = double(digits) / powers[decimals];
  value = isNegative ? -number : number;
  at = p;
  return true;
}

/// Reads a number and moves past it.
inline NumberKind readNumber(const uint8_t *&at, double &value) {
  if (readShort(at, value)) return NumberKind::fine;
  const uint8_t *start = at;
  if (!skipNumber(at)) {
    if (!skipNotFinite(at)) return NumberKind::none;
    value = at[-1] == 'N' ? NAN : *start == '-' ? -INFINITY : INFINITY;
    return NumberKind::notFinite;
  }
  const auto first = reinterpret_cast<const char *>(start);
  const auto last = reinterpret_cast<const char *>(at);
  const auto result = std::from_chars(first, last, value);
  if (result.ec == std::errc::result_out_of_range) {
    // Underflow gives 0 in every reader; overflow gives infinity in Python's.
    value = std::strtod(first, nullptr);
    return std::isfinite(value) ? NumberKind::fine : NumberKind::notFinite;
  }
  return NumberKind::fine;
}

/// The maximum number of hundredths that are read in this way: ten million pixels.
constexpr int64_t hundredthsLimit = 1'000'000'000;

/// Reads a number with at most two decimals as hundredths and moves past it; returns false without
/// moving for all others, including `-0`.
inline bool readHundredths(const uint8_t *&at, int32_t &value) {
  const uint8_t *p = at;
  const bool isNegative = *p == '-';
  if (isNegative) p++;
  if (!isDigit(*p) || (*p == '0' && isDigit(p[1]))) return false;
  uint32_t whole = uint32_t(*p++ - '0');
  for (int more = 0; more < 6 && isDigit(*p); more++) whole = whole * 10 + uint32_t(*p++ - '0');
  uint32_t hundredths = whole * 100;
  if (*p == '.') {
    if (!isDigit(*++p)) return false;
    hundredths += uint32_t(*p++ - '0') * 10;
    if (isDigit(*p)) hundredths += uint32_t(*p++ - '0');
  }
  if (!endsNumber(*p) || (isNegative && hundredths == 0)) return false;
  value = isNegative ? -int32_t(hundredths) : int32_t(hundredths);
  at = p;
  return true;
}

/// Reads an integer that fits and moves past it; returns false without moving for all others.
inline bool readWhole(const uint8_t *&at, int64_t &value) {
  const uint8_t *p = at;
  if (!skipNumber(p)) return false;
  const auto last = reinterpret_cast<const char *>(p);
  const auto result = std::from_chars(reinterpret_cast<const char *>(at), last, value);
  if (result.ec != std::errc() || result.ptr != last) return false;
  at = p;
  return true;
}

}  // namespace assay
#endif
