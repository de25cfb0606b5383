import AssayInference
import Foundation
import Synchronization

/// A Ctrl-C flag that long-running work checks between steps.
package enum Interruption {
  private static let requested = Atomic<Bool>(false)
  /// The number of works that are being done in ``ignoring(_:)``.
  private static let ignored = Atomic<Int>(0)

  /// Installs the handler: SIGINT and SIGTERM set the flag; a second signal ends the program
  /// immediately.
  ///
  /// Signals blocked by the parent process are inherited as blocked, so they are unblocked.
  package static func install() {
    var numbers = sigset_t()
    sigemptyset(&numbers)
    for number in [SIGINT, SIGTERM] {
      sigaddset(&numbers, number)
      signal(number) { number in
        if Interruption.requested.exchange(true, ordering: .relaxed) { _exit(128 + number) }
      }
    }
    pthread_sigmask(SIG_UNBLOCK, &numbers, nil)
  }

  /// Requests an interrupt, like Ctrl-C.
  package static func request() { requested.store(true, ordering: .relaxed) }

  /// True if an interrupt was requested, in this process or, if it runs a model for a parent
  /// process, by the parent.
  package static var isRequested: Bool {
    guard ignored.load(ordering: .relaxed) == 0 else { return false }
    return requested.load(ordering: .relaxed) || ModelProcess.isInterrupted
  }

  /// Does the last work of a command that an interrupt has ended, such as storing what was promised. Meanwhile no
  /// interrupt is seen; a second signal still ends the program.
  package static func ignoring<Value>(_ work: () throws -> Value) rethrows -> Value {
    ignored.add(1, ordering: .relaxed)
    defer { ignored.subtract(1, ordering: .relaxed) }
    return try work()
  }

  /// - Throws: ``Interrupted`` if an interrupt was requested.
  package static func check(_ kept: @autoclosure () -> String = "") throws {
    if isRequested { throw Interrupted(kept: kept()) }
  }
}

/// The work was stopped by an interrupt.
package struct Interrupted: Error, CustomStringConvertible {
  /// A sentence about what was saved and how to continue; empty if there is none.
  package var kept: String

  package init(kept: String) { self.kept = kept }

  package var description: String { kept.isEmpty ? "interrupted" : "interrupted; \(kept)" }
}
