package import AssayCore
package import AssayMetrics
package import AssayReports
package import AssayStore

/// The comparison of two runs over one dataset. Text, JSON and pictures read this one value, whatever the task.
package struct Comparison: Sendable {
  /// `r1`, or `r1@strict`.
  package var first: String
  package var second: String
  /// The samples that both have, in the order of the first run.
  package var samples: [SampleRecord]
  package var dataset: DatasetRecord
  /// The part that only comparisons of the task have.
  package var details: ComparisonDetails
  /// The names of the classes that are compared, in the order of all differences by class.
  package var classes: [String]
  /// Every difference, second − first, under its key.
  package var differences: Differences
  /// The remarks for a reader of the differences, one sentence each.
  package var notes: [String]
}

/// The part that only comparisons of one task have.
package enum ComparisonDetails: Sendable {
  case classification(ClassificationPairing)
  case segmentation(SegmentationPairing)
  case detection(DetectionPairing)
  case multiLabel(MultiLabelPairing)

  /// The details of whichever task it is.
  package var own: any TaskPairing {
    switch self {
    case .classification(let pairing): pairing
    case .segmentation(let pairing): pairing
    case .detection(let pairing): pairing
    case .multiLabel(let pairing): pairing
    }
  }
}

/// Two runs of a task on the samples that both have.
package protocol TaskPairing: Sendable {
  /// As one of all tasks' details.
  var wrapped: ComparisonDetails { get }

  /// The names of the classes that are compared.
  var classes: [String] { get }

  /// Every difference under its key.
  var differences: Differences { get }

  /// The members of `assay compare --json` before `classes`, and those behind `differences`.
  var leadingMembers: [JSONValue.Member] { get }
  var members: [JSONValue.Member] { get }

  /// The names of the lists of regressions and improvements in JSON.
  var listNames: (lost: String, won: String) { get }

  /// The regressions and improvements in JSON.
  var lostJSON: [JSONValue] { get }
  var wonJSON: [JSONValue] { get }

  /// The numbers of regressions and improvements.
  var changes: (lost: Int, won: Int) { get }

  /// The titles of the sheets of regressions and improvements.
  ///
  /// - Parameters:
  ///   - first: the name of the first run; `second` likewise.
  func titles(first: String, second: String) -> (lost: String, won: String)

  /// The legend of a sheet; empty where a picture is shown as it is.
  ///
  /// - Parameters:
  ///   - first: the name of the first run; `second` likewise.
  func legend(first: String, second: String) -> [(side: BoxOverlay.Side, name: String)]

  /// The pictures of regressions, or of improvements. Those that cannot be read are left out.
  ///
  /// - Throws: `ReportError`, `StoreError`, ``Interrupted``, ``RunMasksError``, ``EvaluationError``.
  func tiles(
    lost: Bool, of samples: [SampleRecord], _ dataset: DatasetRecord, in catalog: Catalog
  ) throws -> [ContactSheet.Tile]
}

extension TaskPairing {
  package var listNames: (lost: String, won: String) { ("regressions", "improvements") }

  package func legend(first: String, second: String) -> [(side: BoxOverlay.Side, name: String)] {
    []
  }
}

/// The differences of two runs by their keys: those with one number a run, and those with one a class.
package struct Differences: Sendable {
  package let kinds: [MetricKind]
  package let classKinds: [MetricKind]
  private var numbers: [MetricKind: Difference] = [:]
  private var classNumbers: [MetricKind: [Difference]] = [:]
  /// True if JSON has those by class under the classes' names, as COCO's tools have them.
  private let isNamed: Bool
  /// The names of the classes that reasons for missing intervals speak of.
  private let names: [String]

  /// - Parameters:
  ///   - kinds: the keys with one number a run.
  ///   - classKinds: those with one number a class.
  ///   - perClass: in the order of the compared classes.
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

  /// The difference under a key with one number a run; `nil` where the key is not compared.
  package subscript(kind: MetricKind) -> Difference? { numbers[kind] }

  /// The differences under a key with one number a class; empty for the others.
  package func perClass(_ kind: MetricKind) -> [Difference] { classNumbers[kind] ?? [] }

  /// As `differences` in `assay compare --json`.
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
