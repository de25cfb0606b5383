/// The numbers of samples of a run that are not evaluated, by reason.
package struct LeftOutSamples: Sendable, Hashable {
  /// Samples that are not predicted yet, and samples that could not be predicted.
  package var pending = 0
  package var failed = 0
  /// Samples in the run's view that are not in the run.
  package var absent = 0
  /// Samples without a label.
  package var withoutTruth = 0
  /// Samples labeled with a class that the run has no scores for.
  package var ofMissingClasses = 0
  /// Images of unknown size.
  package var withoutSize = 0
  /// Samples that are no longer in the dataset.
  package var retired = 0
  /// The keys of samples that users excluded: rejected samples and unusable images.
  package var byPeople: [String] = []

  package init() {}

  /// True if another model's run over the same view may leave out other samples.
  var dependsOnModel: Bool {
    pending > 0 || failed > 0 || absent > 0 || ofMissingClasses > 0
  }

  /// The samples that another model's run may not leave out, without the others.
  var ofModel: LeftOutSamples {
    var part = LeftOutSamples()
    (part.pending, part.failed) = (pending, failed)
    (part.absent, part.ofMissingClasses) = (absent, ofMissingClasses)
    return part
  }

  /// One phrase for each kind of excluded sample.
  package var reasons: [String] {
    [
      (pending, "not predicted yet (repeat the predict or predictions import command)"),
      (failed, "could not be predicted"), (absent, "not in the run"),
      (withoutTruth, "without a label"),
      (ofMissingClasses, "of classes that the run has no scores for"),
      (withoutSize, "of unknown image size (import again with --check-images)"),
      (retired, "no longer in the dataset"),
      (byPeople.count, "excluded by users (\(Self.list(byPeople)))"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.0 == 1 ? "sample" : "samples") \($0.1)" }
  }

  /// The first names of a list.
  private static func list(_ names: [String]) -> String {
    names.prefix(5).joined(separator: ", ") + (names.count > 5 ? ", …" : "")
  }
}
