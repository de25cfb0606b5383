// Skips a bracketed JSON value 64 bytes at a time.

#ifndef ASSAY_BLOCKS_HPP
#define ASSAY_BLOCKS_HPP

#include <cstddef>
#include <cstdint>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace assay {

/// One bit per byte of 64 bytes, the lowest for the first.
struct BlockBits {
  uint64_t quotes = 0, backslashes = 0, opening = 0, closing = 0;

#if defined(__SSE2__)
  explicit BlockBits(const uint8_t *bytes) {
    const __m128i quote = _mm_set1_epi8('"'), backslash = _mm_set1_epi8('\\');
    // Brackets and braces differ only in this bit: [ and {, ] and }.
    const __m128i bit = _mm_set1_epi8(0x20);
    const __m128i open = _mm_set1_epi8('{'), close = _mm_set1_epi8('}');
    for (int lane = 0; lane < 4; lane++) {
      const __m128i text = _mm_loadu_si128(reinterpret_cast<const __m128i *>(bytes) + lane);
      const __m128i folded = _mm_or_si128(text, bit);
      quotes |= mask(_mm_cmpeq_epi8(text, quote)) << (16 * lane);
      backslashes |= mask(_mm_cmpeq_epi8(text, backslash)) << (16 * lane);
      opening |= mask(_mm_cmpeq_epi8(folded, open)) << (16 * lane);
      closing |= mask(_mm_cmpeq_epi8(folded, close)) << (16 * lane);
    }
  }

 private:
  static uint64_t mask(__m128i equal) { return uint64_t(uint32_t(_mm_movemask_epi8(equal))); }
#else
  explicit BlockBits(const uint8_t *bytes) {
    for (int at = 0; at < 64; at++) {
      const uint64_t bit = uint64_t(1) << at;
      const uint8_t byte = bytes[at], folded = byte | 0x20;
      if (byte == '"') quotes |= bit;
      if (byte == '\\') backslashes |= bit;
      if (folded == '{') opening |= bit;
      if (folded == '}') closing |= bit;
    }
  }
#endif
};

enum class Skip { more, closed, mismatch, deep, longString };

/// The position of a scan within a bracketed value.
struct Nesting {
  /// Starts before a value's opening bracket, at the given nesting level.
  void open(uint32_t level) {
    depth = 0;
    floor = level;
    inString = escaped = false;
    stringBytes = 0;
  }

  /// Continues from `at` to after the closing bracket, or to `count`.
  Skip skip(
    const uint8_t *bytes, size_t count, size_t &at, uint32_t limit, size_t stringLimit
  ) {
    while (at < count) {
      if (count - at >= 64) {
        const BlockBits bits(bytes + at);
        if ((bits.quotes | bits.backslashes | bits.opening | bits.closing) == 0) {
          if (inString && (stringBytes += 64) > stringLimit) return Skip::longString;
          escaped = false;
          at += 64;
          continue;
        }
        if (bits.backslashes == 0 && !escaped) {
          uint64_t within = bits.quotes;
          within ^= within << 1;
          within ^= within << 2;
          within ^= within << 4;
          within ^= within << 8;
          within ^= within << 16;
          within ^= within << 32;
          if (inString) within = ~within;
          uint64_t brackets = (bits.opening | bits.closing) & ~within;
          while (brackets != 0) {
            const int place = __builtin_ctzll(brackets);
            const Skip outcome = bracket(bytes[at + size_t(place)], limit);
            if (outcome != Skip::more) {
              at += size_t(place) + (outcome == Skip::closed ? 1 : 0);
              return outcome;
            }
            brackets &= brackets - 1;
          }
          const bool ends = within >> 63;
          if (ends) {
            stringBytes = bits.quotes == 0 ? stringBytes + 64 : 64;
            if (stringBytes > stringLimit) return Skip::longString;
          }
          inString = ends;
          at += 64;
          continue;
        }
      }
      const size_t end = count - at < 64 ? count : at + 64;
      for (; at < end; at++) {
        const uint8_t byte = bytes[at];
        if (inString) {
          if (++stringBytes > stringLimit) return Skip::longString;
          if (escaped) {
            escaped = false;
          } else if (byte == '\\') {
            escaped = true;
          } else if (byte == '"') {
            inString = false;
          }
        } else if (byte == '"') {
          inString = true;
          stringBytes = 0;
        } else if ((byte | 0x20) == '{' || (byte | 0x20) == '}') {
          const Skip outcome = bracket(byte, limit);
          if (outcome != Skip::more) {
            if (outcome == Skip::closed) at++;
            return outcome;
          }
        }
      }
    }
    return Skip::more;
  }

 private:
  uint32_t depth = 0, floor = 0;
  // One bit per level: whether a brace is open there.
  uint64_t braces = 0;
  bool inString = false, escaped = false;
  size_t stringBytes = 0;

  Skip bracket(uint8_t byte, uint32_t limit) {
    const bool isBrace = byte & 0x20;
    if ((byte | 0x20) == '{') {
      if (floor + depth >= limit) return Skip::deep;
      braces = braces << 1 | uint64_t(isBrace);
      depth++;
      return Skip::more;
    }
    if (bool(braces & 1) != isBrace) return Skip::mismatch;
    braces >>= 1;
    return --depth == 0 ? Skip::closed : Skip::more;
  }
};

}  // namespace assay
#endif
