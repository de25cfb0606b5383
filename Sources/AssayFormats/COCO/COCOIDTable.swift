package import AssayCore

/// The ids of a file's images or categories, numbered in order of appearance; finds an id whether
/// it is written as a number or a text.
package struct COCOIDTable: Sendable {
  private var integers: [Int64: Int32] = [:]
  /// The numbers of small ids, which are common for categories; −1 for an unknown id.
  private var small = [Int32](repeating: -1, count: COCOIDTable.smallLimit)
  private var texts: [String: Int32] = [:]
  /// The ids in order of appearance.
  package private(set) var ids: [SourceID] = []
  private static let smallLimit = 1024
  // Most lists repeat the same id many times.
  private var last: (id: Int64, number: Int32) = (0, -1)

  package init() {}

  package init(_ ids: some Sequence<SourceID>) {
    for id in ids { _ = number(of: id) }
  }

  /// Returns the number of an id, adding it if it is new.
  package mutating func number(of id: SourceID) -> Int {
    switch id {
    case .integer(let value): return Int(number(of: value))
    case .text(let value):
      if let known = texts[value] { return Int(known) }
      texts[value] = Int32(ids.count)
      ids.append(id)
      return ids.count - 1
    }
  }

  mutating func number(of id: Int64) -> Int32 {
    if last.id == id, last.number >= 0 { return last.number }
    let isSmall = id >= 0 && id < Int64(Self.smallLimit)
    if isSmall, small[Int(id)] >= 0 { return small[Int(id)] }
    let number: Int32
    if let known = integers[id] {
      number = known
    } else {
      number = Int32(ids.count)
      integers[id] = number
      if isSmall { small[Int(id)] = number }
      ids.append(.integer(id))
    }
    last = (id, number)
    return number
  }

  /// Returns the number of an id, and whether it was found only as the other type ("7" for 7);
  /// `nil` for an unknown id.
  package func find(_ id: SourceID) -> (number: Int, isConverted: Bool)? {
    switch id {
    case .integer(let value):
      if value >= 0, value < Int64(Self.smallLimit) {
        if small[Int(value)] >= 0 { return (Int(small[Int(value)]), false) }
      } else if let number = integers[value] {
        return (Int(number), false)
      }
      guard !texts.isEmpty else { return nil }
      return texts[String(value)].map { (Int($0), true) }
    case .text(let value):
      if let number = texts[value] { return (Int(number), false) }
      return Int64(value).flatMap { integers[$0] }.map { (Int($0), true) }
    }
  }

  /// True if an id is present exactly as it is written.
  func contains(_ id: SourceID) -> Bool { find(id).map { !$0.isConverted } ?? false }
}
