/// Writes images and their sets of labels as a CSV with a 0/1 column for each class, as
/// ``MultiLabelCSVImporter`` reads it: every class in order, including classes without samples.
package struct MultiLabelCSVExporter: Sendable {
  private let classCount: Int
  private let hasSplits: Bool
  /// The first line.
  package let header: [UInt8]

  /// A class whose column would not be read back as a class with this name, and the reason: one
  /// clause.
  package static func unreadable(_ classes: [String]) -> (name: String, reason: String)? {
    for name in classes {
      if name.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D }) {
        return (name, "its name has a line end")
      }
      if name.isEmpty || name.utf8.count > LabelReader.nameLimit {
        return (name, "its name is empty or has more than \(LabelReader.nameLimit) bytes")
      }
      if LabelTableColumns.isReserved(name) {
        return (name, "a column of this name holds the image, the split or a list of labels")
      }
    }
    return nil
  }

  /// - Parameters:
  ///   - classes: all classes in order, none of them ``unreadable(_:)``.
  ///   - hasSplits: whether to write a column `split`.
  package init(classes: [String], hasSplits: Bool) {
    classCount = classes.count
    self.hasSplits = hasSplits
    let names = ["image"] + (hasSplits ? ["split"] : []) + classes.map { CSVText.field($0) }
    header = Array((names.joined(separator: ",") + "\n").utf8)
  }

  /// The line for an image.
  ///
  /// - Parameter labels: the ordinals of its classes.
  package func line(image: String, split: String?, labels: [Int]) -> [UInt8] {
    var flags = [String](repeating: "0", count: classCount)
    for label in labels where flags.indices.contains(label) { flags[label] = "1" }
    let fields =
      [CSVText.field(image)]
      + (hasSplits ? [split.map { CSVText.field($0) } ?? ""] : []) + flags
    return Array((fields.joined(separator: ",") + "\n").utf8)
  }
}
