import AssayCore
import AssayStore
import Foundation

/// The command-line arguments.
struct BenchArguments {
  enum Action: String { case append, verify, measure, replay }

  var action = Action.append
  var path = ""
  var count = 1
  var start = 0
  var seed = 1
  var size = 1_000
  var samples = 3
  var synchronous = Ledger.Synchronous.extra
  var busyTimeout = 5.0

  init(_ words: ArraySlice<String>) throws {
    guard let first = words.first, let action = Action(rawValue: first),
      words.count >= (action == .replay ? 1 : 2)
    else { throw BenchError.usage("LedgerBench append|verify|measure LEDGER [options], or replay") }
    self.action = action
    if action == .replay { return }
    var rest = words.dropFirst()
    path = rest.removeFirst()
    while let option = rest.popFirst() {
      guard let value = rest.popFirst() else { throw BenchError.usage("\(option) takes a value") }
      switch (option, Int(value)) {
      case ("--synchronous", _) where value == "EXTRA": synchronous = .extra
      case ("--synchronous", _) where value == "OFF": synchronous = .off
      case ("--count", let number?): count = number
      case ("--start", let number?): start = number
      case ("--seed", let number?): seed = number
      case ("--size", let number?): size = number
      case ("--samples", let number?): samples = max(1, number)
      case ("--busy-timeout", let number?): busyTimeout = Double(number)
      default: throw BenchError.usage("cannot read \(option) \(value)")
      }
    }
  }

  func open(_ access: Ledger.Access) throws -> Ledger {
    try Ledger.open(path, access, synchronous: synchronous, busyTimeout: busyTimeout)
  }

  /// A mask entry of about `size` bytes.
  func draft(_ number: Int) -> CorrectionDraft {
    let key = "image-\(number % samples).png"
    return CorrectionDraft(
      uuid: Self.uuid(seed, number),
      sample: SampleIdentity(
        dataset: "bench", key: key, contentHash: ContentHash.of(Array(key.utf8))),
      target: .region(set: "instances", category: "person"), kind: .mask,
      visit: Self.uuid(seed, 0xFFFF_FFFF), parent: .head, payload: payload)
  }

  /// Run lengths of a synthetic mask, in the characters that COCO's have.
  private var payload: JSONValue {
    let letters = Array("PQRSTUVWXYZ[]^_`abcdefghijklmno0123456789".utf8)
    var random = SplitMix64(seed: 7)
    let mask = (0..<max(0, size - 200)).map { _ in
      letters[Int(random.next() % UInt64(letters.count))]
    }
    return [
      "added": .string(String(decoding: mask, as: UTF8.self)), "area": 12_345, "author": "bench",
      "category": "person", "done": true, "seconds": 4.5, "size": [480, 640],
      "time": "2026-11-21T14:40:05Z", "tool": "bench",
    ]
  }

  private static func uuid(_ seed: Int, _ number: Int) -> String {
    String(format: "%08lx-0000-4000-8000-%012lx", seed, number)
  }
}
