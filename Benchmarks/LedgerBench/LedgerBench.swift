import AssayCore
import AssayStore
import Foundation

/// Appends to a ledger and reports it, for the tests that trace or kill it, and times it against a
/// bare commit.
///
///     LedgerBench append LEDGER [--count N] [--start K] [--seed S] [--size BYTES] [--samples M]
///                               [--synchronous EXTRA|OFF] [--busy-timeout SECONDS]
///     LedgerBench verify LEDGER
///     LedgerBench measure LEDGER [--count N] [--size BYTES] [--synchronous EXTRA|OFF]
///     LedgerBench replay
///
/// `append` prints `ACK sequence uuid` after each entry, written immediately. The uuid depends only
/// on the seed and the entry's number: a second run sends the same entries. An error goes to
/// standard error, status 2.
@main
struct LedgerBench {
  static func main() {
    do {
      try run(try BenchArguments(CommandLine.arguments.dropFirst()))
    } catch {
      FileHandle.standardError.write(Data("ERROR \(error)\n".utf8))
      exit(2)
    }
  }

  private static func run(_ arguments: BenchArguments) throws {
    switch arguments.action {
    case .append:
      let ledger = try arguments.open(.create)
      for number in arguments.start..<arguments.start + arguments.count {
        let outcome = try ledger.append(arguments.draft(number))
        say("ACK \(outcome.entry.sequence) \(outcome.entry.uuid)")
      }
    case .verify:
      let found = try arguments.open(.readOnly).verify()
      if let fault = found.firstBad { throw BenchError.broken(fault) }
      say("VERIFIED \(found.count)")
    case .measure:
      for line in try Measurement(arguments).lines() { say(line) }
    case .replay:
      for line in try ReplayMeasurement().lines() { say(line) }
    }
  }

  /// Writes a line in one system call.
  private static func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = bytes.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
  }
}

enum BenchError: Error {
  case usage(String)
  case broken(LedgerFault)
}
