import AssayCore

/// A text with an image and its class in each line: `n01440764/n01440764_10026.JPEG 0`.
enum ImageList {
  /// The maximum size of such a text: 256 MiB.
  static let byteLimit = 256 << 20

  /// The number of lines from which classes that count them are none.
  private static let leastLines = 8

  /// The maximum number of classes in a line.
  private static let classLimit = 1000

  /// The image and the classes of a line without blanks at its ends: the class is its last word, or
  /// several numbers are. Datumaro puts the name of an image with blanks in quotes: `"a b".jpg 0`.
  /// `nil` if it is not such a line.
  static func parts(of line: String) -> (path: String, labels: [String])? {
    var labels: [String] = []
    var rest = line
    while labels.count < classLimit, let gap = rest.lastIndex(where: { $0 == " " || $0 == "\t" }) {
      let label = String(rest[rest.index(after: gap)...])
      guard isClass(label), labels.isEmpty || isNumber(label) else { return nil }
      labels.append(label)
      rest = LabelSeparator.trimmed(String(rest[..<gap]))
      if PairPath.isImageName(rest) { return (unquoted(rest), labels.reversed()) }
      guard isNumber(labels[0]) else { return nil }
    }
    return nil
  }

  /// The image, named without its suffix, and the class of a line of two words: `ILSVRC2012_val_00000001 1`, as Datumaro
  /// writes and reads them. `nil` if it is not such a line.
  static func stemParts(of line: String) -> (path: String, labels: [String])? {
    let words = line.split { $0 == " " || $0 == "\t" }.map(String.init)
    guard words.count == 2, isClass(words[1]), !PairPath.isImageName(words[0]) else { return nil }
    return (words[0], [words[1]])
  }

  private static func isNumber(_ word: String) -> Bool {
    !word.isEmpty && word.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }

  /// `a b.jpg` of `"a b".jpg`.
  private static func unquoted(_ path: String) -> String {
    let parts = path.split(separator: "\"", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].isEmpty, parts[2].first == "." else { return path }
    return String(parts[1] + parts[2])
  }

  /// Returns whether a word can be a class: a number from 0, or a word that is no path.
  private static func isClass(_ word: String) -> Bool {
    guard let first = word.unicodeScalars.first, word.utf8.count <= LabelReader.nameLimit,
      !word.contains("/"), !PairPath.isImageName(word)
    else { return false }
    return isNumber(word) || first.properties.isAlphabetic
  }

  /// The beginning of a list.
  struct Head {
    var entries: [(path: String, labels: [String])]
    /// True if the list names images without their suffixes.
    var hasStems = false

    /// The image and the classes of a line of the list; `nil` if it is not such a line.
    func parts(of line: String) -> (path: String, labels: [String])? {
      hasStems ? ImageList.stemParts(of: line) : ImageList.parts(of: line)
    }
  }

  /// The beginning of a file, if it is a list; else `nil`. Images are named without suffixes only if the files say so.
  static func head(
    _ tree: any SourceTree, _ path: String, _ split: String?, in files: SortedFiles
  ) -> Head? {
    if let entries = entries(tree, path, { Self.parts(of: $0) }) { return Head(entries: entries) }
    // Pascal VOC has a 1 or -1 after each stem of `cat_train.txt`, and the number of an object in `Layout/train.txt`.
    guard SplitName.isKnown(String(SortedFiles.stem(of: path))),
      !path.lowercased().contains("imagesets/"),
      let entries = entries(tree, path, { stemParts(of: $0) })
    else { return nil }
    // ILSVRC's own lists (`val.txt` of ImageSets/CLS-LOC) have the number of the line in place of a class.
    let areLines = entries.enumerated().allSatisfy { $1.labels == [String($0 + 1)] }
    guard !areLines || entries.count < leastLines else { return nil }
    let names = entries.prefix(ImageLists.sought).map(\.path)
    let bases = ImageLists.bases(of: names, near: path, split, hasStems: true, in: files)
    let found = names.count { name in
      bases.contains { ImageLists.index(of: name, in: $0, hasStems: true, files) != nil }
    }
    return 2 * found >= names.count ? Head(entries: entries, hasStems: true) : nil
  }

  private static func entries(
    _ tree: any SourceTree, _ path: String,
    _ parts: (String) -> (path: String, labels: [String])?
  ) -> [(path: String, labels: [String])]? {
    var head = [UInt8](repeating: 0, count: 4096)
    guard let count = try? SourceContent.readHead(tree, path, into: &head) else { return nil }
    guard !head[..<count].contains(0) else { return nil }
    var lines = String(decoding: head[..<count], as: UTF8.self)
      .split(whereSeparator: \.isNewline).map { LabelSeparator.trimmed(String($0)) }
    if count == head.count, lines.count > 1 { lines.removeLast() }
    lines.removeAll { $0.isEmpty }
    let entries = lines.compactMap(parts)
    return !entries.isEmpty && 2 * entries.count >= lines.count ? entries : nil
  }

  /// Calls `take` with each line that is not blank and its 1-based number.
  ///
  /// - Throws: ``FormatError/table(_:line:problem:)`` for bytes that are not UTF-8;
  ///   `SourceReadError` over ``byteLimit``; any error that the tree or `take` throws.
  static func forEachLine(
    _ tree: any SourceTree, _ path: String, _ take: (String, Int) throws -> Void
  ) throws {
    var bytes = try tree.readAll(path, limit: byteLimit)[...]
    if bytes.starts(with: TableHead.byteOrderMark) { bytes = bytes.dropFirst(3) }
    var number = 0
    while !bytes.isEmpty {
      number += 1
      let end = bytes.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex
      let line = bytes[..<end]
      bytes = end < bytes.endIndex ? bytes[(end + 1)...] : []
      guard !line.contains(0), let text = String(validating: line, as: UTF8.self) else {
        throw FormatError.table(
          path, line: number,
          problem: line.contains(0)
            ? "bytes that are not UTF-8"
            : "bytes that are not UTF-8; convert the file from its encoding, such as ISO 8859-1, and put the "
              + "result in its place: iconv -f ISO-8859-1 -t UTF-8 \(ShellText.below(path)) > utf8.txt"
        )
      }
      let trimmed = LabelSeparator.trimmed(text)
      if !trimmed.isEmpty { try take(trimmed, number) }
    }
  }
}
