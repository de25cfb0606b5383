import AssayCore
import AssayStore

/// The samples of a merge that are one sample of the result because their images are the same.
struct ImageUnion {
  /// For each sample that is kept, the samples of later datasets that are added to it.
  private(set) var samples: [Int64: [UnitedSample]] = [:]
  /// The number of images whose split differs.
  private var splits = 0
  /// The number of images whose sets of labels differ.
  private var sets = 0

  private static let chunk = 4096

  /// A union without samples.
  init() {}

  /// - Parameters:
  ///   - shared: the images that several sources have.
  ///   - classes: the merged classes.
  /// - Throws: ``MergeError/labels(count:example:)`` if an image has different labels; `StoreError`;
  ///   ``Interrupted``.
  init(
    _ shared: SharedImages, _ sources: [MergeSource], _ classes: [Category], in catalog: Catalog
  ) throws {
    for (number, source) in sources.enumerated() {
      for id in source.samples {
        guard let first = shared.firsts[id] else { continue }
        samples[first, default: []].append(UnitedSample(id: id, source: number))
      }
    }
    var conflicts = (count: 0, example: [String]())
    for (number, source) in sources.enumerated() {
      let firsts = source.samples.filter { samples[$0] != nil }
      for start in stride(from: 0, to: firsts.count, by: Self.chunk) {
        try Interruption.check("nothing was merged; run the same command to start again")
        let groups = firsts[start..<min(start + Self.chunk, firsts.count)].map { id in
          [UnitedSample(id: id, source: number)] + (samples[id] ?? [])
        }
        let records = Dictionary(
          try catalog.samples(ids: groups.joined().map(\.id)).map { ($0.id, $0) },
          uniquingKeysWith: { first, _ in first })
        for members in groups { compare(members, records, sources, classes, &conflicts) }
      }
    }
    guard conflicts.count == 0 else {
      throw MergeError.labels(count: conflicts.count, example: conflicts.example)
    }
  }

  /// Compares the splits and labels of the samples of one image.
  private mutating func compare(
    _ members: [UnitedSample], _ records: [Int64: SampleRecord], _ sources: [MergeSource],
    _ classes: [Category], _ conflicts: inout (count: Int, example: [String])
  ) {
    var known: (label: Int, title: String)?
    var other: String?
    var splits: Set<String?> = []
    var sets: Set<Set<Int>> = []
    for member in members {
      guard let record = records[member.id] else { continue }
      let source = sources[member.source]
      splits.insert(record.split)
      if source.dataset.isMultiLabel {
        sets.insert(Set(record.categories.compactMap { source.classes[$0] }))
      }
      guard let label = record.category.flatMap({ source.classes[$0] }) else { continue }
      let title = "\(source.dataset.name) \(record.key) (\(classes[label].name))"
      if let known, known.label != label, other == nil { other = title }
      known = known ?? (label, title)
    }
    if let known, let other {
      if conflicts.count == 0 { conflicts.example = [known.title, other] }
      conflicts.count += 1
    }
    if splits.count > 1 { self.splits += 1 }
    if sets.count > 1 { self.sets += 1 }
  }

  /// Notes on what was united, one sentence each, without a period.
  func notes(_ merged: MergedDataset) -> [String] {
    guard !samples.isEmpty else { return [] }
    var notes = [
      "\(Counted.text(samples.count, "image", "images")) united: "
        + "\(Counted.text(merged.united.added, "annotation", "annotations")) added, "
        + "\(Counted.text(merged.united.identical, "identical one", "identical ones")) kept once"
    ]
    if splits > 0 {
      notes.append(
        "\(Counted.text(splits, "of these images has", "of these images have")) different splits; that of "
          + "the first dataset is kept")
    }
    if sets > 0 {
      notes.append(
        "\(Counted.text(sets, "of these images has", "of these images have")) different sets of labels; "
          + "they are united")
    }
    return notes
  }
}
