import AssayCore

/// The likely meaning of the columns of a table with one label per image.
struct LabelColumnProposal: Hashable, Sendable {
  /// The text for `--columns`.
  var columns: String
  /// True if the columns are one of images, one of labels and perhaps one called `split`, the images are
  /// image files, and no value looks like a list of labels, nor all like flags of one class.
  var isCertain: Bool

  /// `nil` if the table does not look like one of images and their labels.
  init?(_ head: TableHead) {
    guard BoxTableProposal(head) == nil else { return nil }
    let own = BoxTableForm.delimiter(of: head.file)
    for (delimiter, name) in [(own, ""), (0x2C, "comma"), (0x3B, "semicolon"), (0x09, "tab")] {
      guard let found = Self(head, delimiter) else { continue }
      self = found
      guard delimiter != own else { return }
      columns += ",delimiter=\(name)"
      isCertain = false
      return
    }
    return nil
  }

  private init?(_ head: TableHead, _ delimiter: UInt8) {
    let fields = CSVFields.texts(of: head.lines[0], delimiter: delimiter)
    let names = fields.map { $0.lowercased() }
    let rows = head.lines.dropFirst().map { CSVFields.texts(of: $0, delimiter: delimiter) }
      .filter { $0.count == fields.count }
    guard fields.count >= 2, !rows.isEmpty else { return nil }
    var images = names.indices.filter { BoxTableProposal.images.contains(names[$0]) }
    if images.isEmpty { images = names.indices.filter { names[$0] == "id" } }
    guard images.count == 1, let image = images.first else { return nil }
    let isNamed = Self.names(rows, image)
    var labels = names.indices.filter { BoxTableProposal.labels.contains(names[$0]) }
    let hasLabel = labels.count == 1
    // A table of two columns has no other for the labels.
    if labels.isEmpty, fields.count == 2 { labels = [1 - image] }
    guard labels.count == 1, let label = labels.first, label != image,
      !rows.contains(where: { Self.isRunLengths($0[label]) }),
      !Self.isTags(names[label], rows, label)
    else { return nil }
    columns =
      "image=\(BoxTableProposal.name(of: image, in: fields))"
      + ",label=\(BoxTableProposal.name(of: label, in: fields))"
    let split = names.firstIndex(of: "split")
    if let split {
      columns += ",split=\(BoxTableProposal.name(of: split, in: fields))"
    }
    isCertain =
      hasLabel && isNamed && names[image] != "id" && fields.count == (split == nil ? 2 : 3)
      && !Self.areLists(rows.map { $0[label] })
      && !rows.allSatisfy { ["0", "1"].contains($0[label]) }
      && Set(rows.map { $0[image] }).count == Set(rows.map { [$0[image], $0[label]] }).count
  }

  private static func names(_ rows: [[String]], _ image: Int) -> Bool {
    rows.allSatisfy { PairPath.isImageName($0[image]) }
  }

  /// Returns whether a column lists several labels with blanks between them: one that is called so, with values of
  /// several words.
  static func isTags(_ name: String, _ rows: [[String]], _ column: Int) -> Bool {
    ["tags", "labels"].contains(name)
      && rows.contains { $0[column].split(separator: " ").count > 1 }
  }

  /// Returns whether a value is a mask: pairs of a first pixel and a number of pixels.
  private static func isRunLengths(_ value: String) -> Bool {
    let words = value.split(separator: " ")
    return words.count >= 4 && words.count.isMultiple(of: 2) && words.allSatisfy { Int($0) != nil }
  }

  /// Returns whether a value may list several labels: it has a comma, semicolon or bar, or is made of
  /// several others.
  private static func areLists(_ values: [String]) -> Bool {
    let all = Set(values)
    return all.contains { value in
      if value.contains(where: { ",;|".contains($0) }) { return true }
      let words = value.split(separator: " ").map(String.init)
      return words.count > 1 && words.allSatisfy(all.contains)
    }
  }

  /// The options to add to the command, as typed.
  var options: String { "--columns \(columns)" }
}
