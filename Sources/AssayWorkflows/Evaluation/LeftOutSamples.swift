/// The samples of a run that are not evaluated, by the reason.
package struct LeftOutSamples: Sendable, Hashable {
  /// Not predicted yet, and could not be predicted.
  package var pending = 0
  package var failed = 0
  /// In the run's view and not in the run.
  package var absent = 0
  /// Without a label.
  package var withoutTruth = 0
  /// Labeled with a class that the run has no scores for.
  package var ofMissingClasses = 0
  /// Images whose size nobody knows.
  package var withoutSize = 0
  /// No longer in the dataset.
  package var retired = 0
  /// Left out by people, by key: rejected, or an image that cannot be used.
  package var byPeople: [String] = []

  package init() {}

  /// True if another model's run over the same view may leave out other samples.
  var dependsOnModel: Bool {
    pending > 0 || failed > 0 || absent > 0 || ofMissingClasses > 0
  }

  /// One phrase for each kind of sample that is left out.
  package var reasons: [String] {
    [
      (pending, "not predicted yet (run the same predict, or predictions import, again)"),
      (failed, "could not be predicted"), (absent, "that the run does not have"),
      (withoutTruth, "without a label"),
      (ofMissingClasses, "of classes that the run has no scores for"),
      (withoutSize, "of unknown image size (import again with --check-images)"),
      (retired, "no longer in the dataset"),
      (byPeople.count, "excluded by people (\(Self.list(byPeople)))"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.0 == 1 ? "sample" : "samples") \($0.1)" }
  }

  /// The first names of a list.
  private static func list(_ names: [String]) -> String {
    names.prefix(5).joined(separator: ", ") + (names.count > 5 ? ", …" : "")
  }
}
