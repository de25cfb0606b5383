import AssayCore

/// Reads the files of CIFAR or STL-10 in order and delivers their records.
struct CIFARPass {
  private let tree: any SourceTree
  private let layout: CIFARLayout
  private let options: ImportOptions
  /// True if a file or `--classes` names the classes.
  private let hasNames: Bool
  private var merge: PixelRecordMerge
  /// The names of the coarse classes by number.
  private var coarse: [Int: String] = [:]
  private var notes: [String] = []

  private var kind: CIFARKind { layout.kind }

  /// - Throws: ``FormatError``; any error that the tree throws.
  init(_ tree: any SourceTree, _ layout: CIFARLayout, _ options: ImportOptions) throws {
    self.tree = tree
    self.layout = layout
    self.options = options
    let first = layout.kind.firstLabel
    var names: [NumberedClasses.Name]?
    if let given = options.classes {
      names = given.enumerated().map { NumberedClasses.Name(number: first + $0, name: $1) }
    } else if let file = layout.names {
      names = try NameList.names(tree, file.path, first: first)
    } else {
      notes.append(
        "there is no \(layout.kind.namesFile), so the classes are the numbers of the labels")
    }
    if let file = layout.coarseNames {
      for entry in try NameList.names(tree, file.path) { coarse[entry.number] = entry.name }
    }
    hasNames = names != nil
    var total = 0
    for images in layout.images { total += images.file.size / layout.kind.recordBytes }
    guard total <= PixelTableMerge.rowLimit else {
      throw FormatError.tooManyRows(tree.name, limit: PixelTableMerge.rowLimit)
    }
    merge = PixelRecordMerge(NumberedClasses(names), format: .rgb8, total: total, name: tree.name)
  }

  /// Reads everything.
  ///
  /// - Throws: ``FormatError``; any error that the tree or `deliver` throws.
  mutating func run(_ deliver: (ImportedBatch) throws -> Void) throws -> FinishedImport {
    for issue in layout.issues {
      merge.note(issue.kind, issue.severity, issue.location.file, issue.message)
    }
    if let first = layout.pickles.first {
      notes.append("\(first) and other Python pickles beside the binary files were not read")
    }
    for images in layout.images { try read(images, deliver) }
    try deliver(merge.finish())
    var finished = FinishedImport(outcome: merge.outcome, contentHash: nil)
    finished.notes = notes
    return finished
  }

  private mutating func read(
    _ images: CIFARLayout.Images, _ deliver: (ImportedBatch) throws -> Void
  ) throws {
    let path = images.file.path
    let labels = try labels(of: images)
    let stem = SortedFiles.stem(of: path)
    var stream = try ByteStream(tree, SourceFile(path: path, size: images.file.size, modified: 0))
    guard !stream.isCompressed else {
      throw FormatError.mismatch(
        name: tree.name, format: .cifar,
        reason: "\(path) is compressed; unpack it: \(ShellText.gunzip(path))")
    }
    let bytes = kind.recordBytes
    let wanted = PixelRecordMerge.recordsPerBatch(of: bytes) * bytes
    var number = 0
    while true {
      let part = try stream.read(upTo: wanted)
      for start in stride(from: 0, to: part.count - part.count % bytes, by: bytes) {
        try add(
          part[start..<(start + bytes)], number, key: "\(stem)/\(number)", images,
          labels.flatMap { number < $0.count ? $0[number] : nil })
        number += 1
      }
      guard number <= PixelTableMerge.rowLimit else {
        throw FormatError.tooManyRows(tree.name, limit: PixelTableMerge.rowLimit)
      }
      if part.count % bytes != 0 {
        merge.reject(1)
        merge.note(
          .truncated, .error, path,
          "the file ends within record \(number): a record has \(bytes) bytes, and the last one "
            + "\(part.count % bytes); fetch or copy the file again")
      }
      try deliver(merge.take())
      if part.count < wanted { break }
    }
    if number == 0 {
      merge.note(.truncated, .error, path, "the file has no whole record")
    }
  }

  private mutating func add(
    _ record: ArraySlice<UInt8>, _ number: Int, key: String, _ images: CIFARLayout.Images,
    _ stated: UInt8?
  ) throws {
    var label: Int?
    var parent: String?
    switch kind {
    case .ten: label = record.first.map(Int.init)
    case .hundred:
      label = record.dropFirst().first.map(Int.init)
      parent = record.first.map { coarse[Int($0)] ?? String($0) }
    case .stl: label = stated.map(Int.init)
    }
    if let label, let given = options.classes,
      !(kind.firstLabel..<(kind.firstLabel + given.count)).contains(label)
    {
      throw FormatError.mismatch(
        name: tree.name, format: .cifar,
        reason:
          "record \(key) has the label \(label), and --classes names \(Counted.text(given.count, "class", "classes")), "
          + "from \(kind.firstLabel)")
    }
    // Without names, any byte would be a class.
    if !hasNames, let label, !kind.labels.contains(label) {
      merge.reject(1)
      merge.note(
        .unknownLabel, .error, images.labels?.path ?? images.file.path,
        "record \(key) has the label \(label), and \(kind.title) has \(kind.labels.lowerBound) to "
          + "\(kind.labels.upperBound); left out (other datasets in this layout need "
          + "\(kind.namesFile) or --classes)")
      return
    }
    merge.add(
      kind.pixels(record)[...], size: kind.size, key: key, split: images.split, label: label,
      parent: parent, location: images.labels?.path ?? images.file.path)
  }

  /// The labels of STL-10's images; `nil` if they have none.
  private mutating func labels(of images: CIFARLayout.Images) throws -> [UInt8]? {
    guard kind == .stl else { return nil }
    guard let file = images.labels else {
      if images.split == "unlabeled" {
        notes.append("the images of \(images.file.path) have no label")
      } else {
        merge.note(
          .missingLabel, .warning, images.file.path,
          "there is no file of labels for \(images.file.path); its images are kept without a label")
      }
      return nil
    }
    let count = images.file.size / kind.recordBytes
    guard file.size == count else {
      throw FormatError.mismatch(
        name: tree.name, format: .cifar,
        reason:
          "\(images.file.path) holds \(Counted.text(count, "image", "images")), and \(file.path) holds \(file.size) "
          + "labels, so they do not belong together")
    }
    return try tree.readAll(file.path, limit: PixelTableMerge.rowLimit)
  }
}
