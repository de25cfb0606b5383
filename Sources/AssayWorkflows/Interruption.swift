import AssayInference
import Foundation
import Synchronization

/// Ctrl-C as a flag that long work asks for between two steps.
package enum Interruption {
  private static let requested = Atomic<Bool>(false)

  /// From now on SIGINT and SIGTERM set the flag; a second one ends the program at once.
  ///
  /// A parent that blocks them passes that on to its children; they are let through again.
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

  /// Asks for an interrupt, as Ctrl-C does.
  package static func request() { requested.store(true, ordering: .relaxed) }

  /// True if an interrupt has been asked for, of this process or, where it runs a model for
  /// another, of that one.
  package static var isRequested: Bool {
    requested.load(ordering: .relaxed) || ModelProcess.isInterrupted
  }

  /// - Throws: ``Interrupted`` once an interrupt has been asked for.
  package static func check(_ kept: @autoclosure () -> String = "") throws {
    if isRequested { throw Interrupted(kept: kept()) }
  }
}

/// The work was stopped by an interrupt.
package struct Interrupted: Error, CustomStringConvertible {
  /// A sentence about what was kept and how to continue; empty if there is nothing to say.
  package var kept: String

  package init(kept: String) { self.kept = kept }

  package var description: String { kept.isEmpty ? "interrupted" : "interrupted; \(kept)" }
}
