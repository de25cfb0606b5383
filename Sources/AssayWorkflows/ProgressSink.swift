/// Receives progress reports. Can be called from any thread, and often.
package protocol ProgressSink: Sendable {
  /// - Parameters:
  ///   - fraction: the fraction that is done, in 0...1.
  ///   - what: a short description of the current work: "importing faces".
  func report(_ fraction: Double, _ what: String)

  /// Tells a person one sentence, without a period.
  func note(_ text: String)
}

extension ProgressSink {
  package func note(_ text: String) {}
}

/// A sink that discards all reports.
package struct NoProgress: ProgressSink {
  package init() {}
  package func report(_ fraction: Double, _ what: String) {}
}
