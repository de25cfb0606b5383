import AssayCore

/// Creates batches from the samples of WebDataset's shards, in their order.
struct WebDatasetMerge {
  /// One sample as a worker read it.
  struct Read: Sendable {
    var sample: WebSample
    /// The image's header; `nil` if the sample has no image.
    var probe: ImageProbe?
    var label: WebLabel
    /// The labels and objects of the JSON and the captions, packed; `nil` if there are none.
    var regions: PackedImage?

    /// - Parameter files: the files of the tree.
    init(_ sample: WebSample, _ files: [SourceFile], in tree: any SourceTree) {
      self.sample = sample
      probe = sample.image.map { ImageProbe(tree, files[$0]) }
      label = WebLabel(sample, files, in: tree)
      guard let probe, case .success(let size) = probe.size,
        label.objects != nil || !label.captions.isEmpty
      else { return }
      var image =
        label.objects.map {
          $0.content.image(hasClass: label.text != nil, path: $0.path, size: size)
        } ?? LabeledImage()
      image.annotationsRead += label.captions.count
      image.regions += label.captions.map {
        Captions.region($0.text, at: IssueLocation(file: $0.path))
      }
      regions = PackedImage(image, path: probe.path, split: nil, probe: probe)
    }
  }

  private let root: String
  private let files: [SourceFile]
  private var classes: [String]?
  private let total: Int
  private let split: String?
  private var labels: LabelReader
  private var introduced = 0
  private var splits: [String: String?] = [:]
  /// The numbers of members and of JSON fields that are not read, by suffix and name.
  private var unreadMembers: [String: Int] = [:]
  private var unreadFields: [String: Int] = [:]
  private var withoutLabel = 0
  private var captions = 0
  private var lists = ImportedLists()
  private var kept = UnevaluatedCounts()
  private var limit = IssueLimit()
  private var issues: [Issue] = []
  private(set) var outcome = ImportOutcome()

  /// - Parameter classes: the names of the labels 0, 1, 2, …; discovered if `nil`.
  init(root: String, files: [SourceFile], classes: [String]?, total: Int, split: String?) {
    self.root = root
    self.files = files
    self.classes = classes
    self.total = total
    self.split = split
    labels = LabelReader(classes.map { .named($0) } ?? .discovered)
  }

  mutating func add(_ part: [Read]) -> ImportedBatch {
    var batch = ImportedBatch()
    for read in part {
      guard let sample = sample(read) else {
        batch.rejected += 1
        continue
      }
      batch.samples.append(sample)
      add(read.regions, to: &batch)
    }
    batch.read = part.count
    outcome.read += batch.read
    outcome.rejected += batch.rejected
    outcome.accepted += batch.samples.count
    complete(&batch)
    return batch
  }

  /// The last batch: what was not read, and the number of issues that were not listed.
  mutating func finish() -> ImportedBatch {
    var batch = ImportedBatch()
    for (suffix, count) in unreadMembers.sorted(by: { $0.key < $1.key }) {
      note(
        .unsupportedField, .warning, root,
        "\(count) .\(suffix) \(count == 1 ? "member is" : "members are") not read")
    }
    for (name, count) in unreadFields.sorted(by: { $0.key < $1.key }).prefix(100) {
      note(
        .unsupportedField, .warning, root,
        "the JSON field '\(name)' of \(count) \(count == 1 ? "sample" : "samples") is not read")
    }
    // Images with objects need no class of their own.
    if withoutLabel > 0, withoutLabel < outcome.accepted, lists.annotationsRead == captions {
      note(
        .missingLabel, .warning, root,
        "\(withoutLabel) of \(outcome.accepted) samples state no class; kept without a label")
    }
    issues += limit.remainder(in: root)
    complete(&batch)
    batch.progress = 1
    let names = classes ?? labels.discovered
    outcome.ordinals = Array(repeating: 0, count: introduced)
    let order = classes == nil ? ClassOrder.sorted(names) : Array(names.indices)
    for (ordinal, place) in order.enumerated() { outcome.ordinals[place] = ordinal }
    return batch
  }

  /// Notes on what was not read, for the output of the import.
  var notes: [String] {
    let members = unreadMembers.keys.sorted().map { "." + $0 }
    let numbers = labels.discovered
    let isUnnamed =
      classes == nil && !numbers.isEmpty && numbers.allSatisfy { Int64($0) != nil }
    return kept.notes
      + (isUnnamed
        ? [
          "nothing names the numbers of the labels, so they are the classes; --classes a,b,c names them"
        ]
        : [])
      + (members.isEmpty
        ? [] : ["members that are not read: " + members.prefix(8).joined(separator: ", ")])
  }

  /// The numbers of annotations; `nil` if no sample states labels or objects in its JSON.
  var annotations: ImportedLists? { lists.annotationsRead > 0 ? lists : nil }

  /// Adds the regions of the last sample of a batch.
  private mutating func add(_ image: PackedImage?, to batch: inout ImportedBatch) {
    lists.images += 1
    lists.imagesFound += 1
    guard let image else { return }
    issues += image.issues.filter { limit.admits($0.kind) }
    lists.annotationsRead += image.annotationsRead
    lists.annotationsKept += image.labelCount
    captions += image.regions.count { $0.category == DatumaroClasses.caption }
    // The catalog stores the label of an image with the ordinal 0.
    var ordinal = batch.samples.last?.category == nil ? 0 : 1
    let base = batch.geometry.count
    batch.geometry += image.geometry
    for region in image.regions {
      guard let place = place(of: region.category) else {
        note(
          .unknownLabel, .error, image.path,
          "the class '\(region.category.name.prefix(60))' of an object is not in the list of classes; the "
            + "object is left out")
        continue
      }
      lists.annotationsKept += 1
      kept.add(region.kind)
      batch.annotations.append(
        ImportedAnnotation(
          sample: outcome.accepted + batch.samples.count - 1, category: place,
          ordinal: region.kind == .label ? 0 : ordinal, shape: region.kind, isCrowd: region.isCrowd,
          area: region.area, box: region.box,
          sourceID: region.sourceID,
          geometry: region.geometry.map { base + $0.lowerBound..<base + $0.upperBound },
          attributes: region.attributes))
      ordinal += 1
    }
  }

  /// The class of a region; `nil` if it is unknown. That of captions need not be in a list of classes.
  private mutating func place(of category: Category) -> Int? {
    if category == DatumaroClasses.caption, let known = classes {
      if let place = known.firstIndex(of: category.name) { return place }
      classes = known + [category.name]
      return known.count
    }
    guard case .category(let place) = labels.read(category.name) else { return nil }
    return place
  }

  private mutating func complete(_ batch: inout ImportedBatch) {
    let names = classes ?? labels.discovered
    batch.newCategories = names[introduced...].map { Category(name: $0) }
    introduced = names.count
    batch.issues = issues
    issues = []
    batch.progress = total == 0 ? 1 : Double(outcome.read) / Double(total)
  }

  private mutating func sample(_ read: Read) -> ImportedSample? {
    for suffix in read.sample.unread { Self.count(suffix, in: &unreadMembers) }
    for name in read.label.unread { Self.count(name, in: &unreadFields) }
    guard let probe = read.probe else {
      note(
        .missingImage, .error, read.sample.base,
        "the sample has no member that is an image, or several; left out "
          + "(\(read.sample.members.map { "." + $0.suffix }.joined(separator: ", ")))")
      return nil
    }
    let size: ImageSize
    switch probe.size {
    case .success(let found): size = found
    case .failure(let problem):
      note(problem.kind, .error, probe.path, problem.message)
      return nil
    }
    if let problem = read.label.problem {
      note(
        problem.kind, .warning, problem.path, "\(problem.message); kept without a label",
        key: probe.path)
    }
    var category: Int?
    let text = read.label.text ?? read.regions?.label?.name ?? ""
    switch labels.read(text) {
    case .category(let place): category = place
    case .missing: withoutLabel += 1
    case .unknown:
      note(
        .unknownLabel, .error, probe.path,
        "the label '\(text.prefix(60))' is not a class; left out")
      return nil
    }
    return ImportedSample(
      key: probe.path, location: probe.path, split: split(of: read.sample.shard) ?? split,
      size: size, category: category, attributes: read.label.imageAttributes)
  }

  /// Counts an unread member or field. Their number is limited, because names can be anything.
  private static func count(_ name: String, in counts: inout [String: Int]) {
    guard counts[name] != nil || counts.count < 1_000 else { return }
    counts[name, default: 0] += 1
  }

  private mutating func split(of shard: String) -> String? {
    if let known = splits[shard] { return known }
    let found = WebSample.split(ofShard: shard)
    splits[shard] = .some(found)
    return found
  }

  private mutating func note(
    _ kind: IssueKind, _ severity: Issue.Severity, _ file: String, _ message: String,
    key: String? = nil
  ) {
    guard limit.admits(kind) else { return }
    issues.append(Issue(kind, severity, at: IssueLocation(file: file), sampleKey: key, message))
  }
}
