import AssayStore
import Foundation
import GRDB

/// Times appending against a bare commit of the same bytes with the same settings, alternating
/// between the two so that both see the same disk.
struct Measurement {
  private let arguments: BenchArguments

  init(_ arguments: BenchArguments) throws {
    self.arguments = arguments
  }

  func lines() throws -> [String] {
    let ledger = try arguments.open(.create)
    let bare = try DatabaseQueue(path: arguments.path + ".bare")
    let bytes = String(repeating: "x", count: arguments.size)
    try bare.inDatabase { database in
      try database.execute(
        sql: """
          PRAGMA journal_mode = DELETE;
          PRAGMA synchronous = \(arguments.synchronous.rawValue);
          CREATE TABLE IF NOT EXISTS bytes (bytes TEXT);
          """)
    }
    var appends: [Double] = []
    var commits: [Double] = []
    for number in 0..<arguments.count {
      let draft = arguments.draft(number + Int(Date.now.timeIntervalSince1970) << 12)
      appends.append(try Self.milliseconds { _ = try ledger.append(draft) })
      commits.append(
        try Self.milliseconds {
          try bare.inDatabase { database in
            try database.inTransaction(.immediate) {
              try database.execute(sql: "INSERT INTO bytes VALUES (?)", arguments: [bytes])
              return .commit
            }
          }
        })
    }
    return [
      "append       \(Self.summary(appends))", "bare commit  \(Self.summary(commits))",
    ]
  }

  private static func milliseconds(_ work: () throws -> Void) rethrows -> Double {
    let took = try ContinuousClock().measure(work)
    return Double(took.components.attoseconds) / 1e15 + Double(took.components.seconds) * 1_000
  }

  private static func summary(_ times: [Double]) -> String {
    let sorted = times.sorted()
    func part(_ share: Double) -> String {
      guard !sorted.isEmpty else { return "–" }
      return String(
        format: "%.2f", sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))])
    }
    return "\(times.count) times: p50 \(part(0.5)) ms, p99 \(part(0.99)) ms, most \(part(1)) ms"
  }
}
