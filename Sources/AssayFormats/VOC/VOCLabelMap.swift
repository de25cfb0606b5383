import AssayCore

/// The classes of a `labelmap.txt`, as Datumaro and CVAT write it: `name:r,g,b:parts:actions`.
struct VOCLabelMap: Sendable {
  struct Entry: Hashable, Sendable {
    var name: String
    /// `red << 16 | green << 8 | blue`; `nil` if the line has none.
    var color: UInt32?
    var parts: [String]
  }

  let file: String
  /// In file order; each name once.
  private(set) var entries: [Entry] = []
  /// True if the lines have colons as Datumaro writes them; false for a plain list of names.
  private(set) var hasFields = false
  private(set) var issues: [Issue] = []

  static let byteLimit = 1 << 20

  /// - Parameters:
  ///   - bytes: the text.
  ///   - file: its path.
  init(_ bytes: [UInt8], file: String) {
    self.file = file
    var seen: Set<String> = []
    let lines = bytes.split(omittingEmptySubsequences: false) { $0 == 0x0A }
    for (number, bytes) in lines.enumerated() {
      let line = String(decoding: bytes, as: UTF8.self).trimmingBlanks
      guard !line.isEmpty, !line.hasPrefix("#") else { continue }
      let fields = line.split(separator: ":", omittingEmptySubsequences: false).map {
        String($0).trimmingBlanks
      }
      func note(_ kind: IssueKind, _ message: String) {
        guard issues.count < 1000 else { return }
        issues.append(
          Issue(kind, .warning, at: IssueLocation(file: file, line: number + 1), message))
      }
      guard !fields[0].isEmpty else {
        note(.badField, "the line names no class; ignored")
        continue
      }
      guard seen.insert(fields[0]).inserted else {
        note(.duplicateID, "the class \(fields[0]) is listed before; ignored")
        continue
      }
      if fields.count >= 3 { hasFields = true }
      var color: UInt32?
      if fields.count > 1, !fields[1].isEmpty {
        color = Self.color(fields[1])
        if color == nil { note(.badField, "'\(fields[1])' is no color (expected r,g,b); ignored") }
      }
      let parts = fields.count > 2 ? Self.list(fields[2]) : []
      entries.append(Entry(name: fields[0], color: color, parts: parts))
    }
  }

  private static func list(_ text: String) -> [String] {
    text.split(separator: ",").map { String($0).trimmingBlanks }.filter { !$0.isEmpty }
  }

  private static func color(_ text: String) -> UInt32? {
    let values = text.split(separator: ",", omittingEmptySubsequences: false).map {
      UInt8(String($0).trimmingBlanks)
    }
    guard values.count == 3 else { return nil }
    var color: UInt32 = 0
    for value in values {
      guard let value else { return nil }
      color = color << 8 | UInt32(value)
    }
    return color
  }
}
