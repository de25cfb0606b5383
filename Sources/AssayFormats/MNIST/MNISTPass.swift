import AssayCore

/// Reads the pairs of IDX files in order and delivers their records.
struct MNISTPass {
  private let tree: any SourceTree
  private let layout: MNISTLayout
  private let options: ImportOptions
  private var merge: PixelRecordMerge
  private(set) var notes: [String]
  /// The labels of each pair; fewer than its head states if the file is truncated.
  private let labels: [[UInt8]]
  /// Problems of the files of labels.
  private let problems: [Issue]

  /// Reads the labels, which are small, and finds the classes.
  ///
  /// - Throws: ``FormatError``; any error that the tree throws.
  init(_ tree: any SourceTree, _ layout: MNISTLayout, _ options: ImportOptions) throws {
    self.tree = tree
    self.layout = layout
    self.options = options
    notes = layout.notes
    var all: [[UInt8]] = []
    var found: [Issue] = []
    for pair in layout.pairs {
      all.append(try pair.labels.map { try Self.labels(tree, $0, &found) } ?? [])
    }
    labels = all
    problems = found
    let largest = all.lazy.compactMap { $0.max() }.max().map(Int.init)
    var names: [NumberedClasses.Name]?
    /// Names of the labels from 0 on, from a source that must name all of them.
    func numbered(_ list: [String], of source: String, _ advice: (Int) -> String) throws
      -> [NumberedClasses.Name]
    {
      if let largest, largest >= list.count {
        throw FormatError.mismatch(
          name: tree.name, format: .mnist,
          reason:
            "its labels go up to \(largest), and \(source) names \(Counted.text(list.count, "class", "classes")), from "
            + "0; give \(advice(largest))")
      }
      return list.enumerated().map { NumberedClasses.Name(number: $0, name: $1) }
    }
    if let given = options.classes {
      names = try numbered(given, of: "--classes") { "at least \($0 + 1) names" }
    } else if let mapping = layout.mapping {
      names = try EMNISTMapping.read(tree, mapping)
      notes.append("\(mapping) names the classes")
    } else if let (path, list) = layout.names {
      names = try numbered(list, of: path) { _ in "all names with --classes" }
      notes.append("\(path) names the classes, from 0")
    } else if layout.pairs.contains(where: { $0.images?.name.isEMNIST == true }) {
      notes.append(
        "there is no mapping file (emnist-…-mapping.txt), so the classes are the numbers of the labels"
      )
    }
    let total = layout.pairs.reduce(0) { $0 + ($1.images?.count ?? 0) }
    merge = PixelRecordMerge(
      NumberedClasses(names), format: .gray8, total: total, name: tree.name)
  }

  /// Reads everything.
  ///
  /// - Throws: ``FormatError``; any error that the tree or `deliver` throws.
  mutating func run(_ deliver: (ImportedBatch) throws -> Void) throws -> FinishedImport {
    for issue in layout.issues + problems {
      merge.note(issue.kind, issue.severity, issue.location.file, issue.message)
    }
    for (pair, labels) in zip(layout.pairs, labels) {
      guard let images = pair.images else {
        lone(pair, labels.count)
        continue
      }
      if pair.labels == nil {
        merge.note(
          .missingLabel, .warning, images.path,
          "there is no file of labels for \(images.path); its images are kept without a label")
      }
      try read(images, pair.labels == nil ? nil : labels, pair, deliver)
    }
    if layout.pairs.contains(where: { $0.images?.name.isEMNIST == true }) {
      notes.append(
        "EMNIST stores images with rows and columns exchanged; they were exchanged back, because the "
          + "files are called emnist-…")
    }
    try deliver(merge.finish())
    var finished = FinishedImport(outcome: merge.outcome, contentHash: nil)
    finished.notes = notes
    return finished
  }

  /// Reports labels without images.
  private mutating func lone(_ pair: MNISTLayout.Pair, _ count: Int) {
    guard let file = pair.labels else { return }
    merge.reject(count)
    merge.note(
      .missingImage, .error, file.path,
      "there is no file of images for \(file.path); its "
        + (count == 1 ? "label is left out" : "\(count) labels are left out"))
  }

  private mutating func read(
    _ images: MNISTLayout.File, _ labels: [UInt8]?, _ pair: MNISTLayout.Pair,
    _ deliver: (ImportedBatch) throws -> Void
  ) throws {
    guard let size = images.size else { return }
    var stream = try ByteStream(tree, images.file)
    _ = try stream.read(upTo: images.header.byteCount)
    let most = PixelRecordMerge.recordsPerBatch(of: size.area)
    var number = 0
    while number < images.count {
      let wanted = min(most, images.count - number)
      let bytes = try stream.read(upTo: wanted * size.area)
      let whole = bytes.count / size.area
      for record in 0..<whole {
        add(bytes[(record * size.area)..<((record + 1) * size.area)], number, size, labels, pair)
        number += 1
      }
      try deliver(merge.take())
      if whole < wanted { break }
    }
    finish(images, read: number, try stream.read(upTo: 1).count, stream)
    try deliver(merge.take())
  }

  private mutating func add(
    _ pixels: ArraySlice<UInt8>, _ number: Int, _ size: ImageSize, _ labels: [UInt8]?,
    _ pair: MNISTLayout.Pair
  ) {
    let key = pair.split.map { "\($0)/\(number)" } ?? String(number)
    guard labels.map({ number < $0.count }) ?? true else {
      // The file of labels is truncated, which is an issue already.
      merge.reject(1)
      return
    }
    let isEMNIST = pair.images?.name.isEMNIST == true
    merge.add(
      isEMNIST ? Self.transposed(pixels, size)[...] : pixels,
      size: isEMNIST ? ImageSize(width: size.height, height: size.width) : size, key: key,
      split: pair.split ?? options.split, label: labels.map { Int($0[number]) },
      location: pair.labels?.path ?? pair.images?.path ?? tree.name)
  }

  /// Reports the end of a file that is not where its head says.
  private mutating func finish(
    _ images: MNISTLayout.File, read: Int, _ rest: Int, _ stream: ByteStream
  ) {
    if read < images.count {
      merge.reject(images.count - read)
      merge.note(
        .truncated, .error, images.path,
        "\(stream.damage.map { "\($0); " } ?? "")the file ends after \(read) of the "
          + "\(Counted.text(images.count, "image", "images")) that its head states; the others are missing; fetch or copy the "
          + "file again")
    } else if stream.hasWrongChecksum {
      merge.note(
        .badChecksum, .error, images.path,
        "\(stream.damage ?? "the checksum is wrong"): any image may be wrong; fetch or copy the file "
          + "again")
    } else if rest > 0 || stream.damage != nil {
      merge.note(
        .badField, .warning, images.path,
        "there are other bytes after the \(Counted.text(images.count, "image", "images")) that the head states; "
          + "not read")
    }
  }

  /// The labels of a file.
  private static func labels(
    _ tree: any SourceTree, _ file: MNISTLayout.File, _ problems: inout [Issue]
  ) throws -> [UInt8] {
    var stream = try ByteStream(tree, file.file)
    _ = try stream.read(upTo: file.header.byteCount)
    var labels: [UInt8] = []
    while labels.count < file.count {
      let wanted = min(1 << 20, file.count - labels.count)
      let part = try stream.read(upTo: wanted)
      labels += part
      if part.count < wanted { break }
    }
    let rest = try stream.read(upTo: 1).count
    var problem: (IssueKind, Issue.Severity, String)?
    if labels.count < file.count {
      problem = (
        .truncated, .error,
        "\(stream.damage.map { "\($0); " } ?? "")the file ends after \(labels.count) of the "
          + "\(Counted.text(file.count, "label", "labels")) that its head states; the images without a label are left out"
      )
    } else if stream.hasWrongChecksum {
      problem = (.badChecksum, .error, "the checksum does not match, so any label may be wrong")
    } else if rest > 0 || stream.damage != nil {
      problem = (
        .badField, .warning,
        "there are other bytes after the \(Counted.text(file.count, "label", "labels")) that the head states; "
          + "not read"
      )
    }
    if let (kind, severity, text) = problem {
      problems.append(Issue(kind, severity, at: IssueLocation(file: file.path), text))
    }
    return labels
  }

  /// The pixels of an image with rows and columns exchanged.
  ///
  /// - Parameter size: the size before.
  static func transposed(_ pixels: ArraySlice<UInt8>, _ size: ImageSize) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(pixels.count)
    for column in 0..<size.width {
      var place = pixels.startIndex + column
      for _ in 0..<size.height {
        result.append(pixels[place])
        place += size.width
      }
    }
    return result
  }
}
