package import AssayCore

extension EffectiveTruth {
  /// The label in words, or the labels of a set; `nil` if there are none.
  package var labelText: String? {
    guard let labels else { return label }
    return labels.isEmpty ? nil : labels.sorted().joined(separator: ", ")
  }
}
