import AssayMetrics

extension Score {
  /// The values of the `number` template: the number, its interval in brackets, the
  /// number of defined values.
  var values: [String: Any] {
    var note = ""
    if let defined, let total, defined < total { note = "\(defined) of \(total) defined" }
    return [
      "value": NumberText.fixed(value), "interval": intervalText.templateValue,
      "note": note.templateValue,
    ]
  }

  /// The text `[0.569, 0.601]`; empty without an interval.
  var intervalText: String {
    interval.map { "[\(NumberText.fixed($0.low)), \(NumberText.fixed($0.high))]" } ?? ""
  }
}
