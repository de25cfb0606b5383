package import AssayCore

/// The statements of the first results of a file about the image and the category that their ids mean. COCO's own readers ignore
/// it; it reveals ids that are those of another program.
package struct COCOStatedNames: Sendable {
  /// The statement of one result.
  package struct Statement: Hashable, Sendable {
    package var id: SourceID
    package var name: String
  }

  /// The names of the images (`file_name`) and of the categories (`category_name`), by id.
  package private(set) var images: [Statement] = []
  package private(set) var categories: [Statement] = []

  /// - Parameter tree: a single file that ``COCOResultsReader`` has read.
  /// - Throws: ``FormatError``, ``COCOFileError``; any error that the tree throws.
  package init(_ tree: any SourceTree) throws {
    for result in try COCOElements.beginning(of: tree) {
      if case .text(let name)? = result["file_name"],
        let id = COCOResultNames.id(result["image_id"])
      {
        images.append(Statement(id: id, name: name))
      }
      if case .text(let name)? = result["category_name"],
        let id = COCOResultNames.id(result["category_id"])
      {
        categories.append(Statement(id: id, name: name))
      }
    }
  }

  /// The first id whose name is that of another id of the dataset, with that name and the dataset's; `nil` if more of
  /// the statements agree with the dataset than contradict it.
  ///
  /// - Parameters:
  ///   - names: the dataset's names by id.
  ///   - form: the part of a name that counts.
  package static func contradiction(
    _ statements: [Statement], _ names: [SourceID: String], form: (String) -> String
  ) -> (id: SourceID, stated: String, known: String)? {
    let known = Set(names.values.map(form))
    var first: (id: SourceID, stated: String, known: String)?
    var (agreeing, contrary) = (0, 0)
    for statement in statements {
      guard let name = names[statement.id] else { continue }
      let stated = form(statement.name)
      if stated == form(name) {
        agreeing += 1
      } else if known.contains(stated) {
        contrary += 1
        first = first ?? (statement.id, statement.name, name)
      }
    }
    return contrary > agreeing ? first : nil
  }
}
