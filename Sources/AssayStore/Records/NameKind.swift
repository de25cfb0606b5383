/// The kinds of named objects. The raw value is the spelling on the command line
/// (`assay rm run r1`).
package enum NameKind: String, CaseIterable, Sendable {
  case dataset, view, partition, model, run, review
}

/// The counts of objects that were removed together with a named one.
package struct Removal: Hashable, Sendable {
  package var kind: NameKind
  package var name: String
  /// The names of the views, partitions, runs and reviews that were removed with it.
  package var views: [String] = []
  package var partitions: [String] = []
  package var runs: [String] = []
  package var reviews: [String] = []
  package var samples = 0
  package var evaluations = 0
}
