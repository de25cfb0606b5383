import AssayCore
import AssayStore

/// The samples that a sample is drawn from, with their random order and classes.
///
/// Uses about 40 bytes of memory per sample.
struct SampleCandidates {
  /// The samples' ids, ascending.
  let ids: [Int64]
  /// The indices of ``ids`` in the order of SHA-256(seed as 8 bytes, little-endian; then the key): it
  /// depends on nothing else.
  private(set) var order: [Int32] = []
  /// The number of the dataset's classes.
  let classCount: Int
  /// The classes of sample `i`: `classes[starts[i]..<starts[i + 1]]`, ascending, each once.
  private var starts: [Int] = [0]
  private var classes: [Int32] = []

  private static let chunk = 4096

  /// Reads the samples of a selection: their labels, and for a dataset with regions also the classes of
  /// their annotations.
  ///
  /// - Throws: `StoreError`, ``Interrupted``.
  init(
    _ selection: Selection, seed: UInt64, in catalog: Catalog,
    reportingTo progress: any ProgressSink
  ) throws {
    ids = try catalog.sampleIDs(in: selection)
    classCount = try catalog.taxonomy(of: selection.dataset.id).categories.count
    let hasAnnotations = try catalog.contents(of: selection.dataset.id).annotations
    var digests: [(first: UInt64, second: UInt64)] = []
    digests.reserveCapacity(ids.count)
    starts.reserveCapacity(ids.count + 1)
    for start in stride(from: 0, to: ids.count, by: Self.chunk) {
      try Interruption.check("nothing was saved")
      let chunk = Array(ids[start..<min(start + Self.chunk, ids.count)])
      let counts = hasAnnotations ? try catalog.regionCounts(of: chunk) : []
      for (place, sample) in try catalog.samples(ids: chunk).enumerated() {
        var found = (sample.category.map { [$0] } ?? []) + sample.categories
        if hasAnnotations { found += counts[place].map(\.category) }
        if found.count > 1 { found = Set(found).sorted() }
        classes += found.map(Int32.init)
        starts.append(classes.count)
        digests.append(Self.digest(seed, sample.key))
      }
      progress.report(Double(start) / Double(ids.count), "reading \(selection.name)")
    }
    guard digests.count == ids.count else { throw StoreError.removedMeanwhile(.dataset) }
    order = (0..<Int32(ids.count)).sorted { a, b in
      digests[Int(a)] < digests[Int(b)]
    }
  }

  /// The first 16 bytes of the digest by which ``DatasetSplit`` orders samples.
  private static func digest(_ seed: UInt64, _ key: String) -> (UInt64, UInt64) {
    let bytes = SeededOrder.digest(of: key, seed: seed)
    func word(_ start: Int) -> UInt64 {
      bytes.dropFirst(start).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
    return (word(0), word(8))
  }

  /// The classes of the sample at an index, ascending.
  func classes(of index: Int) -> ArraySlice<Int32> { classes[starts[index]..<starts[index + 1]] }

  /// The number of samples of each class, and last of those without a class.
  func counts(of indices: some Sequence<Int>) -> [Int] {
    var counts = Array(repeating: 0, count: classCount + 1)
    for index in indices {
      let own = classes(of: index)
      for category in own { counts[Int(category)] += 1 }
      if own.isEmpty { counts[classCount] += 1 }
    }
    return counts
  }

  /// The stratum of each sample: the class that the fewest samples have among its classes, the first of
  /// equal ones; `classCount` without a class.
  func strata() -> [Int] {
    let counts = counts(of: ids.indices)
    return ids.indices.map { index in
      classes(of: index).map(Int.init).min { (counts[$0], $0) < (counts[$1], $1) } ?? classCount
    }
  }

  // MARK: Drawing

  /// The first samples of the random order.
  func draw(_ count: Int) -> [Int] { order.prefix(count).map(Int.init) }

  /// The first samples of each stratum, as many as its share of the total by the largest remainder.
  func drawStratified(_ count: Int) -> [Int] {
    let strata = strata()
    var sizes = Array(repeating: 0, count: classCount + 1)
    for stratum in strata { sizes[stratum] += 1 }
    var quotas = Apportionment.divide(count, by: sizes)
    return order.map(Int.init).filter { index in
      guard quotas[strata[index]] > 0 else { return false }
      quotas[strata[index]] -= 1
      return true
    }
  }

  /// At least a number of samples of each class that any sample has; exactly that many if every sample
  /// has one class. The classes take samples in turn, the rarest first, and count those that others
  /// took.
  ///
  /// - Throws: ``SampleError``.
  func draw(perClass wanted: Int, names: [String], view: String) throws(SampleError) -> [Int] {
    var counts = counts(of: ids.indices)
    counts.removeLast()
    let present = counts.indices.filter { counts[$0] > 0 }
      .sorted { (counts[$0], $0) < (counts[$1], $1) }
    guard !present.isEmpty else { throw .noClasses(view: view) }
    let rare = present.filter { counts[$0] < wanted }
    guard rare.isEmpty else {
      throw .rareClasses(
        rare.map { names[$0] }, counts: rare.map { counts[$0] }, wanted: wanted)
    }
    // The samples of each class in the random order.
    var ends = counts
    for place in ends.indices.dropFirst() { ends[place] += ends[place - 1] }
    var next = zip(ends, counts).map { $0 - $1 }
    var members = Array(repeating: Int32(0), count: ends.last ?? 0)
    var free = next
    for index in order {
      for category in classes(of: Int(index)) {
        members[free[Int(category)]] = index
        free[Int(category)] += 1
      }
    }
    var isTaken = Array(repeating: false, count: ids.count)
    var drawn: [Int] = []
    var got = Array(repeating: 0, count: classCount)
    for category in present {
      while got[category] < wanted, next[category] < ends[category] {
        let index = Int(members[next[category]])
        next[category] += 1
        guard !isTaken[index] else { continue }
        isTaken[index] = true
        drawn.append(index)
        for other in classes(of: index) { got[Int(other)] += 1 }
      }
    }
    return drawn
  }
}
