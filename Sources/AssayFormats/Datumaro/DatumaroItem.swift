import AssayCore

/// An element of a list of items: where it is, and the image that it describes.
struct DatumaroItem: Sendable {
  /// The path of the image below the root; for an item that is left out, the place of the item.
  var path: String
  /// The index of the file, and of the item in its list.
  var file: Int32
  var place: Int32
  /// The bytes of the item in the file.
  var start: Int
  var count: Int32
  /// True if an earlier item describes the same image.
  var isRepeated = false
}

/// Finds the image of an item.
struct DatumaroImages: Sendable {
  /// The reason why an item has no image.
  struct Problem: Error {
    var kind: IssueKind
    var text: String
  }

  let folder: COCOImageFolder

  /// The name of an item's image; `nil` if the item is about something else.
  static func name(of item: JSONValue) -> String? {
    if let name = item["image"]?["path"]?.text ?? item["media"]?["path"]?.text, !name.isEmpty {
      return name
    }
    return nil
  }

  static func id(of item: JSONValue) -> String? {
    switch item["id"] {
    case .string(let text): text
    case .integer(let number): String(number)
    default: nil
    }
  }

  /// The path of an item's image.
  func path(of item: JSONValue) throws(Problem) -> String {
    guard case .object = item else {
      throw Problem(kind: .badField, text: "the item is no object")
    }
    for (field, what) in [
      ("point_cloud", "a point cloud"), ("video_frame", "a frame of a video"), ("video", "a video"),
    ] where item["image"] == nil && item[field] != nil {
      throw Problem(kind: .unsupportedFile, text: "the item is \(what), which is not imported")
    }
    let id = Self.id(of: item)
    guard let name = Self.name(of: item) else {
      guard let id, !id.isEmpty else {
        throw Problem(kind: .missingField, text: "the item has neither an image nor an 'id'")
      }
      for name in ImageName.candidates(id) {
        if case .path(let path, isThere: true) = folder.place(of: name) { return path }
      }
      return try path(named: id + ".jpg")
    }
    return try path(named: name)
  }

  private func path(named name: String) throws(Problem) -> String {
    switch folder.place(of: name) {
    case .path(let path, _), .repaired(let path, _, _): return path
    case .outside:
      throw Problem(kind: .outsideRoot, text: "the image '\(name)' is outside the folder")
    }
  }
}
