import AssayCore
import CSimdJSON

/// Reads batches of a COCO file's elements into flat records. Use one per thread at a time.
final class COCOParser: @unchecked Sendable {
  private let parser: OpaquePointer

  init() throws {
    guard let parser = assay_coco_parser_new(UInt32(JSONOutline.depthLimit)) else {
      throw FormatError.outOfMemory
    }
    self.parser = parser
  }

  deinit { assay_coco_parser_free(parser) }

  /// Calls `body` with the records of some bytes of a file, `a, b, c`. The records are in this
  /// parser's memory and are invalid after `body` returns.
  ///
  /// - Throws: ``FormatError/badJSON(_:offset:problem:)``; any error that the tree or `body`
  ///   throws.
  func parse<Result>(
    _ kind: assay_coco_kind, _ tree: any SourceTree, _ path: String, _ bytes: Range<Int>,
    _ body: (assay_coco_batch) throws -> Result
  ) throws -> Result {
    guard let buffer = assay_coco_parser_buffer(parser, bytes.count) else {
      throw FormatError.outOfMemory
    }
    var filled = 0
    while filled < bytes.count {
      let count = try tree.read(
        path, at: bytes.lowerBound + filled,
        into: UnsafeMutableRawBufferPointer(start: buffer + filled, count: bytes.count - filled))
      guard count > 0 else {
        throw FormatError.badJSON(
          path, offset: bytes.lowerBound + filled,
          problem: "the file became shorter while it was read")
      }
      filled += count
    }
    return try parsed(kind, path, bytes, body)
  }

  /// Calls `body` with the records of bytes in memory; the same rules apply.
  ///
  /// - Throws: ``FormatError/badJSON(_:offset:problem:)``; any error that `body` throws.
  func parse<Result>(
    _ kind: assay_coco_kind, _ text: ArraySlice<UInt8>,
    _ body: (assay_coco_batch) throws -> Result
  ) throws -> Result {
    guard let buffer = assay_coco_parser_buffer(parser, text.count) else {
      throw FormatError.outOfMemory
    }
    text.withUnsafeBytes {
      UnsafeMutableRawBufferPointer(start: buffer, count: text.count).copyMemory(from: $0)
    }
    return try parsed(kind, "", 0..<text.count, body)
  }

  private func parsed<Result>(
    _ kind: assay_coco_kind, _ path: String, _ bytes: Range<Int>,
    _ body: (assay_coco_batch) throws -> Result
  ) throws -> Result {
    try withExtendedLifetime(self) {
      let batch = assay_coco_parser_parse(parser, kind, bytes.count)
      if let problem = JSONProblem(batch.status, at: bytes.lowerBound + batch.offset) {
        if batch.status == assay_json_no_memory { throw FormatError.outOfMemory }
        throw FormatError.badJSON(path, offset: problem.offset, problem: problem.text)
      }
      return try body(batch)
    }
  }
}

extension assay_coco_batch {
  /// A text of this batch.
  func text(_ text: assay_text) -> String { String(decoding: bytes(text), as: UTF8.self) }

  /// The bytes of a text of this batch.
  func bytes(_ text: assay_text) -> UnsafeRawBufferPointer {
    text.count == 0
      ? UnsafeRawBufferPointer(start: nil, count: 0)
      : UnsafeRawBufferPointer(start: texts + Int(text.start), count: Int(text.count))
  }

  /// An id; `nil` if there is no usable one.
  func id(_ id: assay_coco_id) -> SourceID? {
    guard id.field.isUsable else { return nil }
    return id.is_text ? .text(text(id.text)) : .integer(id.integer)
  }
}

/// The state of a field in a file.
enum FieldState {
  case missing
  case fine
  /// Usable, but with another type.
  case odd
  case bad
  case notFinite

  init(_ state: UInt8) {
    switch assay_field_state(UInt32(state)) {
    case assay_field_missing: self = .missing
    case assay_field_fine: self = .fine
    case assay_field_odd: self = .odd
    case assay_field_not_finite: self = .notFinite
    default: self = .bad
    }
  }

  var isUsable: Bool { self == .fine || self == .odd }

  /// One clause without a subject: "is missing".
  var complaint: String {
    switch self {
    case .missing: "is missing"
    case .fine: "is fine"
    case .odd: "has the wrong type"
    case .bad: "has an unsupported type"
    case .notFinite: "is NaN or infinite"
    }
  }
}

extension assay_coco_id {
  var field: FieldState { FieldState(state) }
}
