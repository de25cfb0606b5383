package import AssayCore

/// WebDataset's tar shards: files with the same name up to the first dot are one sample
/// (`000001.jpg`, `000001.cls`, `000001.json`). Their JSON can have objects (``WebObjects``).
///
/// Key and location of a sample: the path of its image, with the shard as a folder. Members that
/// are in no shard, as in one tar archive that is the source itself, are grouped alike.
package struct WebDatasetImporter: DatasetImporter {
  package init() {}

  package var format: DatasetFormat { .webDataset }

  package var summary: String { "WebDataset's tar shards of images with their classes or objects" }

  package var recognizedBy: String {
    "a folder of .tar or .tar.gz files, or one, whose members share a name: 000001.jpg and 000001.cls, "
      + ".json or .txt"
  }

  /// The number of samples of a shard that are looked at.
  private static let looked = 16
  /// The number of images that a worker reads at a time.
  private static let batchSize = 64

  package func probe(_ tree: any SourceTree) throws -> Probe {
    guard !tree.isSingleFile else {
      return .noMatch("it is a single file that is not a tar archive")
    }
    let files = try tree.files()
    let shards = files.filter { ShardTree.isShard($0.path) }
    guard let first = shards.first else { return try probeMembers(tree, files) }
    guard !files.contains(where: { FileNameKind($0.path) == .image }) else {
      return .noMatch("it has images beside its tar files")
    }
    guard let shard = try ShardTree.beginning(of: first, in: tree) else {
      return .noMatch("\(first.path) is not a tar archive")
    }
    let members = try shard.files()
    let samples = WebSample.groups(members).prefix(Self.looked)
    guard samples.contains(where: { $0.image != nil }) else {
      return .noMatch("the first samples of \(first.path) have no member that is an image")
    }
    guard samples.contains(where: { $0.image != nil && $0.members.count > 1 }) else {
      return .noMatch("\(first.path) only has images, without members that describe them")
    }
    if let kind = Self.foreignKind(samples, members, in: shard) {
      return .noMatch("the members of \(first.path) look like \(kind)")
    }
    return .match(
      "\(first.path) has members that share a name (\(samples.first.map { $0.base } ?? "").…), "
        + "and there \(shards.count == 1 ? "is 1 tar file" : "are \(shards.count) tar files")")
  }

  /// Checks files that are in no shard. Only WebDataset has `.cls` beside images; a JSON must name its
  /// key, because other formats have a JSON beside each image, too, unless the archive is called like a
  /// shard.
  private func probeMembers(_ tree: any SourceTree, _ files: [SourceFile]) throws -> Probe {
    if let match = probeShard(tree, files) { return match }
    let noMatch = Probe.noMatch("it has no tar files, and no .cls files beside images")
    // Grouping millions of images takes more memory than their list.
    let hasMembers = files.contains { file in
      let name = file.path.lowercased()
      return name.hasSuffix(".cls") || name.hasSuffix(".json")
    }
    guard hasMembers else { return noMatch }
    for sample in WebSample.groups(files).prefix(Self.looked) {
      guard let image = sample.image else { continue }
      if sample.label != nil {
        return .match("\(files[image].path) has a .cls file of the same name")
      }
      guard let fields = sample.fields, files[fields].size < 1 << 20,
        let bytes = try? tree.readAll(files[fields].path, limit: 1 << 20),
        let value = try? JSONValue(parsing: String(decoding: bytes, as: UTF8.self)),
        value["__key__"] != nil || value["key"]?.text == sample.base
      else { continue }
      return .match("\(files[fields].path) names the key of \(files[image].path)")
    }
    return noMatch
  }

  /// Checks the members of one tar archive that has a number, as shards have: most of its first samples
  /// must have a JSON, a text or a class, and none of these may look like annotations of another format.
  private func probeShard(_ tree: any SourceTree, _ files: [SourceFile]) -> Probe? {
    guard ShardTree.stem(tree.name)?.last?.isNumber == true else { return nil }
    let samples = WebSample.groups(Array(files.prefix(1_000))).filter { $0.image != nil }
      .prefix(Self.looked)
    let described = samples.filter { sample in
      sample.members.contains { ["json", "txt", "cls"].contains($0.suffix) }
    }
    guard let first = described.first, 2 * described.count > samples.count,
      Self.foreignKind(samples, files, in: tree) == nil
    else { return nil }
    return .match(
      "\(tree.name) is called like a shard, and its members share a name (\(first.base).…)")
  }

  /// Kinds of files that the members of samples can look like: a text that is a class, a JSON that names
  /// its image.
  private static let ownKinds: Set<String> = [
    "Hugging Face image-folder metadata", "ImageNet class names", "lists of images",
    "lists of images and labels", "ImageNet lists (an image and its class)",
  ]

  /// The format of another kind whose annotations at least half of the samples have beside the image;
  /// `nil` for none.
  private static func foreignKind(
    _ samples: some Collection<WebSample>, _ files: [SourceFile], in tree: any SourceTree
  ) -> String? {
    var counts: [String: Int] = [:]
    for sample in samples where sample.label == nil {
      for member in sample.members where ["json", "txt", "xml"].contains(member.suffix) {
        guard let kind = Companions.kind(of: files[member.index], in: tree), kind.isAnnotation,
          !ownKinds.contains(kind.name)
        else { continue }
        if member.suffix == "json", WebLabel(sample, files, in: tree).isStated { continue }
        counts[kind.name, default: 0] += 1
      }
    }
    return counts.filter { 2 * $0.value >= samples.count }.min { $0.key < $1.key }?.key
  }

  package func companions(in tree: any SourceTree) throws -> Companions? {
    let files = try tree.files()
    let hasShards = files.contains { ShardTree.isShard($0.path) }
    guard hasShards else { return nil }
    let tables = Self.tables(files)
    let others = Companions.candidates(files).filter { file in
      let name = file.path.lowercased()
      return !tables.contains(file.path) && !ShardTree.isShard(name)
        && !Self.nameFiles.contains(name)
        && ![".idx", ".index", ".json", ".yaml", ".yml", ".txt"].contains { name.hasSuffix($0) }
    }
    var signs: [String] = []
    if let shard = try files.first(where: { ShardTree.isShard($0.path) }).flatMap({
      try ShardTree.beginning(of: $0, in: tree)
    }) {
      let samples = WebSample.groups(try shard.files()).prefix(Self.looked)
      let masked = samples.filter { $0.unread.contains(where: WebSample.isMask) }
      if !masked.isEmpty, 2 * masked.count >= samples.count {
        let masks = Set(masked.flatMap(\.unread).filter(WebSample.isMask)).sorted()
        signs.append(
          "members that look like masks, which are not read: "
            + masks.prefix(4).map { "." + $0 }.joined(separator: ", "))
      }
    }
    return try Companions(others, in: tree, signs: signs, isKnownOnly: true)
  }

  /// The Parquet files that img2dataset writes beside the shards: `00000.parquet` of `00000.tar`.
  private static func tables(_ files: [SourceFile]) -> Set<String> {
    let shards = Set(files.lazy.map(\.path).compactMap { ShardTree.stem($0) })
    return Set(
      files.lazy.map(\.path).filter { path in
        ParquetFile.isNamed(path) && shards.contains(String(path.dropLast(".parquet".count)))
      })
  }

  package func run(
    _ tree: any SourceTree, _ options: ImportOptions, deliver: (ImportedBatch) throws -> Void
  ) throws -> FinishedImport {
    guard !tree.isSingleFile else {
      throw FormatError.mismatch(
        name: tree.name, format: format, reason: "it is a single file that is not a tar archive")
    }
    try options.refuse([.size], for: format)
    let hasShards = try tree.files().contains { ShardTree.isShard($0.path) }
    let tables = hasShards ? Self.tables(try tree.files()) : []
    let split = (hasShards ? nil : WebSample.split(ofShard: tree.name)) ?? options.split
    let tree: any SourceTree =
      hasShards ? ShardTree(tree, check: options.checkInterruption) : tree
    let files = try tree.files()
    let samples = WebSample.groups(files).filter { sample in
      // Files beside the shards are not samples.
      !hasShards || !sample.shard.isEmpty
    }
    guard samples.contains(where: { $0.image != nil }) else {
      throw FormatError.mismatch(
        name: tree.name, format: format, reason: "none of its samples has a member that is an image"
      )
    }
    let classes = try options.classes ?? Self.classNames(files, in: tree)
    var merge = WebDatasetMerge(
      root: tree.name, files: files, classes: classes, total: samples.count, split: split)
    if hasShards {
      var batch = ImportedBatch()
      batch.issues = try tree.issues().filter {
        ShardTree.isShard($0.location.file.prefix { $0 != "/" })
      }
      if let table = tables.sorted().first {
        batch.issues.append(
          Issue(
            .unsupportedFile, .warning, at: IssueLocation(file: table),
            tables.count == 1
              ? "\(table) describes the samples of its shard; not read"
              : "\(tables.count) Parquet files describe the samples of their shards (\(table), …); not "
                + "read"))
      }
      try deliver(batch)
    }
    var start = 0
    try OrderedWorkers(workers: options.workers).run(
      next: { () -> ArraySlice<WebSample>? in
        guard start < samples.count else { return nil }
        defer { start += Self.batchSize }
        return samples[start..<min(samples.count, start + Self.batchSize)]
      },
      transform: { _, part in
        part.map { WebDatasetMerge.Read($0, files, in: tree) }
      },
      deliver: { read in try deliver(merge.add(read)) })
    try deliver(merge.finish())
    var run = FinishedImport(
      outcome: merge.outcome, contentHash: nil, lists: merge.annotations)
    run.notes = merge.notes
    return run
  }

  /// The lists of class names; CLIP-benchmark's is `classnames.txt`.
  private static let nameFiles = ClassNames.fileNames + ["classnames.txt"]

  /// The names in a list of classes at the top of the source; `nil` if there is none.
  private static func classNames(
    _ files: [SourceFile], in tree: any SourceTree
  ) throws -> [String]? {
    for name in nameFiles {
      guard let file = files.first(where: { $0.path == name }), file.size <= ClassNames.byteLimit
      else { continue }
      let text = String(
        decoding: try tree.readAll(name, limit: ClassNames.byteLimit), as: UTF8.self)
      let names = text.split(whereSeparator: \.isNewline).map { line in
        String(line.drop { $0 == " " || $0 == "\u{FEFF}" })
      }.filter { !$0.isEmpty }
      guard !names.isEmpty, Set(names).count == names.count else { continue }
      return names
    }
    return nil
  }
}
