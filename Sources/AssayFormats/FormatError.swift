package import AssayCore

/// The reasons why a source as a whole cannot be read, or a file of predictions is invalid.
package enum FormatError: Error, Hashable, Sendable {
  /// No importer accepts the source, with the reason for each.
  ///
  /// The hints are the reasons against the formats that it looks like, one line each.
  case unrecognized(
    name: String, found: String, hints: [String], reasons: [DatasetFormat: String])
  /// Labels that the importer of the format does not read, or several datasets at once.
  case companions(name: String, format: DatasetFormat, Companions)
  /// A file of annotations that describes an image which another one describes, too: together, they would
  /// have the image or its annotations twice. The other one is among `others`.
  case sharedImages(
    name: String, format: DatasetFormat, file: String, others: [String], image: String)
  /// A requested format that does not match.
  case mismatch(name: String, format: DatasetFormat, reason: String)
  /// The same for a format that was detected.
  case unfit(name: String, format: DatasetFormat, reason: String)
  /// A file that contains only blanks.
  case emptyFile(String)
  /// A file that is not text, and its kind.
  case binaryFile(String, found: String)
  /// A file with compressed data that is damaged before its first line ends.
  case damagedFile(String, reason: String)
  /// A first line over the limit in bytes.
  case headerTooLong(String, limit: Int)
  /// The first row after the header exceeds the row limit.
  case rowTooLong(String, limit: Int)
  /// A folder without an image, and the CSV files in it.
  case noImages(name: String, found: String, tables: [String])
  /// A file with a header and nothing else.
  case noRows(String)
  /// An option that has no effect for the format.
  case unusedOption(String, format: DatasetFormat)
  /// Rows with this number of pixels, which is not a square.
  case noSize(String, pixels: Int)
  /// A stated size that does not match the columns.
  case sizeMismatch(String, size: ImageSize, pixels: Int)
  /// A gzip file whose text has more than this many bytes and is more than `ratio` times as large
  /// as the file.
  case expandsTooFar(String, bytes: Int, ratio: Int)
  /// More rows than the limit.
  case tooManyRows(String, limit: Int)
  /// More different labels than the limit.
  case tooManyClasses(String, limit: Int)
  /// More different splits than the limit.
  case tooManySplits(String, limit: Int)
  /// A table of predictions or labels with an invalid line.
  case table(String, line: Int, problem: String)
  /// A file of predictions that cannot be read, and what to do.
  case predictions(String, problem: String)
  /// A JSON file that is invalid or truncated, and the byte offset.
  case badJSON(String, offset: Int, problem: String)
  /// A list of classes whose lines have numbers that cannot be used; one clause.
  case classList(String, problem: String)
  /// A JSON file that is compressed with gzip.
  case packedJSON(String)
  /// A JSON file, or a folder of them, that does not contain COCO instances; one clause.
  case notCOCO(String, problem: String)
  /// A COCO file whose images' names several folders have, and these folders.
  case ambiguousImages(String, [String], isApart: Bool)
  /// A JSON file in no format that is imported, with the reason against each format that has JSON.
  case unknownJSON(String, isList: Bool, [String])
  /// An index mask with a value that can mean two things, and what to do.
  case ambiguousMask(String, problem: String)
  /// An annotator whom the source does not name, and those whom it does.
  case unknownAnnotator(String, known: [String])
  /// There is not enough memory.
  case outOfMemory
}

extension FormatError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unrecognized(let name, let found, let hints, let reasons):
      let list = DatasetFormat.allCases.filter { reasons[$0] != nil }.map(\.rawValue)
      return """
        \(name): unrecognized dataset format: it is \(found)\(hints.map { "\n  " + $0 }.joined())
        it is none of \(list.joined(separator: ", "))
        name the format with PATH:FORMAT; `assay formats` describes each
        """
    case .companions(let name, let format, let found):
      return Self.text(name, format, found)
    case .sharedImages(let name, let format, let file, let others, let image):
      return Self.text(name, format, file, sharing: image, with: others)
    case .mismatch(let name, let format, let reason):
      return """
        \(name) cannot be read as \(format.rawValue): \(reason)
        if you named the format, omit `:\(format.rawValue)` to detect it; see `assay formats`
        """
    case .unfit(let name, let format, let reason):
      return "\(name) looks like \(format.rawValue), and cannot be read as such: \(reason)"
    case .emptyFile(let file):
      return "\(file) is empty; \(Self.known)"
    case .binaryFile(let file, let found):
      if found == SourceContent.utf16 {
        return "\(file) is \(found); \(TextEncoding.utf16.advice(file))"
      }
      return "\(file) is \(found), not CSV text; \(Self.known)"
    case .damagedFile(let file, let reason):
      return "\(file): \(reason); fetch or copy the file again"
    case .headerTooLong(let file, let limit):
      return """
        \(file): the first line is longer than \(limit >> 20) MiB, so this is not a CSV of \
        pixels; \(Self.known)
        """
    case .rowTooLong(let file, let limit):
      return """
        \(file): the first row is longer than \(limit >> 20) MiB, so this is not a CSV of \
        pixels; \(Self.known)
        """
    case .noImages(let name, let found, let tables):
      let hint =
        tables.isEmpty
        ? Self.known
        : "to import a CSV file, name it: \(tables.prefix(3).joined(separator: ", "))"
      return "\(name) has no image that is read: it is \(found); \(hint)"
    case .noRows(let file):
      return "\(file) has a header and no rows; there is nothing to import"
    case .unusedOption(let option, let format):
      return "\(option) does not apply to \(format.rawValue); "
        + (format == .imageFolder && ["--fps", "--every"].contains(option)
          ? "PATH:frames reads a folder of images as the frames of a film" : "omit it")
    case .noSize(let file, let pixels):
      return """
        \(file): rows of \(pixels) pixels are not square; give the size with --size WxH \
        (RGB has three values a pixel)
        """
    case .sizeMismatch(let file, let size, let pixels):
      return """
        \(file): --size \(size.width)x\(size.height) needs \(size.area) pixel columns \
        (\(3 * size.area) for RGB), and there are \(pixels)
        """
    case .expandsTooFar(let file, let bytes, let ratio):
      return """
        \(file): over \(bytes >> 20) MiB of text, more than \(ratio) times the compressed size; this \
        exceeds the limit; if the file is right, unpack it (\(ShellText.gunzip(file))) and import the unpacked \
        file
        """
    case .tooManyRows(let file, let limit):
      return """
        \(file) has more than \(limit) rows, the limit of a dataset; split the file and import the parts
        """
    case .tooManyClasses(let file, let limit):
      return """
        \(file) has more than \(limit) different labels; is the label in another column? \
        (label, class, emotion, target are looked for)
        """
    case .tooManySplits(let file, let limit):
      return """
        \(file) has more than \(limit) different splits; is the split in another column? \
        (split, usage, subset, partition, set are looked for)
        """
    case .table(let file, let line, let problem):
      return "\(file):\(line): \(problem)"
    case .predictions(let file, let problem):
      return "\(file): \(problem)"
    case .classList(let file, let problem):
      return
        "\(file) numbers its classes, but \(problem); correct the file (one number and name per line)"
    case .packedJSON(let file):
      return """
        \(file) is JSON compressed with gzip, which is read uncompressed only
        unpack it: \(ShellText.gunzip(file, suffix: ".json")), then import the JSON file
        """
    case .badJSON(let file, let offset, let problem):
      return """
        \(file): broken JSON at byte \(offset): \(problem)
        nothing was imported; fetch or write the file again
        """
    case .notCOCO(let file, let problem):
      return "\(file): \(problem)"
    case .ambiguousImages(let file, let folders, let isApart):
      let names = folders.map { $0.isEmpty ? "the folder itself" : $0 }
      let list = names.prefix(6).joined(separator: ", ") + (names.count > 6 ? ", …" : "")
      let folder = folders.first { !$0.isEmpty } ?? ""
      let way =
        isApart
        ? "name the one of its images with --images"
        : "import it with that of its images: assay import \(ShellText.below(file)) --images "
          + ShellText.below(folder) + " (or another of them)"
      return """
        \(file): images with the names that it lists are in several folders (\(list)), and nothing says which \
        of them it means; \(way)
        """
    case .unknownJSON(let file, let isList, let reasons):
      return """
        \(file): it is a JSON \(isList ? "list" : "object"), but in no format that assay imports\
        \(isList ? " (a list may be a model's results)" : "")
        \(reasons.map { "  " + $0 }.joined(separator: "\n"))
        name the format with PATH:FORMAT; `assay formats` describes each
        """
    case .ambiguousMask(let file, let problem):
      return "\(file): \(problem)"
    case .unknownAnnotator(let name, let known):
      let list =
        known.prefix(20).joined(separator: ", ")
        + (known.count > 20 ? ", … (\(known.count) in all)" : "")
      return known.isEmpty
        ? "unknown annotator “\(name)”: the source names no annotators; omit --annotator"
        : "unknown annotator “\(name)”; annotators: \(list)"
    case .outOfMemory:
      return "there is not enough memory to read the file"
    }
  }

  private static func text(
    _ name: String, _ format: DatasetFormat, _ found: Companions
  ) -> String {
    func list(_ lines: [String]) -> String { lines.map { "\n  " + $0 }.joined() }
    let images = "PATH:\(format.rawValue) --ignore-companions"
    guard found.datasets.isEmpty else {
      return """
        \(name) contains several datasets; import them one at a time:\(list(found.datasets))
        if they are one dataset, import it without the annotations that \(format.rawValue) does not \
        read: \(images)
        """
    }
    if let inner = found.inner {
      return """
        \(name) was not imported: \(found.findings.joined())
        import that folder instead: \(ShellText.below(inner)); or all images without classes: \(images)
        """
    }
    if let table = found.table {
      return """
        \(name) was not imported: as \(format.rawValue) it would lose annotations or get wrong \
        labels:\(list(found.findings))
        \(table.path) \(table.content); import \
        \(table.others.isEmpty ? "that file instead" : "one of these instead"): \(table.commands); or \
        \(format == .imageFolder ? "the images without labels" : "what \(format.rawValue) reads, without it"): \
        \(images)
        """
    }
    // Annotations of several formats beside the same images: one of them can be imported.
    let others =
      format == .imageFolder ? [] : found.formats.filter { $0 != format }
    let instead = others.map { "PATH:\($0.rawValue) --ignore-companions" }
      .joined(separator: ", ")
    let way =
      format == .imageFolder
      ? "or import the images without them and without masks: \(images)"
      : "or import it without them: \(images), "
        + (instead.isEmpty ? "" : "with them instead: \(instead), ")
        + "or the images alone: PATH:image-folder --ignore-companions"
    let conversion =
      found.conversions.isEmpty
      ? "convert the annotations to a format that assay imports (see `assay formats`; COCO JSON holds "
        + "boxes and masks), "
      : "convert the annotations, and import DIR: \(found.conversions.joined(separator: "; or "))\n"
    return """
      \(name) was not imported: as \(format.rawValue) it would lose annotations or get wrong \
      labels:\(list(found.findings + found.hints))
      \(conversion)\(way)
      """
  }

  private static func text(
    _ name: String, _ format: DatasetFormat, _ file: String, sharing image: String,
    with others: [String]
  ) -> String {
    let what =
      others.count == 1
      ? "\(others[0]) and \(file) describe the same images (\(image))"
      : "\(file) describes an image (\(image)) that one of \(others.joined(separator: ", ")) does, too"
    // One JSON file is a source of its own.
    let commands = (others + [file]).prefix(8).map {
      "\n  assay import \(ShellText.below($0)):\(format.rawValue) --images PATH"
    }
    let isSource = Importers.importer(for: format).readsJSON
    return """
      \(name) was not imported: \(what), and together they would have an image or its annotations twice
      \(isSource ? "import one of them:\(commands.joined())\nor " : "")take those away that are not \
      wanted, and import the folder
      """
  }

  private static var known: String {
    "assay imports \(DatasetFormat.allCases.map(\.rawValue).joined(separator: ", ")) "
      + "(see `assay formats`)"
  }
}
