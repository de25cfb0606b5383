import AssayCore
import CSimdJSON

/// The positions of the members of a large JSON object, found in one pass over the file's bytes in
/// bounded memory; arrays are split into batches of whole elements.
struct JSONOutline {
  /// Whole elements of an array, as a range of the file's bytes.
  struct Batch: Sendable {
    var bytes: Range<Int>
    /// The first element's index in its array, and the number of elements.
    var first: Int
    var count: Int
  }

  /// A member of the object.
  struct Member {
    var name: String
    /// The first byte of its value: `[` for an array.
    var kind: UInt8
    var bytes: Range<Int>
    /// The number of elements of an array.
    var elements: Int
    var batches: [Batch]

    var isArray: Bool { kind == UInt8(ascii: "[") }
  }

  /// In file order.
  var members: [Member]
  /// The problem that stopped the scan before the object's end; `nil` if everything was read.
  var problem: JSONProblem?

  /// The maximum number of levels, and the maximum size of an element or text in bytes.
  static let depthLimit = 64
  static let elementLimit = 16 << 20
  static let batchBytes = 1 << 20
  static let batchElements = 8192

  /// The last member with a name, which is the one that counts.
  subscript(name: String) -> Member? { members.last { $0.name == name } }

  /// Reads a whole file.
  ///
  /// - Parameters:
  ///   - batchBytes: a batch ends with the element that reaches this many bytes.
  ///   - takesList: whether the file may also be a list, which becomes a member without a name.
  ///   - textLimit: the maximum size of a text in bytes.
  /// - Throws: ``FormatError/badJSON(_:offset:problem:)``; any error that the tree throws.
  init(
    _ tree: any SourceTree, _ path: String, batchBytes: Int = JSONOutline.batchBytes,
    takesList: Bool = false, textLimit: Int = JSONOutline.elementLimit,
    progress: (Int) throws -> Void = { _ in }
  ) throws {
    let scanner = try Scanner(
      batchBytes: batchBytes, takesList: takesList, textLimit: textLimit)
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    var offset = 0
    while true {
      let count = try buffer.withUnsafeMutableBytes { try tree.read(path, at: offset, into: $0) }
      guard count > 0, buffer.withUnsafeBytes({ scanner.feed($0, count) }) else { break }
      offset += count
      try progress(offset)
    }
    scanner.finish()
    self = scanner.outline
    if let problem {
      throw FormatError.badJSON(path, offset: problem.offset, problem: problem.text)
    }
  }

  /// Reads the beginning of a file; ``problem`` shows whether that was the whole file.
  init(head: [UInt8], takesList: Bool = false) throws {
    let scanner = try Scanner(batchBytes: 1, takesList: takesList)
    if head.withUnsafeBytes({ scanner.feed($0, head.count) }) { scanner.finish() }
    self = scanner.outline
  }

  private init(members: [Member], problem: JSONProblem?) {
    self.members = members
    self.problem = problem
  }

  private final class Scanner {
    private let scanner: OpaquePointer

    init(
      batchBytes: Int, takesList: Bool, textLimit: Int = JSONOutline.elementLimit
    ) throws {
      let limits = assay_json_limits(
        batch_bytes: batchBytes, batch_elements: JSONOutline.batchElements,
        element_bytes: JSONOutline.elementLimit, string_bytes: textLimit,
        depth: UInt32(JSONOutline.depthLimit), takes_list: takesList)
      guard let scanner = assay_json_scanner_new(limits) else { throw FormatError.outOfMemory }
      self.scanner = scanner
    }

    deinit { assay_json_scanner_free(scanner) }

    func feed(_ bytes: UnsafeRawBufferPointer, _ count: Int) -> Bool {
      guard let base = bytes.baseAddress, count > 0 else { return true }
      return assay_json_scanner_feed(scanner, base.assumingMemoryBound(to: UInt8.self), count)
    }

    func finish() { _ = assay_json_scanner_finish(scanner) }

    var outline: JSONOutline {
      let found = assay_json_scanner_outline(scanner)
      let batches = UnsafeBufferPointer(start: found.batches, count: found.batch_count)
      let members = UnsafeBufferPointer(start: found.members, count: found.member_count).map {
        member in
        Member(
          name: withUnsafeBytes(of: member.name) {
            String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
          }, kind: member.first, bytes: Int(member.start)..<max(Int(member.start), Int(member.end)),
          elements: Int(member.elements),
          batches: batches[member.batches..<(member.batches + member.batch_count)].map {
            Batch(bytes: Int($0.start)..<Int($0.end), first: Int($0.first), count: Int($0.count))
          })
      }
      return JSONOutline(
        members: members,
        problem: JSONProblem(found.status, at: Int(found.offset), byte: Int(found.byte)))
    }
  }
}

/// A problem in a JSON text, and its byte offset.
struct JSONProblem: Hashable, Sendable {
  var offset: Int
  /// One clause.
  var text: String
  var isTruncation: Bool

  /// `nil` if there is no problem.
  init?(_ status: assay_json_status, at offset: Int, byte: Int = -1) {
    self.offset = offset
    isTruncation = status == assay_json_truncated
    let found = byte < 0 ? "" : " (\(Self.name(of: byte)))"
    switch status {
    case assay_json_ok: return nil
    case assay_json_truncated: text = "the file ends there in the middle of a value: it is cut off"
    case assay_json_not_object: text = "a JSON object begins with '{'\(found)"
    case assay_json_unexpected_byte:
      text = "a comma, a colon, a quote or a bracket is wrong\(found)"
    case assay_json_mismatched_bracket: text = "the bracket closes another kind\(found)"
    case assay_json_too_deep: text = "nested deeper than \(JSONOutline.depthLimit) levels"
    case assay_json_string_too_long, assay_json_element_too_large:
      text = "an element or a text is longer than \(JSONOutline.elementLimit >> 20) MiB, the limit"
    case assay_json_trailing_text: text = "text after the end of the object\(found)"
    case assay_json_bad_number: text = "not a number"
    case assay_json_bad_word: text = "neither null, true nor false"
    case assay_json_bad_string: text = "a control character or a bad escape in a text"
    case assay_json_bad_utf8: text = "not UTF-8"
    case assay_json_too_many_members: text = "more than 1024 members"
    default: text = "there is not enough memory"
    }
  }

  private static func name(of byte: Int) -> String {
    (0x21...0x7E).contains(byte)
      ? "found '\(Character(Unicode.Scalar(UInt8(byte))))'"
      : "found byte 0x\(String(byte, radix: 16, uppercase: true))"
  }
}
