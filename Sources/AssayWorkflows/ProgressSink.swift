/// Takes reports of how far a piece of work has come. May be called from any thread, often.
package protocol ProgressSink: Sendable {
  /// - Parameters:
  ///   - fraction: the share that is done, in 0...1.
  ///   - what: what is going on, a few words: "importing faces".
  func report(_ fraction: Double, _ what: String)
}

/// Progress that nobody watches.
package struct NoProgress: ProgressSink {
  package init() {}
  package func report(_ fraction: Double, _ what: String) {}
}
