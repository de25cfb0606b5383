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

  private var ids = COCOIDTable()
  /// By the number of the id.
  private var entries: [Entry] = []

  /// True if an image has this id, exactly as it is written.
  func contains(_ id: SourceID) -> Bool { ids.contains(id) }

  /// Adds an image of an id that is not there yet.
  mutating func add(_ id: SourceID, _ entry: Entry) {
    guard ids.number(of: id) == entries.count else { return }
    entries.append(entry)
  }

  /// Returns the image of an id, and whether only the id's other type found it.
  func find(_ id: SourceID) -> (image: Entry, isConverted: Bool)? {
    ids.find(id).map { (entries[$0.number], $0.isConverted) }
  }
}
