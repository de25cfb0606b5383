import AssayCore

/// Creates batches from the samples of WebDataset's shards, in their order.
struct WebDatasetMerge {
  /// One sample as a worker read it.
  struct Read: Sendable {
    var sample: WebSample
    /// The image's header; `nil` if the sample has no image.
    var probe: ImageProbe?
    var label: WebLabel
  }

  private let root: String
  private let files: [SourceFile]
  private let classes: [String]?
  private let total: Int
  private let split: String?
  private var labels: LabelReader
  private var introduced = 0
  private var splits: [String: String?] = [:]
  /// The numbers of members and of JSON fields that are not read, by suffix and name.
  private var unreadMembers: [String: Int] = [:]
  private var unreadFields: [String: Int] = [:]
  private var withoutLabel = 0
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
      if let sample = sample(read) { batch.samples.append(sample) } else { batch.rejected += 1 }
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
        "\(count) .\(suffix) \(count == 1 ? "member is" : "members are") not read"
          + (suffix == "txt" ? " (captions are not kept)" : ""))
    }
    for (name, count) in unreadFields.sorted(by: { $0.key < $1.key }).prefix(100) {
      note(
        .unsupportedField, .warning, root,
        "the JSON field '\(name)' of \(count) \(count == 1 ? "sample" : "samples") is not read")
    }
    if withoutLabel > 0, withoutLabel < outcome.accepted {
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
    return members.isEmpty
      ? [] : ["members that are not read: " + members.prefix(8).joined(separator: ", ")]
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
        "the sample has no PNG or JPEG member, or several; left out "
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
    switch labels.read(read.label.text ?? "") {
    case .category(let place): category = place
    case .missing: withoutLabel += 1
    case .unknown:
      note(
        .unknownLabel, .error, probe.path,
        "the label '\((read.label.text ?? "").prefix(60))' is not a class; left out")
      return nil
    }
    return ImportedSample(
      key: probe.path, location: probe.path, split: split(of: read.sample.shard) ?? split,
      size: size, category: category)
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
