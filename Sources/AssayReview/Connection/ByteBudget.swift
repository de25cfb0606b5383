import Synchronization

/// The limit on the bytes in request bodies, or in replies, for all clients together.
final class ByteBudget: Sendable {
  private let limit: Int
  private let taken = Mutex(0)

  /// - Parameter limit: in bytes.
  init(limit: Int) { self.limit = limit }

  /// The number of bytes in use.
  var inUse: Int { taken.withLock { $0 } }

  /// Returns a share of the budget that is held for the lifetime of the value; `nil` if not
  /// enough bytes are left.
  func take(_ bytes: Int) -> ByteShare? {
    let isTaken = taken.withLock { taken in
      guard bytes >= 0, bytes <= limit - taken else { return false }
      taken += bytes
      return true
    }
    return isTaken ? ByteShare(of: self, bytes) : nil
  }

  fileprivate func give(back bytes: Int) { taken.withLock { $0 -= bytes } }
}

/// A part of a ``ByteBudget`` that is in use.
final class ByteShare: Sendable {
  private let budget: ByteBudget
  private let bytes: Int

  fileprivate init(of budget: ByteBudget, _ bytes: Int) {
    self.budget = budget
    self.bytes = bytes
  }

  deinit { budget.give(back: bytes) }
}
