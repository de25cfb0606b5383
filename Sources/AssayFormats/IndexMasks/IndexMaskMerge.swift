import AssayCore

/// Creates batches from the pairs of a set, in their order.
///
/// Masks of 0 and void, or of 0 and 1, can have one class or be the first masks of an index. Only
/// later values tell, so their regions are buffered until then.
struct IndexMaskMerge {
  private let plan: IndexMaskPlan
  private let split: String?
  private var introduced: [Category] = []
  /// The lowest value of each introduced class, for the final order.
  private var values: [UInt16] = []
  private var places: [String: Int] = [:]
  /// The values seen so far, and the first mask of each; their meaning is open while ``isDecided`` is
  /// false.
  private var seen: [UInt16: String] = [:]
  private var isDecided: Bool
  /// The first mask with a pixel that is no region: background.
  private var background: String?
  private var kept: [(sample: Int, region: MaskReading.Region, ordinal: Int)] = []
  /// The colors of the values in the masks with palettes, and the first of these masks.
  private var palette: (colors: MaskPalette, file: String)?
  private var evidence = VoidEvidence()
  private var cap = IssueLimit()
  private(set) var outcome = ImportOutcome()

  /// The number of pairs per batch.
  static let batchSize = 16

  init(_ plan: IndexMaskPlan, split: String?) {
    self.plan = plan
    self.split = split
    isDecided =
      !plan.classes.isOpen && plan.classes.only == nil || !plan.classes.hasBackground
      || plan.classes.isVoidNamed
  }

  /// The first batch: the named classes, and the issues of the plan.
  mutating func start() -> ImportedBatch {
    var batch = ImportedBatch()
    for (value, category) in plan.classes.categories.sorted(by: { $0.key < $1.key }) {
      _ = place(of: category, value: value, in: &batch)
    }
    batch.issues = plan.issues.filter { cap.admits($0.kind) }
    batch.read = plan.rejected
    batch.rejected = plan.rejected
    outcome.read = batch.read
    outcome.rejected = batch.rejected
    return batch
  }

  /// The batch for some pairs that have been read.
  ///
  /// - Throws: ``FormatError/ambiguousMask(_:problem:)``.
  mutating func add(_ readings: [MaskReading]) throws(FormatError) -> ImportedBatch {
    var batch = ImportedBatch()
    for reading in readings {
      if let refusal = reading.refusal {
        throw .ambiguousMask(reading.pair.mask.path, problem: refusal)
      }
      if let problem = reading.problem {
        batch.rejected += 1
        note(problem, .error, in: &batch)
        continue
      }
      try compare(reading)
      evidence.add(reading)
      if background == nil, let size = reading.size,
        reading.regions.reduce(0, { $0 + $1.area }) < size.width * size.height
      {
        background = reading.pair.mask.path
      }
      let path = reading.pair.image.path
      if let warning = reading.warning { note(warning, .warning, key: path, in: &batch) }
      let sample = outcome.accepted + batch.samples.count
      batch.samples.append(
        ImportedSample(
          key: path, location: path, split: reading.pair.split ?? split, size: reading.size))
      for (ordinal, region) in reading.regions.enumerated() {
        if seen[region.value] == nil { seen[region.value] = reading.pair.mask.path }
        kept.append((sample, region, ordinal))
      }
      // One mask with both tells 1 from void.
      isDecided =
        isDecided || Set(reading.regions.map(\.value)).isSuperset(of: [1, IndexClasses.void])
    }
    isDecided = isDecided || seen.keys.contains { (2..<IndexClasses.void).contains($0) }
    if isDecided { release(into: &batch, binary: nil) }
    batch.read = readings.count
    outcome.read += batch.read
    outcome.rejected += batch.rejected
    outcome.accepted += batch.samples.count
    batch.progress = Double(outcome.read - plan.rejected) / Double(max(1, plan.pairs.count))
    return batch
  }

  /// - Throws: ``FormatError/ambiguousMask(_:problem:)`` if another mask shows a value in another color.
  private mutating func compare(_ reading: MaskReading) throws(FormatError) {
    guard plan.classes.isOpen, let found = reading.palette else { return }
    let file = reading.pair.mask.path
    guard var known = palette else {
      palette = (found, file)
      return
    }
    if let value = found.conflict(known.colors), let color = found.colors[value] {
      throw .ambiguousMask(
        file,
        problem:
          "its palette shows the value \(value) as \(MaskPalette.text(color)), other masks (\(known.file)) show it "
          + "as \(MaskPalette.text(known.colors.colors[value] ?? 0)), so the values are not classes; save the masks "
          + "as RGB with a label_colors.txt (R G B name), or name the classes of the values in a classes.txt"
      )
    }
    known.colors.add(found)
    palette = known
  }

  /// The last batch: regions buffered until the end have one class.
  ///
  /// - Throws: ``FormatError/ambiguousMask(_:problem:)`` if some masks have 0 and 1 and others 0 and void, or 255
  ///   looks like the class.
  mutating func finish() throws(FormatError) -> ImportedBatch {
    var batch = ImportedBatch()
    if plan.classes.isOpen, let problem = evidence.problem {
      throw .ambiguousMask(problem.file, problem: problem.text)
    }
    if let assumption = plan.assumption, let first = seen.values.min(),
      seen.keys.allSatisfy({ $0 < 2 || $0 == IndexClasses.void })
    {
      throw .ambiguousMask(first, problem: assumption.refusalOfBinary)
    }
    if let count = plan.assumedFromOne, let background,
      Set(seen.keys.filter { $0 < IndexClasses.void }) == Set(1..<UInt16(clamping: count))
    {
      throw .ambiguousMask(
        background,
        problem:
          "the masks have the values 0 to \(count - 1), and the list of classes \(count) names without numbers: "
          + "0 can be the first of them, or background; write the value before each name (“0 NAME” or “1 NAME” on the "
          + "first line)")
    }
    if !isDecided, let one = seen[1], let void = seen[IndexClasses.void] {
      throw .ambiguousMask(
        void,
        problem:
          "it has only 0 and 255, and \(one) only 0 and 1: 255 can be the class or void; save all masks "
          + "with the same values, or name 255 in a classes.txt (1 NAME, 255 void)"
      )
    }
    release(into: &batch, binary: plan.classes.only ?? Category(name: "foreground"))
    batch.issues += cap.remainder(in: plan.name)
    batch.progress = 1
    outcome.ordinals = Array(repeating: 0, count: values.count)
    for (ordinal, place) in values.indices.sorted(by: { values[$0] < values[$1] }).enumerated() {
      outcome.ordinals[place] = ordinal
    }
    return batch
  }

  /// Delivers the buffered regions.
  ///
  /// - Parameter binary: the class of all of them; `nil` if each has the class of its value.
  private mutating func release(into batch: inout ImportedBatch, binary: Category?) {
    for (sample, region, ordinal) in kept {
      let category = binary ?? plan.classes.category(of: region.value, isWide: region.isWide)
      let start = batch.geometry.count
      batch.geometry += region.geometry
      batch.annotations.append(
        ImportedAnnotation(
          sample: sample, category: place(of: category, value: region.value, in: &batch),
          ordinal: ordinal, shape: .mask, area: Double(region.area), box: region.box,
          geometry: start..<batch.geometry.count))
    }
    kept.removeAll(keepingCapacity: true)
  }

  private mutating func place(
    of category: Category, value: UInt16, in batch: inout ImportedBatch
  ) -> Int {
    if let place = places[category.name] { return place }
    places[category.name] = introduced.count
    introduced.append(category)
    values.append(value)
    batch.newCategories.append(category)
    return introduced.count - 1
  }

  private mutating func note(
    _ problem: MaskProblem, _ severity: Issue.Severity, key: String? = nil,
    in batch: inout ImportedBatch
  ) {
    guard cap.admits(problem.kind) else { return }
    batch.issues.append(
      Issue(
        problem.kind, severity, at: IssueLocation(file: problem.file), sampleKey: key,
        problem.message))
  }
}
