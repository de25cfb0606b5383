import AssayCore

/// Creates batches from the files of an image folder, in their order.
struct ImageFolderMerge {
  private let root: String
  private let layout: FolderLayout
  private let total: Int
  private let options: ImportOptions
  /// The given classes; `nil` if the folders are the classes.
  private var named: LabelReader?
  private var names: [String]
  private var numbers: [String: Int]
  private var places: FolderPlaces
  private var introduced = 0
  private var issues: [Issue] = []
  private var cap = IssueLimit()
  private(set) var outcome = ImportOutcome()

  /// The number of files per batch: a multiple of the rows that the catalog inserts at once.
  static let batchSize = 96

  /// - Parameter paths: the paths of the files that are likely to be images.
  init(root: String, layout: FolderLayout, paths: [String], total: Int, options: ImportOptions) {
    self.root = root
    self.layout = layout
    self.total = total
    self.options = options
    named = options.classes.map { LabelReader(.named($0)) }
    places = FolderPlaces(layout)
    let found = layout.classes(of: paths)
    names = options.classes ?? ClassOrder.sorted(found).map { found[$0] }
    numbers = Dictionary(zip(names, names.indices), uniquingKeysWith: { first, _ in first })
    for folder in layout.nested(paths) {
      let outer = layout.outer(ofNested: folder)
      note(
        .nestedFolder, .warning, folder,
        "a folder inside the folder of a class; its images get the class of \(outer)")
    }
    for spelling in ClassSpellings(paths, layout).repeated {
      note(.duplicateID, .warning, spelling.folder, spelling.message)
    }
    for split in layout.oddSplits {
      note(.unknownSplit, .warning, split, "unknown split '\(split)'; kept as it is")
    }
  }

  /// The batch for some probed files.
  mutating func add(_ probes: [ImageProbe]) -> ImportedBatch {
    var batch = ImportedBatch()
    for probe in probes {
      if let sample = sample(probe) { batch.samples.append(sample) } else { batch.rejected += 1 }
    }
    batch.read = probes.count
    outcome.read += batch.read
    outcome.rejected += batch.rejected
    outcome.accepted += batch.samples.count
    finish(&batch)
    return batch
  }

  /// The last batch: the number of issues that were not listed.
  mutating func finish() -> ImportedBatch {
    var batch = ImportedBatch()
    issues += cap.remainder(in: root)
    finish(&batch)
    outcome.ordinals = Array(repeating: 0, count: names.count)
    let order = options.classes == nil ? ClassOrder.sorted(names) : Array(names.indices)
    for (ordinal, place) in order.enumerated() { outcome.ordinals[place] = ordinal }
    return batch
  }

  private mutating func finish(_ batch: inout ImportedBatch) {
    batch.newCategories = names[introduced...].map { Category(name: $0) }
    introduced = names.count
    batch.issues = issues
    issues = []
    batch.progress = total == 0 ? 1 : Double(outcome.read) / Double(total)
  }

  private mutating func sample(_ probe: ImageProbe) -> ImportedSample? {
    let size: ImageSize
    switch probe.size {
    case .success(let found): size = found
    case .failure(let problem):
      note(problem.kind, .error, probe.path, problem.message)
      return nil
    }
    let (split, label) = places.place(of: probe.path)
    var category: Int?
    if let label {
      category = place(of: label)
      guard category != nil else {
        note(.unknownLabel, .error, probe.path, "the folder '\(label)' is not a class; left out")
        return nil
      }
    } else if layout.hasClasses {
      note(
        .missingLabel, .warning, probe.path, "not in a folder of a class; kept without a label",
        key: probe.path)
    }
    return ImportedSample(
      key: probe.path, location: probe.path, split: split ?? options.split, size: size,
      category: category, stamp: probe.stamp)
  }

  /// The class of a folder; `nil` if classes were given and this is not one of them.
  private mutating func place(of label: String) -> Int? {
    if named != nil {
      guard case .category(let place) = named?.read(label) else { return nil }
      return place
    }
    if let place = numbers[label] { return place }
    numbers[label] = names.count
    names.append(label)
    return names.count - 1
  }

  private mutating func note(
    _ kind: IssueKind, _ severity: Issue.Severity, _ file: String, _ message: String,
    key: String? = nil
  ) {
    guard cap.admits(kind) else { return }
    issues.append(
      Issue(kind, severity, at: IssueLocation(file: file), sampleKey: key, message))
  }
}
