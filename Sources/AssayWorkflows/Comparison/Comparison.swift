package import AssayCore
package import AssayMetrics
package import AssayReports
package import AssayStore

/// The comparison of two runs over one dataset. Text, JSON and images are all made from this value,
/// for every task.
package struct Comparison: Sendable {
  /// `r1`, or `r1@strict`.
  package var first: String
  package var second: String
  /// The common samples, in the order of the first run.
  package var samples: [SampleRecord]
  package var dataset: DatasetRecord
  /// The task-specific part of the comparison.
  package var details: ComparisonDetails
  /// The names of the compared classes, in the order of all per-class differences.
  package var classes: [String]
  /// Every difference, second − first, under its key.
  package var differences: Differences
  /// Notes on the differences for the reader, one sentence each.
  package var notes: [String]
}

/// The task-specific part of a comparison.
package enum ComparisonDetails: Sendable {
  case classification(ClassificationPairing)
  case segmentation(SegmentationPairing)
  case detection(DetectionPairing)
  case multiLabel(MultiLabelPairing)

  /// The details of the comparison's task.
  package var own: any TaskPairing {
    switch self {
    case .classification(let pairing): pairing
    case .segmentation(let pairing): pairing
    case .detection(let pairing): pairing
    case .multiLabel(let pairing): pairing
    }
  }
}

/// Two runs of a task on their common samples.
package protocol TaskPairing: Sendable {
  /// The pairing wrapped as ``ComparisonDetails``.
  var wrapped: ComparisonDetails { get }

  /// The names of the compared classes.
  var classes: [String] { get }

  /// Every difference under its key.
  var differences: Differences { get }

  /// The members of `assay compare --json` before `classes` and after `differences`.
  var leadingMembers: [JSONValue.Member] { get }
  var members: [JSONValue.Member] { get }

  /// The names of the lists of regressions and improvements in JSON.
  var listNames: (lost: String, won: String) { get }

  /// The regressions and improvements in JSON.
  var lostJSON: [JSONValue] { get }
  var wonJSON: [JSONValue] { get }

  /// A difference that has an interval although some classes are rare, for a task whose main metric then has
  /// none; `nil` for others.
  ///
  /// - Throws: `MetricError`.
  func pooledDifference(_ scoring: ScoringSettings) throws -> Difference?

  /// The numbers of regressions and improvements.
  var changes: (lost: Int, won: Int) { get }

  /// The indices of the common samples with a regression, or with an improvement.
  func changed(lost: Bool) -> [Int]

  /// The expressions that select such samples; see ``InspectedTask/changes(from:to:)``.
  ///
  /// - Parameters:
  ///   - first: the first run, as in an expression: `run(r1)`; `second` likewise.
  func changes(from first: String, to second: String) -> (worse: String, better: String)

  /// The score of each sample in both runs; `nil` if the samples have none.
  var sampleScores: ComparisonReport.Scores? { get }

  /// The titles of the sheets of regressions and improvements.
  ///
  /// - Parameters:
  ///   - first: the name of the first run; `second` likewise.
  func titles(first: String, second: String) -> (lost: String, won: String)

  /// The legend of a sheet; empty if images are shown without an overlay.
  ///
  /// - Parameters:
  ///   - first: the name of the first run; `second` likewise.
  func legend(first: String, second: String) -> [(side: BoxOverlay.Side, name: String)]

  /// The images of regressions or of improvements. Images that cannot be read are left out.
  ///
  /// - Throws: `ReportError`, `StoreError`, ``Interrupted``, ``RunMasksError``, ``EvaluationError``.
  func tiles(
    lost: Bool, of samples: [SampleRecord], _ dataset: DatasetRecord, in catalog: Catalog
  ) throws -> [ContactSheet.Tile]
}

extension TaskPairing {
  package func pooledDifference(_ scoring: ScoringSettings) throws -> Difference? { nil }

  package var listNames: (lost: String, won: String) { ("regressions", "improvements") }

  package func legend(first: String, second: String) -> [(side: BoxOverlay.Side, name: String)] {
    []
  }
}

/// The differences between two runs by key: scores with one number per run, and scores with one per
/// class.
package struct Differences: Sendable {
  package let kinds: [MetricKind]
  package let classKinds: [MetricKind]
  private var numbers: [MetricKind: Difference] = [:]
  private var classNumbers: [MetricKind: [Difference]] = [:]
  /// True if the per-class differences in JSON are keyed by class name, as in COCO's tools.
  private let isNamed: Bool
  /// The class names used in the reasons for missing intervals.
  private let names: [String]

  /// - Parameters:
  ///   - kinds: the keys with one number per run.
  ///   - classKinds: the keys with one number per class.
  ///   - perClass: the differences per class, in the order of the compared classes.
  init(
    _ kinds: [MetricKind], _ classKinds: [MetricKind], names: [String], isNamed: Bool = false,
    overall: (MetricKind) -> Difference?, perClass: (MetricKind) -> [Difference]
  ) {
    self.kinds = kinds
    self.classKinds = classKinds
    self.names = names
    self.isNamed = isNamed
    for kind in kinds { numbers[kind] = overall(kind) }
    for kind in classKinds { classNumbers[kind] = perClass(kind) }
  }

  /// The difference for a key with one number per run; `nil` if the key is not compared.
  package subscript(kind: MetricKind) -> Difference? { numbers[kind] }

  /// The differences for a key with one number per class; empty for other keys.
  package func perClass(_ kind: MetricKind) -> [Difference] { classNumbers[kind] ?? [] }

  /// The value of `differences` in `assay compare --json`.
  ///
  /// - Parameter classes: the names of the compared classes.
  func json(classes: [String]) -> JSONValue {
    .object(
      kinds.map { .init($0.rawValue, self[$0]?.json(classes: names) ?? .null) }
        + classKinds.map { kind in
          let values = perClass(kind).map { $0.json(classes: names) }
          return .init(
            kind.rawValue,
            isNamed
              ? .object(zip(classes, values).map { .init($0, $1) }) : .array(values))
        })
  }
}

extension Comparison {
  /// The comparison as `assay compare --json` prints it: `a`, `b` and `difference` (b − a) under the keys of
  /// `MetricKind`.
  package var json: JSONValue {
    let own = details.own
    return .object(
      [.init("a", .string(first)), .init("b", .string(second))] + own.leadingMembers
        + [
          .init("classes", .array(classes.map { .string($0) })),
          .init("differences", differences.json(classes: classes)),
        ] + own.members + [
          .init(own.listNames.lost, .array(own.lostJSON)),
          .init(own.listNames.won, .array(own.wonJSON)),
          .init("notes", .array(notes.map { .string($0) })),
        ])
  }
}
