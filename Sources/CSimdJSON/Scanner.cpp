// Finds the members of one large JSON object and splits its arrays into batches of whole elements,
// in one pass, with memory only for the list of batches.

#include <cstring>
#include <new>
#include <vector>

#include "CSimdJSON.h"
#include "Blocks.hpp"

namespace {

enum class State {
  start,
  firstMember,
  member,
  name,
  colon,
  value,
  scalar,
  afterValue,
  firstElement,
  element,
  scalarElement,
  afterElement,
  inside,
  finished,
};

bool isBlank(uint8_t byte) {
  return byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t';
}

bool endsScalar(uint8_t byte) {
  return byte == ',' || byte == ']' || byte == '}' || isBlank(byte);
}

}  // namespace

struct assay_json_scanner {
  assay_json_limits limits;
  std::vector<assay_json_member> members;
  std::vector<assay_json_batch> batches;
  assay_json_status status = assay_json_ok;
  uint64_t base = 0;
  uint64_t stoppedAt = 0;
  int stoppedByte = -1;

  State state = State::start;
  assay::Nesting nesting;
  // True while the scan is inside a string.
  bool inString = false, escaped = false;
  uint64_t stringStart = 0;
  size_t nameLength = 0;
  uint64_t elementStart = 0;
  size_t markBytes = 0;
  // True if the file is a list.
  bool isList = false;

  bool fail(assay_json_status why, uint64_t offset, int byte) {
    status = why;
    stoppedAt = offset;
    stoppedByte = byte;
    return false;
  }

  void beginElement(uint64_t offset) {
    elementStart = offset;
    auto &member = members.back();
    bool full = member.batch_count > 0
      && (batches.back().end - batches.back().start >= limits.batch_bytes
          || batches.back().count >= limits.batch_elements);
    if (member.batch_count == 0 || full) {
      if (member.batch_count == 0) member.batches = batches.size();
      batches.push_back({offset, offset, member.elements, 0});
      member.batch_count++;
    }
  }

  bool endElement(uint64_t end) {
    if (end - elementStart > limits.element_bytes)
      return fail(assay_json_element_too_large, elementStart, -1);
    auto &batch = batches.back();
    batch.end = end;
    batch.count++;
    members.back().elements++;
    state = State::afterElement;
    return true;
  }

  bool endValue(uint64_t end) {
    members.back().end = end;
    state = isList ? State::finished : State::afterValue;
    return true;
  }

  // Continues within a bracketed value or element; returns the position after it, or `count`.
  bool inside(const uint8_t *bytes, size_t count, size_t &at) {
    size_t before = at;
    auto outcome = nesting.skip(bytes, count, at, limits.depth, limits.string_bytes);
    switch (outcome) {
    case assay::Skip::more:
      // An element that is too large to be kept must not be read to its end either.
      if (isElement && base + at - elementStart > limits.element_bytes)
        return fail(assay_json_element_too_large, elementStart, -1);
      return true;
    case assay::Skip::closed:
      return isElement ? endElement(base + at) : endValue(base + at);
    case assay::Skip::mismatch:
      return fail(assay_json_mismatched_bracket, base + at, bytes[at]);
    case assay::Skip::deep: return fail(assay_json_too_deep, base + at, bytes[at]);
    case assay::Skip::longString: return fail(assay_json_string_too_long, base + before, -1);
    }
    return true;
  }

  bool isElement = false;

  void openInside(bool element) {
    isElement = element;
    nesting.open(element ? 2 : 1);
    state = State::inside;
  }

  bool feed(const uint8_t *bytes, size_t count) {
    if (status != assay_json_ok) return false;
    size_t at = 0;
    while (at < count) {
      if (state == State::inside) {
        if (!inside(bytes, count, at)) return false;
        continue;
      }
      uint8_t byte = bytes[at];
      uint64_t offset = base + at;
      switch (state) {
      case State::start: {
        static const uint8_t mark[3] = {0xEF, 0xBB, 0xBF};
        if (offset == markBytes && markBytes < 3 && byte == mark[markBytes]) {
          markBytes++;
          break;
        }
        if (isBlank(byte)) break;
        if (byte == '[' && limits.takes_list) {
          isList = true;
          members.push_back({});
          members.back().first = byte;
          members.back().start = offset;
          state = State::firstElement;
          break;
        }
        if (byte != '{') return fail(assay_json_not_object, offset, byte);
        state = State::firstMember;
        break;
      }
      case State::firstMember:
      case State::member:
        if (isBlank(byte)) break;
        if (byte == '}' && state == State::firstMember) {
          state = State::finished;
        } else if (byte == '"') {
          if (members.size() == 1024) return fail(assay_json_too_many_members, offset, byte);
          members.push_back({});
          nameLength = 0;
          escaped = false;
          state = State::name;
        } else {
          return fail(assay_json_unexpected_byte, offset, byte);
        }
        break;
      case State::name:
        if (byte == '"' && !escaped) {
          state = State::colon;
          break;
        }
        if (nameLength == 255) return fail(assay_json_string_too_long, offset, byte);
        if (byte < 0x20) return fail(assay_json_bad_string, offset, byte);
        members.back().name[nameLength++] = char(byte);
        escaped = byte == '\\' && !escaped;
        break;
      case State::colon:
        if (isBlank(byte)) break;
        if (byte != ':') return fail(assay_json_unexpected_byte, offset, byte);
        state = State::value;
        break;
      case State::value:
      case State::firstElement:
      case State::element: {
        if (isBlank(byte)) break;
        bool isInArray = state != State::value;
        if (!isInArray) {
          members.back().first = byte;
          members.back().start = offset;
          if (byte == '[') {
            state = State::firstElement;
            break;
          }
        } else if (byte == ']' && state == State::firstElement) {
          endValue(offset + 1);
          break;
        } else {
          beginElement(offset);
        }
        if (byte == '{' || byte == '[') {
          openInside(isInArray);
          continue;
        }
        if (byte == '}' || byte == ']' || byte == ',' || byte == ':')
          return fail(assay_json_unexpected_byte, offset, byte);
        inString = byte == '"';
        escaped = false;
        stringStart = offset;
        state = isInArray ? State::scalarElement : State::scalar;
        break;
      }
      case State::scalar:
      case State::scalarElement: {
        bool isInArray = state == State::scalarElement;
        if (offset - stringStart > limits.string_bytes)
          return fail(assay_json_string_too_long, stringStart, -1);
        if (inString) {
          if (byte == '"' && !escaped) {
            inString = false;
            if (!(isInArray ? endElement(offset + 1) : endValue(offset + 1))) return false;
          } else {
            escaped = byte == '\\' && !escaped;
          }
        } else if (endsScalar(byte)) {
          if (!(isInArray ? endElement(offset) : endValue(offset))) return false;
          continue;
        }
        break;
      }
      case State::afterElement:
        if (isBlank(byte)) break;
        if (byte == ',') {
          state = State::element;
        } else if (byte == ']') {
          endValue(offset + 1);
        } else {
          return fail(assay_json_unexpected_byte, offset, byte);
        }
        break;
      case State::afterValue:
        if (isBlank(byte)) break;
        if (byte == ',') {
          state = State::member;
        } else if (byte == '}') {
          state = State::finished;
        } else {
          return fail(assay_json_unexpected_byte, offset, byte);
        }
        break;
      case State::finished:
        if (!isBlank(byte)) return fail(assay_json_trailing_text, offset, byte);
        break;
      case State::inside: break;
      }
      at++;
    }
    base += count;
    return true;
  }
};

assay_json_scanner *assay_json_scanner_new(assay_json_limits limits) {
  auto scanner = new (std::nothrow) assay_json_scanner();
  if (scanner) scanner->limits = limits;
  return scanner;
}

void assay_json_scanner_free(assay_json_scanner *scanner) { delete scanner; }

bool assay_json_scanner_feed(assay_json_scanner *scanner, const uint8_t *bytes, size_t count) {
  try {
    return scanner->feed(bytes, count);
  } catch (...) {
    return scanner->fail(assay_json_no_memory, scanner->base, -1);
  }
}

bool assay_json_scanner_finish(assay_json_scanner *scanner) {
  if (scanner->status != assay_json_ok) return false;
  if (scanner->state == State::finished) return true;
  return scanner->fail(assay_json_truncated, scanner->base, -1);
}

assay_json_outline assay_json_scanner_outline(const assay_json_scanner *scanner) {
  return {
    scanner->members.data(), scanner->members.size(), scanner->batches.data(),
    scanner->batches.size(), scanner->status, scanner->stoppedAt, scanner->stoppedByte,
  };
}
