import AssayCore
import AssayFormats
import Foundation

/// The text files that Ultralytics writes with `save_txt=True save_conf=True`, one per image:
/// `class x y w h confidence`, box centers and sides as shares of the image.
///
/// Source: Ultralytics 8, `Results.save_txt`.
struct YOLOResultLabels {
  let tree: DirectoryTree
  let numbering: ClassNumbering
  /// True if the person named the classes.
  let areClassesGiven: Bool

  private static let fileLimit = 64 << 20

  /// Returns whether a file can be one of these.
  static func isLabel(_ path: String) -> Bool {
    path.lowercased().hasSuffix(".txt") && !path.hasSuffix("classes.txt")
  }

  /// - Throws: `FormatError`, ``SourceError``.
  func read() throws -> OutsideDetections {
    guard numbering.first != nil else {
      throw FormatError.predictions(
        tree.name,
        problem: "the labels have class numbers, which Ultralytics counts from 0; state it with "
          + "--class-numbers 0, and --classes FILE if they do not count the dataset's classes")
    }
    try checkNames()
    var found = OutsideDetections(isRelative: true)
    for file in try tree.files() where Self.isLabel(file.path) {
      try Interruption.check("nothing was stored")
      let bytes = try tree.readAll(file.path, limit: Self.fileLimit)
      guard let text = String(ofFile: bytes) else {
        throw FormatError.table(file.path, line: 1, problem: "invalid UTF-8")
      }
      let key = String(file.path.dropLast(4))
      _ = found.image(key)
      for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        .enumerated() where !line.allSatisfy(\.isWhitespace)
      {
        try read(line, key, file.path, index + 1, into: &found)
      }
    }
    return found
  }

  /// Checks that a list of names beside the labels, `classes.txt`, has the classes that the numbers are taken for.
  private func checkNames() throws {
    guard !areClassesGiven,
      let file = try tree.files().first(where: { $0.path.hasSuffix("classes.txt") }),
      let text = String(ofFile: try tree.readAll(file.path, limit: Self.fileLimit))
    else { return }
    let names = text.split(whereSeparator: \.isNewline).map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    .filter { !$0.isEmpty }
    guard names != numbering.names else { return }
    throw FormatError.predictions(
      tree.name,
      problem: "the dataset's classes and \(file.path) differ: "
        + "\(ClassNumbering.difference(numbering.names, names)); name those of the model: --classes "
        + ShellText.quoted(tree.name + "/" + file.path))
  }

  private func read(
    _ line: Substring, _ key: String, _ file: String, _ number: Int,
    into found: inout OutsideDetections
  ) throws {
    func refuse(_ problem: String) -> FormatError { .table(file, line: number, problem: problem) }
    let parts = line.split(whereSeparator: \.isWhitespace)
    // A track's number follows the confidence.
    guard parts.count == 6 || parts.count == 7 else {
      throw refuse(
        parts.count == 5
          ? "there is no confidence (class x y w h); predict with save_txt=True save_conf=True"
          : "expected class x y w h confidence, found \(parts.count) numbers"
            + (parts.count > 7 ? ", as of a polygon or keypoints, which are not read" : ""))
    }
    let values = parts[1..<6].map { Double($0) }
    guard let x = values[0], let y = values[1], let width = values[2], let height = values[3],
      let score = values[4], values.allSatisfy({ $0?.isFinite ?? false })
    else { throw refuse("expected six numbers, found “\(line.prefix(80))”") }
    guard max(abs(x), abs(y), width, height) <= 2 else {
      throw refuse("expected a box as shares of the image, found \(x) \(y) \(width) \(height)")
    }
    guard (0...1).contains(score) else {
      throw refuse("the confidence \(score) must be from 0 to 1")
    }
    let name = try OutsideDetectionReader.className(String(parts[0]), numbering, refuse)
    do throws(DetectionProblem) {
      try found.add(
        key, class: name, confidence: score, x: x - width / 2, y: y - height / 2, width: width,
        height: height)
    } catch { throw refuse(error.text) }
  }
}
