import AssayCore

/// The images of one file that is imported, by their ids.
struct COCOImageIndex: Sendable {
  /// An image as its annotations need it.
  struct Entry: Sendable {
    /// The sample's place in the import; `nil` if the image was left out.
    var sample: Int?
    var size: ImageSize?
    var key: String
  }

  private(set) var entries: [Entry] = []
  private var integers: [Int64: Int] = [:]
  private var texts: [String: Int] = [:]

  /// Whether an id is known already, exactly as it is written.
  func contains(_ id: SourceID) -> Bool {
    switch id {
    case .integer(let value): integers[value] != nil
    case .text(let value): texts[value] != nil
    }
  }

  mutating func add(_ id: SourceID?, _ entry: Entry) {
    switch id {
    case .integer(let value): integers[value] = entries.count
    case .text(let value): texts[value] = entries.count
    case nil: break
    }
    entries.append(entry)
  }

  /// Changes what is known of an image, by its place.
  mutating func setSize(_ size: ImageSize?, at place: Int) { entries[place].size = size }

  /// The place of an image among ``entries``, and whether only the id's other type found it.
  func find(_ id: SourceID) -> (place: Int, isConverted: Bool)? {
    switch id {
    case .integer(let value):
      if let place = integers[value] { return (place, false) }
      guard !texts.isEmpty else { return nil }
      return texts[String(value)].map { ($0, true) }
    case .text(let value):
      if let place = texts[value] { return (place, false) }
      return Int64(value).flatMap { integers[$0] }.map { ($0, true) }
    }
  }
}
