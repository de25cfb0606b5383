import AssayCore
import AssayFormats

/// Signs that the annotations of an import mean something else than they are taken for, whatever their format.
struct ImportRemarks {
  /// The number of boxes, and of those within the first pixel.
  private var boxes = 0
  private var fractions = 0
  /// The number of upright boxes with a field that says that they are rotated.
  private var rotated = 0
  /// The classes by their letters and digits in lower case.
  private var classes: [String: [String]] = [:]

  /// The least number of boxes that show a form.
  private static let fewest = 3

  mutating func add(_ batch: ImportedBatch) {
    for category in batch.newCategories {
      let letters = category.name.lowercased().filter { !$0.isWhitespace && $0 != "_" && $0 != "-" }
      // “A” and “a” are two characters.
      if letters.count > 1 { classes[letters, default: []].append(category.name) }
    }
    for annotation in batch.annotations {
      guard let box = annotation.box, box.width > 0, box.height > 0 else { continue }
      boxes += 1
      if box.x >= 0, box.y >= 0, box.x + box.width <= 1, box.y + box.height <= 1 { fractions += 1 }
      if annotation.shape == .box, let fields = annotation.attributes,
        let found = fields.firstRange(of: "\"rotation\":")
      {
        let value = fields[found.upperBound...].prefix { $0 != "," && $0 != "}" }
        if let angle = Double(value.filter { $0 != "\"" && $0 != " " }), angle != 0 { rotated += 1 }
      }
    }
  }

  /// One sentence each, without a period.
  var notes: [String] {
    var notes: [String] = []
    if fractions == boxes, boxes >= Self.fewest {
      notes.append(
        "all \(boxes) boxes are within the first pixel of their images: they may be fractions of the width and height, "
          + "which this format does not have; multiply them by the size of the image")
    }
    if rotated > 0 {
      notes.append(
        "\(Counted.text(rotated, "box has", "boxes have")) a rotation, which is kept as a field: the "
          + "\(rotated == 1 ? "box is" : "boxes are") upright here. CVAT's own XML (CVAT for images) keeps rotated boxes "
          + "as polygons")
    }
    if let note = similarClasses { notes.append(note) }
    return notes
  }

  /// A note on classes whose names differ only in case, blanks, underscores and hyphens; `nil` if there are none.
  private var similarClasses: String? {
    let groups = classes.values.filter { $0.count > 1 }.map { $0.sorted() }
      .sorted { $0[0].utf8.lexicographicallyPrecedes($1[0].utf8) }
    guard let first = groups.first else { return nil }
    let shown = groups.prefix(3).map { names in
      Self.and(names.map { "“\($0)”" })
    }
    let rest = groups.count - shown.count
    let map = first.dropFirst().map { "\($0)" }.joined(separator: ",") + "=" + first[0]
    return shown.joined(separator: "; ") + (rest > 0 ? "; and \(rest) more" : "")
      + " differ only in case, blanks, underscores or hyphens, and are classes of their own; to make them one: "
      + "assay convert SOURCE --to FORMAT DIR --map \(ShellText.quoted(map))"
  }

  private static func and(_ names: [String]) -> String {
    names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
  }
}
