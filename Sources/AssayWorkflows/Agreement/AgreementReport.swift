package import AssayCore
package import AssayMetrics

/// The agreement of several people about the same samples.
package struct AgreementReport: Sendable {
  /// The scores of one pair of people, or of one class.
  package struct Row: Sendable {
    /// The pair's people, or the class's name alone.
    package var names: [String]
    /// The number of samples that both finished; of a class those with it in any version.
    package var samples: Int
    package var scores: [Key: Score]
  }

  /// A score of the report. The raw value is the name in JSON.
  package enum Key: String, CaseIterable, Sendable {
    case observed
    case kappa
    case fleiss
    case alpha
    case meanIoU = "mean_iou"
    case f1
    case matchedIoU = "matched_iou"
  }

  /// One sample and how far the versions of it agree, in 0...1.
  package struct SampleRow: Sendable, Hashable {
    package var key: String
    package var agreement: Double
    /// Each person's version in a few words, by name.
    package var versions: [String: String]
  }

  package var kind: AgreementSource.Kind
  package var dataset: String
  package var people: [String]
  /// The number of samples that at least two people finished.
  package var samples: Int
  /// The number of shared samples that fewer than two people have finished.
  package var waiting: Int
  /// The number of samples that somebody excluded; no regions are compared there.
  package var excluded = 0
  /// The number of samples in which nobody drew anything; IoU and F1 are undefined there.
  package var empty = 0
  /// The scores of all people together.
  package var scores: [Key: Score] = [:]
  /// Each pair of people; empty for two people.
  package var pairs: [Row] = []
  package var classes: [Row] = []
  /// All samples, lowest agreement first, then in the order of the review.
  package var ranked: [SampleRow] = []

  /// - Throws: ``Interrupted``.
  package init(_ source: AgreementSource) throws {
    kind = source.kind
    dataset = source.dataset
    people = source.people
    samples = source.samples.count
    waiting = source.waiting
    switch source.kind {
    case .labels: try measureLabels(source)
    case .labelSets: try measureSets(source)
    case .regions: try measureRegions(source)
    }
  }

  /// The score that says most: kappa or alpha, or the mean IoU, or F1 of boxes.
  package static func headline(_ scores: [Key: Score]) -> (key: Key, score: Score)? {
    for key in [Key.alpha, .kappa, .meanIoU, .f1] {
      if let score = scores[key] { return (key, score) }
    }
    return nil
  }

  /// The mean headline of a person's pairs; `nil` if there is none.
  package func headline(of person: String) -> (key: Key, value: Double)? {
    let rows = people.count == 2 ? [Row(names: people, samples: samples, scores: scores)] : pairs
    let found = rows.filter { $0.names.contains(person) }
      .compactMap { Self.headline($0.scores) }.compactMap { found in
        found.score.value.map { (found.key, $0) }
      }
    guard let key = found.first?.0 else { return nil }
    return (key, found.reduce(0) { $0 + $1.1 } / Double(found.count))
  }

  /// The pairs of people, as indices.
  private var indexPairs: [(Int, Int)] {
    people.indices.flatMap { first in (first + 1..<people.count).map { (first, $0) } }
  }

  // MARK: Labels

  /// The agreement of ratings, with kappa for two people, and alpha and Fleiss' kappa for more.
  private func scores(_ ratings: [[Int?]], classCount: Int) -> [Key: Score] {
    let agreement = NominalAgreement(
      ratings: ratings, people: people.count, classCount: classCount)
    var scores: [Key: Score] = [.observed: agreement.observed]
    if people.count == 2 {
      scores[.kappa] = agreement.kappa(0, 1)
    } else {
      scores[.alpha] = agreement.alpha
      scores[.fleiss] = agreement.fleiss
    }
    return scores
  }

  private func pairRows(_ scores: (Int, Int) -> (samples: Int, scores: [Key: Score])) -> [Row] {
    guard people.count > 2 else { return [] }
    return indexPairs.map { first, second in
      let (samples, scores) = scores(first, second)
      return Row(names: [people[first], people[second]], samples: samples, scores: scores)
    }
  }

  private mutating func measureLabels(_ source: AgreementSource) throws {
    let classes = source.classes + ["no label", "excluded"]
    var places: [String: Int] = [:]
    for (place, name) in source.classes.enumerated() where places[name] == nil {
      places[name] = place
    }
    let ratings = source.samples.map { sample in
      people.map { person -> Int? in
        guard let content = sample.versions[person]?.content else { return nil }
        if content.leftOut != nil { return classes.count - 1 }
        return content.label.flatMap { places[$0] } ?? classes.count - 2
      }
    }
    scores = scores(ratings, classCount: classes.count)
    let agreement = NominalAgreement(
      ratings: ratings, people: people.count, classCount: classes.count)
    pairs = pairRows { first, second in
      let both = ratings.filter { $0[first] != nil && $0[second] != nil }
      let two = NominalAgreement(
        ratings: both.map { [$0[first], $0[second]] }, people: 2, classCount: classes.count)
      return (
        both.count, [.observed: two.observed, .kappa: agreement.kappa(first, second)]
      )
    }
    self.classes = classes.indices.compactMap { place in
      let given = ratings.count { $0.contains(place) }
      guard given > 0 else { return nil }
      return Row(
        names: [classes[place]], samples: given,
        scores: scores(ratings.map { $0.map { $0.map { $0 == place ? 1 : 0 } } }, classCount: 2))
    }
    rank(source) { first, second in
      first.content.leftOut != nil || second.content.leftOut != nil
        ? ((first.content.leftOut == nil) == (second.content.leftOut == nil) ? 1 : 0)
        : first.content.label == second.content.label ? 1 : 0
    }
  }

  private mutating func measureSets(_ source: AgreementSource) throws {
    excluded = source.samples.count { $0.versions.values.contains { $0.content.leftOut != nil } }
    let counted = source.samples.filter {
      $0.versions.values.allSatisfy { $0.content.leftOut == nil }
    }
    func ratings(_ name: String) -> [[Int?]] {
      counted.map { sample in
        people.map { sample.versions[$0].map { ($0.content.labels ?? []).contains(name) ? 1 : 0 } }
      }
    }
    let used = source.classes.filter { name in
      counted.contains { $0.versions.values.contains { $0.content.labels?.contains(name) == true } }
    }
    classes = used.map { name in
      let ratings = ratings(name)
      return Row(
        names: [name], samples: ratings.count { $0.contains(1) },
        scores: scores(ratings, classCount: 2))
    }
    let key: Key = people.count == 2 ? .kappa : .alpha
    scores = [.observed: Self.mean(.observed, of: classes), key: Self.mean(key, of: classes)]
    pairs = pairRows { first, second in
      let both = counted.filter {
        $0.versions[people[first]] != nil && $0.versions[people[second]] != nil
      }
      let rows = used.map { name in
        let agreement = NominalAgreement(
          ratings: both.map { sample in
            [first, second].map { place in
              sample.versions[people[place]].map {
                $0.content.labels?.contains(name) == true ? 1 : 0
              }
            }
          }, people: 2, classCount: 2)
        return Row(
          names: [name], samples: both.count,
          scores: [.observed: agreement.observed, .kappa: agreement.kappa(0, 1)])
      }
      return (
        both.count,
        [.observed: Self.mean(.observed, of: rows), .kappa: Self.mean(.kappa, of: rows)]
      )
    }
    rank(source) { first, second in
      guard first.content.leftOut == nil, second.content.leftOut == nil else {
        return first.content.leftOut != nil && second.content.leftOut != nil ? 1 : 0
      }
      let (one, other) = (first.content.labels ?? [], second.content.labels ?? [])
      let union = one.union(other).count
      return union == 0 ? 1 : Double(one.intersection(other).count) / Double(union)
    }
  }

  /// The mean over the classes where a score is defined, without an interval.
  private static func mean(_ key: Key, of rows: [Row]) -> Score {
    let values = rows.compactMap { $0.scores[key]?.value }
    guard !values.isEmpty else { return Score(nil, defined: 0, total: rows.count) }
    return Score(
      values.reduce(0, +) / Double(values.count), defined: values.count, total: rows.count)
  }

  // MARK: Regions

  /// The numbers of one sample for one pair, or all pairs.
  private struct RegionNumbers {
    var objects = ObjectAgreement.Sample()
    var ofClass: [String: ObjectAgreement.Sample] = [:]
    /// The IoU of each class that one of both drew, for each pair.
    var overlaps: [(name: String, iou: Double)] = []

    var meanIoU: Double? {
      overlaps.isEmpty ? nil : overlaps.reduce(0) { $0 + $1.iou } / Double(overlaps.count)
    }

    mutating func merge(_ other: RegionNumbers) {
      objects.merge(other.objects)
      for (name, sample) in other.ofClass {
        ofClass[name, default: ObjectAgreement.Sample()].merge(sample)
      }
      overlaps += other.overlaps
    }
  }

  private static func numbers(
    _ first: ComparedVersion, _ second: ComparedVersion, hasRegions: Bool
  ) -> RegionNumbers {
    var numbers = RegionNumbers()
    let (one, other) = (first.objects, second.objects)
    let matches = ObjectAgreement.matches(first.overlaps(with: second))
    numbers.objects.add(matches: matches, objects: one.count + other.count)
    for name in Set((one + other).map(\.category)) {
      var sample = ObjectAgreement.Sample()
      sample.add(
        matches: matches.filter { one[$0.first].category == name },
        objects: (one + other).count { $0.category == name })
      numbers.ofClass[name] = sample
    }
    guard hasRegions, let size = first.content.size ?? second.content.size else { return numbers }
    let (regions, others) = (first.regions(in: size), second.regions(in: size))
    for name in Set(regions.keys).union(others.keys).sorted() {
      let none = Mask(emptyOf: size)
      if let iou = (regions[name] ?? none).iou(with: others[name] ?? none) {
        numbers.overlaps.append((name, iou))
      }
    }
    return numbers
  }

  private mutating func measureRegions(_ source: AgreementSource) throws {
    let hasRegions = source.samples.contains { $0.versions.values.contains(where: \.hasRegions) }
    excluded = source.samples.count { $0.versions.values.contains { $0.content.leftOut != nil } }
    var all: [RegionNumbers] = []
    var ofPair: [[RegionNumbers]] = indexPairs.map { _ in [] }
    for sample in source.samples {
      try Interruption.check("nothing was changed")
      let isExcluded = sample.versions.values.contains { $0.content.leftOut != nil }
      var whole = RegionNumbers()
      for (place, pair) in indexPairs.enumerated() where !isExcluded {
        guard let first = sample.versions[people[pair.0]],
          let second = sample.versions[people[pair.1]]
        else { continue }
        let numbers = Self.numbers(first, second, hasRegions: hasRegions)
        whole.merge(numbers)
        ofPair[place].append(numbers)
      }
      if !isExcluded {
        all.append(whole)
        if whole.objects.objects == 0 { empty += 1 }
      }
      let leftOut = sample.versions.values.count { $0.content.leftOut != nil }
      let agreement =
        isExcluded
        ? (leftOut == sample.versions.count ? 1 : 0)
        : (hasRegions ? whole.meanIoU : nil) ?? whole.objects.f1 ?? 1
      ranked.append(Self.row(sample, agreement))
    }
    ranked = Self.sorted(ranked)
    scores = Self.scores(all, hasRegions: hasRegions)
    pairs = pairRows { first, second in
      guard let place = indexPairs.firstIndex(where: { $0 == (first, second) }) else {
        return (0, [:])
      }
      return (ofPair[place].count, Self.scores(ofPair[place], hasRegions: hasRegions))
    }
    classes = source.classes.compactMap { name in
      let parts = all.compactMap { numbers -> RegionNumbers? in
        guard let objects = numbers.ofClass[name] else { return nil }
        return RegionNumbers(
          objects: objects, overlaps: numbers.overlaps.filter { $0.name == name })
      }
      guard !parts.isEmpty else { return nil }
      return Row(
        names: [name], samples: parts.count, scores: Self.scores(parts, hasRegions: hasRegions))
    }
  }

  private static func scores(_ numbers: [RegionNumbers], hasRegions: Bool) -> [Key: Score] {
    var scores: [Key: Score] = [
      .f1: ObjectAgreement.f1(numbers.map(\.objects).filter { $0.objects > 0 }),
      .matchedIoU: Score(ObjectAgreement.matchedIoU(numbers.map(\.objects))),
    ]
    if hasRegions { scores[.meanIoU] = ObjectAgreement.mean(numbers.compactMap(\.meanIoU)) }
    return scores
  }

  // MARK: Samples

  /// Ranks the samples by the mean of a score over the pairs of versions.
  private mutating func rank(
    _ source: AgreementSource, _ score: (ComparedVersion, ComparedVersion) -> Double
  ) {
    ranked = Self.sorted(
      source.samples.map { sample in
        let versions = sample.versions.sorted { $0.key < $1.key }.map(\.value)
        var (sum, count) = (0.0, 0)
        for first in versions.indices {
          for second in versions.indices where second > first {
            sum += score(versions[first], versions[second])
            count += 1
          }
        }
        return Self.row(sample, count > 0 ? sum / Double(count) : 1)
      })
  }

  private static func row(_ sample: AgreementSource.Sample, _ agreement: Double) -> SampleRow {
    SampleRow(
      key: sample.key, agreement: agreement, versions: sample.versions.mapValues(\.words))
  }

  private static func sorted(_ rows: [SampleRow]) -> [SampleRow] {
    rows.enumerated().sorted {
      ($0.element.agreement, $0.offset) < ($1.element.agreement, $1.offset)
    }.map(\.element)
  }
}
