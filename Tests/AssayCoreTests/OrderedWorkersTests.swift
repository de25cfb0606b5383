import Synchronization
import Testing

import AssayCore

@Suite("Ordered workers")
struct OrderedWorkersTests {
  @Test("Results come in the order of the inputs", arguments: [1, 2, 5])
  func order(workers: Int) throws {
    var input = 0
    var results: [Int] = []
    try OrderedWorkers(workers: workers, window: 7).run(
      next: {
        input += 1
        return input <= 500 ? input : nil
      },
      transform: { _, value in value * value },
      deliver: { results.append($0) })
    #expect(results == (1...500).map { $0 * $0 })
  }

  @Test("No more than the window are under way")
  func window() throws {
    var drawn = 0
    var delivered = 0
    try OrderedWorkers(workers: 2, window: 3).run(
      next: { () -> Int? in
        #expect(drawn - delivered < 3)
        drawn += 1
        return drawn <= 50 ? drawn : nil
      },
      transform: { $1 },
      deliver: { _ in delivered += 1 })
    #expect(delivered == 50)
  }

  @Test("A worker's number is never in use twice at once")
  func numbers() throws {
    let busy = Mutex<Set<Int>>([])
    let clashes = Atomic<Int>(0)
    var input = 0
    try OrderedWorkers(workers: 3).run(
      next: { () -> Int? in
        input += 1
        return input <= 300 ? input : nil
      },
      transform: { worker, value in
        if !busy.withLock({ $0.insert(worker).inserted }) { clashes.add(1, ordering: .relaxed) }
        var sum = value
        for i in 0..<1000 { sum &+= i &* sum }
        _ = busy.withLock { $0.remove(worker) }
        return sum
      },
      deliver: { _ in })
    #expect(clashes.load(ordering: .relaxed) == 0)
  }

  private struct Broken: Error, Equatable { let at: Int }

  @Test("The first error in the order of the inputs is thrown, and nothing behind it is delivered")
  func errors() {
    var input = 0
    var delivered: [Int] = []
    #expect(throws: Broken(at: 10)) {
      try OrderedWorkers(workers: 4).run(
        next: {
          input += 1
          return input
        },
        transform: { _, value -> Int in
          if value >= 10 { throw Broken(at: value) }
          return value
        },
        deliver: { delivered.append($0) })
    }
    #expect(delivered == Array(1...9))
  }

  @Test("An error of the source or the sink ends the work too")
  func ends() {
    #expect(throws: Broken(at: 0)) {
      try OrderedWorkers(workers: 2).run(
        next: { () -> Int? in throw Broken(at: 0) }, transform: { $1 }, deliver: { _ in })
    }
    #expect(throws: Broken(at: 1)) {
      try OrderedWorkers(workers: 2).run(
        next: { () -> Int? in 1 }, transform: { $1 }, deliver: { _ in throw Broken(at: 1) })
    }
  }
}
