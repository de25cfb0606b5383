import Synchronization
import Testing

import AssayCore

@Suite("Worker threads")
struct WorkerThreadsTests {
  @Test("Each thread runs the body once, and all have ended after they were waited for")
  func numbers() throws {
    let seen = Mutex<[Int]>([])
    let threads = try WorkerThreads(5) { number in seen.withLock { $0.append(number) } }
    threads.join()
    #expect(seen.withLock { $0.sorted() } == [0, 1, 2, 3, 4])
    threads.join()
  }

  @Test("Every piece of work is done once, however many there are", arguments: [0, 1, 3, 1000])
  func pieces(_ count: Int) throws {
    let seen = Mutex<[Int]>([])
    try WorkerThreads.perform(count) { piece in seen.withLock { $0.append(piece) } }
    #expect(seen.withLock { $0.sorted() } == Array(0..<count))
  }
}
