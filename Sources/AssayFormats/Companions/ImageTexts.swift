import AssayCore

/// Files of unknown content that are about the images of a source: `1.txt` beside `1.jpg`, or a JSON whose
/// beginning names an image.
enum ImageTexts {
  /// The suffixes of files that can be called like the image that they describe.
  private static let twinSuffixes: Set<String> = [".txt", ".json", ".xml", ".csv", ".yaml", ".yml"]
  /// The number of files that are looked at.
  private static let sought = 16
  /// The number of bytes of a JSON file that are searched, and of names that are looked up.
  private static let searched = 1 << 16
  private static let namesTried = 8

  /// The files of a suffix and what they are about, one line; `nil` if nothing shows that they are about
  /// images.
  ///
  /// - Throws: any error that the tree throws.
  static func line(
    _ suffix: String, _ files: [SourceFile], in tree: any SourceTree
  ) throws -> String? {
    let spreadsheets = [".xlsx", ".xls", ".ods"]
    if spreadsheets.contains(suffix), let first = files.first {
      return
        "\(Counted.text(files.count, "spreadsheet", "spreadsheets")) that can have labels (\(first.path)"
        + "\(files.count > 1 ? ", …" : "")); save one as CSV to import it"
    }
    guard twinSuffixes.contains(suffix) else { return nil }
    let all = try tree.files()
    let twins = files.prefix(sought).compactMap { file in
      image(called: String(file.path.dropLast(suffix.count)), among: SortedFiles(all))
        .map { (file.path, $0) }
    }
    if let (text, image) = twins.first, 2 * twins.count > min(files.count, sought) {
      return "\(files.count) \(suffix) \(files.count == 1 ? "file is" : "files are") called like "
        + "\(files.count == 1 ? "an image" : "images") (\(text) of \(image)), of unknown content"
    }
    guard suffix == ".json" else { return nil }
    for file in files.prefix(sought) {
      if let image = try image(namedIn: file, among: all, of: tree) {
        return "\(file.path) is of unknown content and names images (\(image))"
      }
    }
    return nil
  }

  /// The image with a path but for the suffix.
  private static func image(called stem: String, among files: SortedFiles) -> String? {
    files.range(ofStem: stem).lazy.map { files[$0] }.first {
      PairPath.isImageName($0) && PairPath.stem(of: $0) == stem
    }
  }

  /// The first image of the source that the beginning of a JSON file names in quotation marks.
  private static func image(
    namedIn file: SourceFile, among files: [SourceFile], of tree: any SourceTree
  ) throws -> String? {
    var head = [UInt8](repeating: 0, count: searched)
    guard let count = try? SourceContent.readHead(tree, file.path, into: &head) else { return nil }
    let names = head[..<count].split(separator: UInt8(ascii: "\"")).lazy
      .map { String(decoding: $0, as: UTF8.self) }
      .filter { PairPath.isImageName($0) && !$0.contains("\n") }
      .prefix(namesTried)
      .compactMap { $0.split(separator: "/").last.map(String.init) }
    let wanted = Set(names)
    guard !wanted.isEmpty else { return nil }
    return files.first { file in
      PairPath.isImageName(file.path)
        && wanted.contains(String(file.path.split(separator: "/").last ?? ""))
    }?.path
  }
}
