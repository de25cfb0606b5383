import AssayCore

/// The types that Hugging Face's `datasets` writes into a Parquet file's metadata.
///
/// Source: huggingface/datasets, `features.py`; the key `huggingface` of the file's metadata.
struct HFFeatures: Sendable {
  /// One type.
  struct Feature: Sendable {
    /// `Image`, `ClassLabel`, `Value`, …; `nil` for a structure.
    var type: String?
    /// The names of a class label.
    var names: [String]?
    /// The members of a structure.
    var members: [String: Feature] = [:]
    /// The type of a list's elements: none or one.
    var element: [Feature] = []

    var isImage: Bool { type == "Image" }

    /// The names of a class label, in lists too.
    var classNames: [String]? {
      type == "ClassLabel" ? names ?? [] : element.first?.classNames
    }

    /// The members, of a list's elements too.
    var innerMembers: [String: Feature] {
      members.isEmpty ? element.first?.innerMembers ?? [:] : members
    }

    init(_ value: JSONValue, depth: Int = 0) {
      guard depth < ParquetLimits.depth else { return }
      if let list = value.elements {
        type = "List"
        element = list.prefix(1).map { Feature($0, depth: depth + 1) }
        return
      }
      guard case .object(let fields) = value else { return }
      type = value["_type"]?.text
      guard type != nil else {
        for field in fields { members[field.name] = Feature(field.value, depth: depth + 1) }
        return
      }
      names = value["names"]?.elements?.compactMap(\.text)
      if let inner = value["feature"] { element = [Feature(inner, depth: depth + 1)] }
    }
  }

  /// The types of the columns; empty if the file states none.
  private(set) var columns: [String: Feature] = [:]

  init(_ file: ParquetFile) {
    guard let text = file.footer.metadata["huggingface"],
      let value = try? JSONValue(parsing: text),
      case .object(let fields)? = value["info"]?["features"]
    else { return }
    for field in fields { columns[field.name] = Feature(field.value) }
  }

  /// The class names of a column or of a member of one; `nil` if it is no class label.
  func classNames(_ column: String, _ member: String? = nil) -> [String]? {
    guard let member else { return columns[column]?.classNames }
    return columns[column]?.innerMembers[member]?.classNames
  }
}
