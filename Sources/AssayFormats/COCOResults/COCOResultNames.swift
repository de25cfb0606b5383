package import AssayCore

/// The category names that a file of COCO results contains, as a `category_name` of each result.
///
/// assay writes them for a dataset without classes, because nothing else explains its category ids;
/// COCO's own readers ignore them.
package struct COCOResultNames: Sendable {
  /// A category that two results name differently.
  package struct Conflict: Hashable, Sendable {
    package var id: SourceID
    package var first: String
    package var second: String
  }

  private var names: [SourceID: String] = [:]
  /// The first category with two names; `nil` if each has one.
  package private(set) var conflict: Conflict?

  /// - Parameters:
  ///   - tree: a single file that ``COCOResultsReader`` has read.
  ///   - isWrapped: whether the results are a list `annotations` of an object.
  /// - Throws: ``FormatError``, ``COCOFileError``; any error that the tree throws.
  package init(_ tree: any SourceTree, isWrapped: Bool) throws {
    var found = self.names
    var conflict: Conflict?
    try COCOElements(tree).forEach(of: isWrapped ? "annotations" : "") { _, result in
      guard case .text(let name)? = result["category_name"], !name.isEmpty,
        let id = Self.id(result["category_id"])
      else { return true }
      if let first = found[id], first != name {
        conflict = Conflict(id: id, first: first, second: name)
        return false
      }
      found[id] = name
      return true
    }
    self.names = found
    self.conflict = conflict
  }

  /// The id of a member; `nil` for a value that is none.
  static func id(_ value: PythonValue?) -> SourceID? {
    switch value {
    case .text(let text)?: .text(text)
    case .whole(let number)?, .fraction(let number)?:
      Int64(exactly: number).map { .integer($0) }
    default: nil
    }
  }

  /// The categories with these ids in their order, each with a unique name, and the ids without a
  /// name.
  package func categories(_ ids: [SourceID]) -> (categories: [Category], unnamed: [SourceID]) {
    let entries = ids.compactMap { id in
      names[id].map { COCOClassNames.Entry(id: id, name: $0) }
    }
    let apart = COCOClassNames(entries) { Set(ids) }.names
    return (
      zip(entries, apart).map { Category(name: $1, sourceID: $0.id) },
      ids.filter { names[$0] == nil }
    )
  }
}
