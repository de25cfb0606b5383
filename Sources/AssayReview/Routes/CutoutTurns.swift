import Synchronization

/// The running cut-outs: one for each session, because a person waits for the last one only.
final class CutoutTurns: Sendable {
  /// One request.
  final class Turn: Sendable {
    private let canceled = Atomic(false)

    var isCanceled: Bool { canceled.load(ordering: .relaxed) }

    func cancel() { canceled.store(true, ordering: .relaxed) }
  }

  /// The maximum time of one request on its thread.
  let patience: Duration

  private let running = Mutex<[String: Turn]>([:])

  init(patience: Duration = .seconds(10)) { self.patience = patience }

  /// Begins a request of a session, and cancels the one before.
  func begin(_ session: String) -> Turn {
    let turn = Turn()
    running.withLock { running in
      running[session]?.cancel()
      running[session] = turn
    }
    return turn
  }

  /// Ends a request.
  func end(_ turn: Turn, of session: String) {
    running.withLock { running in
      if running[session] === turn { running[session] = nil }
    }
  }

  /// The number of running requests.
  var count: Int { running.withLock(\.count) }
}
