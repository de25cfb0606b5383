import AssayCore

/// The stored state of one sample in the mirror.
struct MirroredSample: Sendable {
  /// One author's share.
  struct Author: Sendable {
    var corrections = 0
    var entries = 0
    var seconds = 0.0
  }

  /// A region of the corrected ground truth.
  struct Region: Sendable {
    var object: AnnotatedObject
    var ordinal: Int
    /// The row ids of its class and, if its geometry is the imported one, of that geometry.
    var category: Int64
    var geometry: Int64?
  }

  /// The counts of one class.
  struct ClassCount: Sendable {
    var count = 0
    var crowds = 0
    /// In pixels; `nil` if it is as imported or unknown.
    var unionArea: Int?
  }

  var sample: Int64
  var status: ReviewStatus
  var leftOut: String?
  var corrections: Int
  var entries: Int
  var conflicts: Int
  var seconds: Double
  var head: Int64?
  var authors: [String: Author] = [:]
  /// Sorted.
  var tags: [String] = []
  /// The custom fields that people set or removed (`null`), sorted by name.
  var fields: [JSONValue.Member] = []
  /// The notes that are not undone, by their entries.
  var notes: [(sequence: Int64, author: String, text: String)] = []
  /// True if the ground truth differs from the imported one; the fields below are set only then.
  var isChanged = false
  var label: Int64?
  /// The set of labels by their ordinals, which begin with 1.
  var labels: [(category: Int64, isNew: Bool)] = []
  var regions: [Region] = []
  /// By the class's row id.
  var classes: [Int64: ClassCount] = [:]
  /// The number of entries for a different image, those for another task, and the classes that the dataset does not
  /// have.
  var foreign = 0
  var otherTask = 0
  var isMultiLabel = false
  var unknownClasses: Set<String> = []
}

extension MirroredSample {
  /// - Parameters:
  ///   - categories: the row ids of the dataset's classes by name.
  init(
    _ imported: ImportedSampleTruth, _ truth: EffectiveTruth, categories: [String: Int64]
  ) {
    self.init(
      sample: imported.sample, status: truth.status, leftOut: truth.leftOut,
      corrections: truth.corrections, entries: truth.history.count,
      conflicts: truth.conflicts.count,
      seconds: truth.visits.reduce(0) { $0 + ($1.seconds ?? 0) }, head: truth.head)
    foreign = truth.skipped.imageChanged
    otherTask = truth.skipped.otherTask
    isMultiLabel = truth.labels != nil
    tags = truth.tags
    fields = truth.fields
    notes = truth.history.compactMap { item in
      guard item.isActive || item.isConflict, let text = item.remarks.note else { return nil }
      return (item.entry.sequence, item.remarks.author, text)
    }
    // Who only tagged the sample or set a field did not correct it.
    for item in truth.history
    where CorrectionKind(rawValue: item.entry.kind)?.isSampleEdit != true {
      authors[item.remarks.author, default: Author()].entries += 1
    }
    for visit in truth.visits where authors[visit.author] != nil {
      authors[visit.author, default: Author()].seconds += visit.seconds ?? 0
      if visit.isNetChange { authors[visit.author, default: Author()].corrections += 1 }
    }
    let source = imported.truth
    let (truth, unknown) = truth.keeping { categories[$0] != nil }
    unknownClasses = unknown
    isChanged =
      truth.label != source.label || truth.labels != source.labels
      || truth.objects.count != source.objects.count
      || truth.objects.contains { $0.isChanged }
    if !isChanged, leftOut == nil, !unknownClasses.isEmpty {
      // What was corrected is left out with its class.
      corrections = 0
      for author in authors.keys { authors[author]?.corrections = 0 }
    }
    guard isChanged else { return }
    label = truth.label.flatMap { categories[$0] }
    // In the order of the classes' row ids, whatever the order of the entries.
    for name in truth.labels ?? [] {
      guard let id = categories[name] else { continue }
      labels.append((id, source.labels?.contains(name) != true))
    }
    labels.sort { $0.category < $1.category }
    takeRegions(of: truth, imported, categories)
    count(imported, truthLabel: truth.label, size: truth.size ?? source.size)
    for (category, _) in labels { classes[category, default: ClassCount()].count += 1 }
  }

  private mutating func takeRegions(
    of truth: EffectiveTruth, _ imported: ImportedSampleTruth, _ categories: [String: Int64]
  ) {
    let places = Dictionary(
      zip(imported.truth.objects.map(\.target), imported.rows),
      uniquingKeysWith: { first, _ in first })
    // After the labels, which use ordinals of the same table.
    let first = labels.isEmpty ? 0 : labels.count + 1
    var next = max((imported.rows.map(\.ordinal).max() ?? -1) + 1, first)
    for object in truth.objects {
      guard let category = categories[object.category] else { continue }
      let row = places[object.target]
      regions.append(
        Region(
          object: object, ordinal: row?.ordinal ?? next, category: category,
          geometry: object.isChanged ? nil : row?.geometry))
      if row == nil { next += 1 }
    }
  }

  /// Counts the classes, and measures those whose regions differ from the imported ones.
  private mutating func count(
    _ imported: ImportedSampleTruth, truthLabel: String?, size: ImageSize?
  ) {
    // A tag of the image's class is that label with its fields.
    for region in regions where region.object.shape != .tag || region.category != label {
      if region.object.isCrowd {
        classes[region.category, default: ClassCount()].crowds += 1
      } else {
        classes[region.category, default: ClassCount()].count += 1
      }
    }
    guard let size else {
      if let label { classes[label, default: ClassCount()].count += 1 }
      return
    }
    // The regions of each class as imported and now; unchanged ones are measured with the import.
    let before = Dictionary(
      grouping: imported.truth.objects.filter { $0.shape != .tag }, by: \.category)
    let counted = regions.filter { $0.object.shape != .tag }
    for (category, now) in Dictionary(grouping: counted, by: \.category) {
      let old = before[now[0].object.category] ?? []
      guard old.count != now.count || now.contains(where: { $0.object.isChanged }) else { continue }
      let masks = now.compactMap { try? $0.object.mask(in: size) }
      classes[category]?.unionArea =
        masks.count == 1 ? masks[0].area : Mask.union(of: masks, size: size).area
    }
    if let label {
      // A label alone has no area, unless the import had regions of its class.
      if classes[label] == nil, let name = truthLabel, before[name] != nil {
        classes[label, default: ClassCount()].unionArea = 0
      }
      classes[label, default: ClassCount()].count += 1
    }
  }
}
