import AssayWorkflows
import Foundation
import Synchronization

/// A bar on standard error, shown if it is a terminal and the work takes over a second.
package final class ProgressBar: ProgressSink {
  private struct State {
    var started: ContinuousClock.Instant
    var drawn: ContinuousClock.Instant?
    var isVisible = false
  }

  private let isEnabled: Bool
  private let mayNote: Bool
  private let width: Int
  private let state: Mutex<State>

  package init(enabled: Bool) {
    isEnabled = enabled && isatty(2) == 1
    mayNote = enabled
    width = Terminal.attached(to: 2).width
    state = Mutex(State(started: .now))
  }

  package func report(_ fraction: Double, _ what: String) {
    guard isEnabled else { return }
    state.withLock { state in
      let now = ContinuousClock.now
      let elapsed = now - state.started
      guard elapsed > .seconds(1), state.drawn.map({ now - $0 > .milliseconds(100) }) ?? true
      else { return }
      state.drawn = now
      state.isVisible = true
      let line = Self.line(fraction, what, elapsed: elapsed, width: width - 1)
      try? Output.write("\r\u{1B}[K\(line)", to: .standardError)
    }
  }

  package func note(_ text: String) {
    guard mayNote else { return }
    finish()
    try? Output.write("note: \(Terminal.safe(text))\n", to: .standardError)
  }

  /// Erases the bar.
  package func finish() {
    state.withLock { state in
      guard state.isVisible else { return }
      state.isVisible = false
      try? Output.write("\r\u{1B}[K", to: .standardError)
    }
  }

  /// One line of at most `width` columns: the activity, bar, percentage, and remaining time.
  static func line(_ fraction: Double, _ what: String, elapsed: Duration, width: Int) -> String {
    let fraction = min(max(fraction.isFinite ? fraction : 0, 0), 1)
    let seconds = Double(elapsed.components.seconds)
    let left = fraction > 0.01 ? Int((seconds / fraction * (1 - fraction)).rounded(.up)) : nil
    let tail = " \(Int(fraction * 100)) %" + (left.map { ", \($0) s left" } ?? "")
    let room = max(0, width - tail.count - 14)
    let head = String(Terminal.safe(what).prefix(room))
    let cells = max(0, min(30, width - tail.count - head.count - 3))
    let full = Int(fraction * Double(cells))
    return head + " [" + String(repeating: "=", count: full)
      + String(repeating: " ", count: cells - full) + "]" + tail
  }
}
