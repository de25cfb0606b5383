/// The facts about a metric, shared by text, JSON, gate, SQL, compare, report and documents.
package struct MetricFacts: Sendable {
  /// The direction in which values are better.
  package enum Direction: Sendable {
    case higherIsBetter
    case lowerIsBetter
    /// A count or a setting: no value is better than another.
    case neither
  }

  /// The number of values that an evaluation has for it.
  package enum Scope: Sendable {
    /// One value.
    case overall
    /// One value per class.
    case perClass
  }

  /// A part of the output that shows a selection of the metrics.
  package enum Place: Sendable {
    /// The main result at the top of a report.
    case headline
    /// A tile beside the main result in a report.
    case tile
    /// The list of scores of `assay evaluate`, `assay compare` and a report.
    case list
    /// A column of a report's table of classes.
    case classTable
  }

  /// A metric in one task.
  package struct Use: Sendable {
    package let task: ModelTask
    /// One or two sentences.
    package let definition: String
    /// The places where it is shown; for masks, with one evaluated class. `nil` if masks with one
    /// class do not have it.
    let shown: Set<Place>?
    /// The places where it is shown for masks with several evaluated classes; `nil` if those do not
    /// have it.
    let shownForSeveral: Set<Place>?
    /// The reason why it can be undefined, as a clause; `nil` if it always has a value.
    package let undefined: String?

    /// The places where it is shown; `nil` if an evaluation does not have it.
    ///
    /// - Parameter hasSeveral: whether several classes are evaluated; it matters only for masks.
    package func shown(hasSeveral: Bool) -> Set<Place>? {
      task.output == .masks && hasSeveral ? shownForSeveral : shown
    }
  }

  /// The name in tables and sentences.
  package let title: String
  package let scope: Scope
  package let direction: Direction
  /// The smallest and the largest possible value; the upper bound is infinite if there is no
  /// largest value.
  package let range: ClosedRange<Double>
  /// One entry per task that has it; the first one is its primary task.
  package let uses: [Use]
  /// For a mean over samples: the same score for the pooled pixels of all samples. `nil` for other
  /// metrics.
  package var pooled: MetricKind?
  /// An earlier spelling of the key, accepted for one version; `nil` if there is none.
  package var formerKey: String?

  package init(
    _ title: String, scope: Scope = .overall, direction: Direction = .higherIsBetter,
    range: ClosedRange<Double> = 0...1, pooled: MetricKind? = nil, formerKey: String? = nil,
    _ uses: Use...
  ) {
    self.title = title
    self.scope = scope
    self.direction = direction
    self.range = range
    self.uses = uses
    self.pooled = pooled
    self.formerKey = formerKey
  }

  /// The tasks that have it.
  package var tasks: [ModelTask] { uses.map(\.task) }

  /// Returns its meaning in a task; `nil` if the task does not have it.
  package func use(in task: ModelTask) -> Use? { uses.first { $0.task == task } }
}

extension MetricFacts.Use {
  /// A use in classification.
  static func classification(
    _ definition: String, shown: Set<MetricFacts.Place> = [],
    undefined: String? = "there are no samples"
  ) -> MetricFacts.Use {
    MetricFacts.Use(
      task: .classification, definition: definition, shown: shown, shownForSeveral: nil,
      undefined: undefined)
  }

  /// A use in segmentation; `nil` as the places means that masks with one or with several classes
  /// do not have it.
  static func masks(
    _ definition: String, one: Set<MetricFacts.Place>? = [],
    several: Set<MetricFacts.Place>? = [],
    undefined: String? = "neither ground truth nor prediction has a pixel of an evaluated class"
  ) -> MetricFacts.Use {
    MetricFacts.Use(
      task: .segmentation, definition: definition, shown: one, shownForSeveral: several,
      undefined: undefined)
  }

  /// A use in detection.
  static func detection(
    _ definition: String, shown: Set<MetricFacts.Place> = [],
    undefined: String? = "the ground truth has no object"
  ) -> MetricFacts.Use {
    MetricFacts.Use(
      task: .detection, definition: definition, shown: shown, shownForSeveral: nil,
      undefined: undefined)
  }
}

extension MetricFacts.Use {
  /// A use in multi-label classification.
  static func multiLabel(
    _ definition: String, shown: Set<MetricFacts.Place> = [],
    undefined: String? = "there are no samples"
  ) -> MetricFacts.Use {
    MetricFacts.Use(
      task: .multiLabel, definition: definition, shown: shown, shownForSeveral: nil,
      undefined: undefined)
  }
}

extension MetricKind {
  /// The facts about it.
  package var facts: MetricFacts { Self.table[self] ?? row }

  /// True if an evaluation has one value per class for it.
  package var isPerCategory: Bool { facts.scope == .perClass }

  /// True if a larger value is better; `nil` if no value is better than another.
  package var isBetterHigher: Bool? {
    switch facts.direction {
    case .higherIsBetter: true
    case .lowerIsBetter: false
    case .neither: nil
    }
  }

  /// Returns whether the second of two values is better than the first; `nil` if they are equal, or no value is
  /// better than another.
  package func isImproved(from first: Double, to second: Double) -> Bool? {
    guard first != second, let isBetterHigher else { return nil }
    return (second > first) == isBetterHigher
  }

  /// The metric with a key as typed by users: a raw value, or an earlier spelling of one.
  package init?(key: String) {
    guard let kind = Self.byKey[key] else { return nil }
    self = kind
  }

  /// The metrics of an evaluation of a task, in listing order: first those that belong to the task,
  /// as declared, then those that it shares with another task, per class first.
  package static func kinds(of task: ModelTask) -> [MetricKind] { byTask[task] ?? [] }

  /// The metrics that masks with one evaluated class, or with several, have.
  package static func maskKinds(hasSeveral: Bool) -> [MetricKind] {
    kinds(of: .segmentation).filter {
      $0.facts.use(in: .segmentation)?.shown(hasSeveral: hasSeveral) != nil
    }
  }

  /// The metrics of a task that a place shows, in the order of ``kinds(of:)``.
  ///
  /// - Parameter hasSeveral: whether several classes are evaluated; it matters only for masks.
  package static func shown(
    _ place: MetricFacts.Place, in task: ModelTask, hasSeveral: Bool = false
  ) -> [MetricKind] {
    kinds(of: task).filter {
      $0.facts.use(in: task)?.shown(hasSeveral: hasSeveral)?.contains(place) ?? false
    }
  }

  private static let table = Dictionary(uniqueKeysWithValues: allCases.map { ($0, $0.row) })

  private static let byTask: [ModelTask: [MetricKind]] = {
    var kinds: [ModelTask: [MetricKind]] = [:]
    for task in ModelTask.allCases {
      let own = allCases.filter { $0.facts.tasks.first == task }
      let shared = allCases.filter { $0.facts.tasks.dropFirst().contains(task) }
      kinds[task] =
        own + shared.filter { $0.isPerCategory } + shared.filter { !$0.isPerCategory }
    }
    return kinds
  }()

  private static let byKey: [String: MetricKind] = {
    var kinds: [String: MetricKind] = [:]
    for kind in allCases {
      kinds[kind.rawValue] = kind
      if let former = kind.facts.formerKey { kinds[former] = kind }
    }
    return kinds
  }()
}
