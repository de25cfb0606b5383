import AssayCore

/// The images of one imported file, by their ids.
struct COCOImageIndex: Sendable {
  /// The data of an image that its annotations need.
  struct Entry: Sendable {
    /// The sample's index in the import; `nil` if the image was omitted.
    var sample: Int?
    var size: ImageSize?
    var key: String
  }

  private var ids = COCOIDTable()
  /// By the number of the id.
  private var entries: [Entry] = []

  /// True if an image has this id, exactly as it is written.
  func contains(_ id: SourceID) -> Bool { ids.contains(id) }

  /// Adds an image with a new id.
  mutating func add(_ id: SourceID, _ entry: Entry) {
    guard ids.number(of: id) == entries.count else { return }
    entries.append(entry)
  }

  /// Returns the image with an id, and whether it was found only as the id's other type.
  func find(_ id: SourceID) -> (image: Entry, isConverted: Bool)? {
    ids.find(id).map { (entries[$0.number], $0.isConverted) }
  }
}
