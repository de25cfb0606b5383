import AssayCore

extension Refusal {
  /// What an error of the rooms below means for the page. Their texts say the next step.
  init(_ error: any Error) {
    self = error as? Refusal ?? .failed(code: "failed", "\(error)")
  }
}
