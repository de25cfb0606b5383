import AssayCore
import AssayFormats
import Foundation

/// The CSV of supervision's `CSVSink`: one detection per row, with the image in a column that its
/// user adds.
///
/// Source: supervision 0.25, `supervision/detection/tools/csv_sink.py`.
struct SupervisionTable {
  let tree: DirectoryTree
  let options: PredictionFileOptions
  let numbering: ClassNumbering

  static let sides = ["x_min", "y_min", "x_max", "y_max"]
  static let noKey =
    "supervision's sinks do not write the image of a detection; append with "
    + "custom_data={\"file_name\": path} and give --key-column file_name"
  static let noClass =
    "there is no class_name; state the number of the first class: --class-numbers 0, with --classes if the "
    + "numbers do not count the dataset's classes"

  /// Returns whether a file is such a table, by its header.
  static func isTable(_ tree: DirectoryTree) throws -> Bool {
    let names = try TableText.header(tree)
    return sides.allSatisfy(names.contains)
  }

  /// - Throws: `FormatError`, ``SourceError``.
  func read() throws -> OutsideDetections {
    var found = OutsideDetections(isRelative: false)
    var columns: [String: Int] = [:]
    guard let key = options.key else {
      throw FormatError.predictions(tree.name, problem: Self.noKey)
    }
    var count = 0
    try TableText.forEachRow(tree) { line, fields in
      func refuse(_ problem: String) -> FormatError {
        .table(tree.name, line: line, problem: problem)
      }
      if columns.isEmpty {
        for (place, name) in fields.enumerated() where columns[name] == nil {
          columns[name] = place
        }
        guard columns[key] != nil else {
          throw refuse(
            "--key-column: there is no column “\(key)”; the columns are \(fields.joined(separator: ", "))"
          )
        }
        guard columns["class_name"] != nil || numbering.first != nil else {
          throw refuse(Self.noClass)
        }
        count = fields.count
        return
      }
      guard fields.count == count else {
        throw refuse("expected \(count) fields, found \(fields.count)")
      }
      func field(_ name: String) -> String { columns[name].map { fields[$0] } ?? "" }
      let numbers = Self.sides.map { Double(field($0)) }
      guard let left = numbers[0], let top = numbers[1], let right = numbers[2],
        let bottom = numbers[3]
      else { throw refuse("expected numbers x_min, y_min, x_max and y_max") }
      guard let score = Double(field("confidence")) else {
        throw refuse("the confidence “\(field("confidence"))” is not a number")
      }
      let image = field(key)
      guard !image.isEmpty else { throw refuse("the column “\(key)” is empty") }
      let isNumbered = numbering.first != nil
      let text = field(isNumbered ? "class_id" : "class_name")
      guard !text.isEmpty else { throw refuse("the class is missing") }
      let name =
        isNumbered ? try OutsideDetectionReader.className(text, numbering, refuse) : text
      do throws(DetectionProblem) {
        try found.add(
          image, class: name, confidence: score, x: left, y: top, width: right - left,
          height: bottom - top)
      } catch { throw refuse(error.text) }
    }
    return found
  }
}
