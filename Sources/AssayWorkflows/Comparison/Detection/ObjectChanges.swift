import AssayCore
package import AssayMetrics
import AssayStore

/// The objects that two detectors found and missed on the same samples, per object.
package struct ObjectChanges: Hashable, Sendable {
  /// The objects of one size.
  package struct Size: Hashable, Sendable {
    package var range: AreaRange
    package var totals: PairedTotals
  }

  package private(set) var all = PairedTotals()
  /// The totals by class of the pairing.
  package private(set) var classes: [PairedTotals]
  /// The p-value of ``PairedTotals/test`` per class, Holm-corrected over the classes; `nil` if no
  /// object was lost or won.
  package private(set) var classPValues: [Double?] = []
  /// The totals by area range, without the first range, which contains all objects; an object on
  /// the boundary of two ranges is in both.
  package private(set) var sizes: [Size]
  /// The objects that only the first detector found, and those that only the second found; highest
  /// score first.
  package private(set) var lost: [ObjectChange] = []
  package private(set) var won: [ObjectChange] = []
  /// The recalls of both detectors in each sample that has objects.
  package private(set) var samples: [Recalls] = []

  /// The shares of the objects of a sample that each detector found.
  package struct Recalls: Hashable, Sendable {
    package var first: Double
    package var second: Double
  }

  /// A ground-truth object to be found.
  struct Truth {
    var annotation: Int
    var sourceID: SourceID?
    var category: Int
    var box: Box
    var area: Double
  }

  init(classCount: Int, ranges: [AreaRange]) {
    classes = Array(repeating: PairedTotals(), count: classCount)
    sizes = ranges.dropFirst().map { Size(range: $0, totals: PairedTotals()) }
  }

  /// Counts one sample.
  ///
  /// - Parameters:
  ///   - truths: the objects that count: no crowds, evaluated classes only.
  ///   - first: the first detector's answers for the annotations, by ordinal; `second` likewise.
  mutating func add(
    sample: Int, _ truths: [Truth], first: [Int: ObjectAnswer], second: [Int: ObjectAnswer]
  ) {
    var here = PairedTotals()
    var byClass: [Int: PairedTotals] = [:]
    var bySize = sizes.map { _ in PairedTotals() }
    for truth in truths {
      let a = first[truth.annotation] ?? ObjectAnswer(.nothing)
      let b = second[truth.annotation] ?? ObjectAnswer(.nothing)
      here.count(first: a.isFound, second: b.isFound)
      byClass[truth.category, default: PairedTotals()].count(first: a.isFound, second: b.isFound)
      for place in sizes.indices where sizes[place].range.contains(truth.area) {
        bySize[place].count(first: a.isFound, second: b.isFound)
      }
      guard a.isFound != b.isFound else { continue }
      let change = ObjectChange(
        sample: sample, annotation: truth.annotation, sourceID: truth.sourceID,
        category: truth.category, box: truth.box, area: truth.area, first: a, second: b)
      if a.isFound { lost.append(change) } else { won.append(change) }
    }
    if here.objects > 0 {
      let count = Double(here.objects)
      samples.append(
        Recalls(
          first: Double(here.foundByBoth + here.lost) / count,
          second: Double(here.foundByBoth + here.won) / count))
    }
    all.add(sample: here)
    for (category, totals) in byClass { classes[category].add(sample: totals) }
    for place in sizes.indices { sizes[place].totals.add(sample: bySize[place]) }
  }

  /// Sorts the lost and won objects and tests the classes. Call once, after the last sample.
  mutating func finish() {
    lost.sort(by: Self.precedes)
    won.sort(by: Self.precedes)
    classPValues = HolmCorrection.of(
      classes.map { $0.test.discordant == 0 ? nil : $0.test.pValue })
  }

  private static func precedes(_ a: ObjectChange, _ b: ObjectChange) -> Bool {
    (-a.confidence, a.sample, a.annotation) < (-b.confidence, b.sample, b.annotation)
  }
}
