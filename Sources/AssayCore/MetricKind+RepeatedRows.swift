/// Rows that differ in a few words.
extension MetricKind {
  static func top(_ rank: Int, shown: Set<MetricFacts.Place>) -> MetricFacts {
    MetricFacts(
      "top-\(rank)",
      .classification(
        "The share of samples whose true class is among the \(rank) most probable ones.",
        shown: shown, undefined: fewClasses))
  }

  static func recall(
    atMost limit: String, _ title: String, shown: Set<MetricFacts.Place>
  ) -> MetricFacts {
    MetricFacts(
      title,
      .detection(
        "The share of the objects that is found with at most \(limit) of a class per image, the mean over "
          + "the IoU thresholds and the classes.", shown: shown,
        undefined: "that is none of the evaluation’s --max-dets, or there is no object"))
  }

  /// The cost of an error type in average precision.
  static func cost(
    _ title: String, _ errors: String, formerKey: String? = nil
  ) -> MetricFacts {
    MetricFacts(
      title, direction: .lowerIsBetter, formerKey: formerKey,
      .detection(
        "ΔAP50: how much AP50 would grow if all errors of this type were fixed: \(errors).",
        undefined: nil))
  }
}
