import AssayCore
import Dispatch
import Synchronization

/// A text that is read, hashed and split by one worker at a time while the others parse, with the
/// parts delivered in order.
///
/// Workers take turns reading: the worker with the turn reads the next block, passes the turn on
/// and parses. This keeps the disk and the hash busy, and the caller's thread only delivers.
final class OrderedBlocks<Part: Sendable>: Sendable {
  private let blocks: Mutex<LineBlocks>
  private let spare = Mutex<[[UInt8]]>([])
  private let ended = Atomic<Bool>(false)

  init(_ blocks: sending LineBlocks) { self.blocks = Mutex(blocks) }

  /// The damage of the compressed data; valid after ``run(workers:parse:deliver:)``.
  var damage: String? { blocks.withLock { $0.damage } }

  /// True if the damage is a wrong checksum; valid after ``run(workers:parse:deliver:)``.
  var hasWrongChecksum: Bool { blocks.withLock { $0.hasWrongChecksum } }

  /// The SHA-256 of the file; valid after ``run(workers:parse:deliver:)``.
  var contentHash: String? { blocks.withLock { $0.contentHash() } }

  /// Parses every block and delivers the parts in order.
  ///
  /// - Parameters:
  ///   - parse: runs on a worker, with the block's number from 0.
  ///   - deliver: receives a part, on the caller's thread.
  /// - Throws: any error that the tree or `deliver` throws.
  func run(
    workers: Int, parse: @escaping @Sendable (LineBlock, _ number: Int) -> Part,
    deliver: (Part) throws -> Void
  ) throws {
    var number = 0
    // Dispatch requires that a semaphore ends with at least its initial value, hence 0 and a
    // signal.
    var turn = DispatchSemaphore(value: 0)
    turn.signal()
    try OrderedWorkers(workers: workers).run(
      next: { () -> Turn? in
        guard !ended.load(ordering: .relaxed) else { return nil }
        defer { number += 1 }
        let mine = turn
        turn = DispatchSemaphore(value: 0)
        return Turn(number: number, mine: mine, following: turn)
      },
      transform: { [self] _, turn -> Part? in
        guard let block = try read(turn) else { return nil }
        let part = parse(block, turn.number)
        recycle(block.bytes)
        return part
      },
      deliver: { part in
        if let part { try deliver(part) }
      })
  }

  /// Waits for the turn, reads a block, and always passes the turn on.
  private func read(_ turn: Turn) throws -> LineBlock? {
    turn.mine.wait()
    defer { turn.following.signal() }
    guard !ended.load(ordering: .relaxed) else { return nil }
    do {
      let block = try blocks.withLock {
        try $0.next(reusing: spare.withLock { $0.popLast() } ?? [])
      }
      if block == nil { ended.store(true, ordering: .relaxed) }
      return block
    } catch {
      ended.store(true, ordering: .relaxed)
      throw error
    }
  }

  /// Keeps memory for a later block, unless a long line made it too large.
  private func recycle(_ bytes: [UInt8]) {
    guard bytes.count <= 1 << 22 else { return }
    spare.withLock { $0.append(bytes) }
  }
}

/// The right to read one block, and the next turn.
private struct Turn: Sendable {
  var number: Int
  var mine: DispatchSemaphore
  var following: DispatchSemaphore
}
