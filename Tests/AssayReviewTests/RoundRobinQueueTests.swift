import Testing

@testable import AssayReview

/// Tests the order of work.
struct RoundRobinQueueTests {
  @Test("Clients have one piece of work done in turn, each in the order in which it came")
  func order() {
    var turns = RoundRobinQueue<Int>()
    for number in 0..<100 { turns.append(of: "anna", number) }
    for number in 100..<103 { turns.append(of: "bert", number) }
    turns.append(of: nil, 200)
    #expect(turns.count == 104)
    let first = (0..<8).map { _ in turns.next() }
    #expect(first == [0, 100, 200, 1, 101, 2, 102, 3])
    // A returning author waits for one piece of each of the others.
    turns.append(of: "bert", 103)
    #expect([turns.next(), turns.next(), turns.next()] == [4, 103, 5])
    #expect((6..<100).allSatisfy { turns.next() == $0 })
    #expect(turns.next() == nil)
    #expect(turns.count == 0)
  }

  @Test("A pool refuses what is beyond its limit and does all that it took in")
  func limit() async throws {
    let pool = BlockingPool(threads: 1, limit: 3)
    let numbers = try await withThrowingTaskGroup(of: Int?.self) { tasks in
      for number in 0..<50 {
        tasks.addTask {
          do {
            return try await pool.run(for: "\(number % 4)") { number }
          } catch RequestRefusal.busy {
            return nil
          }
        }
      }
      return try await tasks.reduce(into: [Int]()) { all, next in
        if let next { all.append(next) }
      }
    }
    #expect(numbers.count >= 3)
    #expect(Set(numbers).count == numbers.count)
    #expect(pool.waiting == 0)
    await pool.stop()
    await #expect(throws: CancellationError.self) { try await pool.run(for: nil) { 1 } }
  }
}
