import AssayCore

/// A list of objects split without reading it: about every mebibyte, at a position that looks like
/// the gap between two elements, `}, {`.
///
/// The position can be within an element or a text. Then the piece before or after it is not a list
/// of whole elements, which its parser reports: if all pieces are valid, so is the list.
struct JSONListPieces {
  /// The pieces in file order, without the commas between them; none for an empty list.
  let pieces: [Range<Int>]

  /// The minimum size of a piece, in bytes.
  static let pieceBytes = 1 << 19
  private static let windowBytes = 1 << 12

  /// - Returns: `nil` if the file is not a list that can be split: it does not end like one, or an
  ///   element is very long.
  /// - Throws: any error that the tree throws.
  init?(
    _ tree: any SourceTree, _ file: SourceFile, pieceBytes: Int = JSONListPieces.pieceBytes
  ) throws {
    guard let start = try Self.listStart(tree, file), let end = try Self.listEnd(tree, file),
      start <= end
    else { return nil }
    var pieces: [Range<Int>] = []
    var begin = start
    while end - begin > 2 * pieceBytes {
      guard let gap = try Self.gap(tree, file.path, from: begin + pieceBytes, to: end) else {
        return nil
      }
      pieces.append(begin..<gap)
      begin = gap + 1
    }
    if try !Self.isBlank(tree, file.path, begin..<end) { pieces.append(begin..<end) }
    self.pieces = pieces
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }

  private static func bytes(
    _ tree: any SourceTree, _ path: String, _ range: Range<Int>
  ) throws -> [UInt8] {
    try [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
      count = try tree.read(
        path, at: range.lowerBound, into: UnsafeMutableRawBufferPointer(buffer))
    }
  }

  /// The position after the opening bracket.
  private static func listStart(_ tree: any SourceTree, _ file: SourceFile) throws -> Int? {
    let head = try bytes(tree, file.path, 0..<min(file.size, windowBytes))
    let start = head.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    guard let first = head[start...].firstIndex(where: { !isBlank($0) }),
      head[first] == UInt8(ascii: "[")
    else { return nil }
    return first + 1
  }

  /// The position before the closing bracket.
  private static func listEnd(_ tree: any SourceTree, _ file: SourceFile) throws -> Int? {
    let base = max(0, file.size - windowBytes)
    let tail = try bytes(tree, file.path, base..<file.size)
    guard let last = tail.lastIndex(where: { !isBlank($0) }), tail[last] == UInt8(ascii: "]")
    else { return nil }
    return base + last
  }

  private static func isBlank(
    _ tree: any SourceTree, _ path: String, _ range: Range<Int>
  ) throws -> Bool {
    guard range.count <= windowBytes else { return false }
    return try bytes(tree, path, range).allSatisfy(isBlank)
  }

  /// The comma of the first `} , {` from a position on.
  private static func gap(
    _ tree: any SourceTree, _ path: String, from start: Int, to end: Int
  ) throws -> Int? {
    var window = windowBytes
    while true {
      let text = try bytes(tree, path, start..<min(end, start + window))
      if let comma = gap(in: text) { return start + comma }
      // The gap can start in one window and end in the next, so each window is read again, and
      // longer.
      guard start + window < end, window < JSONOutline.elementLimit else { return nil }
      window *= 8
    }
  }

  private static func gap(in text: [UInt8]) -> Int? {
    var place = 0
    while let brace = text[place...].firstIndex(of: UInt8(ascii: "}")) {
      place = brace + 1
      guard let comma = text[place...].firstIndex(where: { !isBlank($0) }) else { return nil }
      guard text[comma] == UInt8(ascii: ",") else { continue }
      guard let next = text[(comma + 1)...].firstIndex(where: { !isBlank($0) }) else { return nil }
      if text[next] == UInt8(ascii: "{") { return comma }
    }
    return nil
  }
}
