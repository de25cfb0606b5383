import AssayCore
import AssayTestSupport
import Foundation
import Testing

@testable import AssayFormats

@Suite("NumPy arrays of predictions")
struct NPYArrayTests {
  private static func bytes(_ name: String) throws -> [UInt8] {
    try Array(Data(contentsOf: PackageFolder.fixture("outside-predictions/" + name)))
  }

  private static func array(_ bytes: [UInt8]) throws -> NPYArray {
    let tree = MemoryTree(bytes, name: "a.npy")
    return try NPYArray(tree, tree.files()[0], name: "a.npy")
  }

  /// An array with a header as NumPy writes it.
  private static func made(_ dictionary: String, _ values: [UInt8] = []) -> [UInt8] {
    let header = dictionary + "\n"
    return NPYArray.magic + [1, 0, UInt8(header.utf8.count & 255), UInt8(header.utf8.count >> 8)]
      + header.utf8 + values
  }

  @Test("float32, big-endian float64 and Fortran order are the same numbers; halves are exact")
  func numbers() throws {
    func rows(_ name: String) throws -> [[Double]] {
      var rows: [[Double]] = []
      try Self.array(Self.bytes(name)).forEachRow { _, values in rows.append(Array(values)) }
      return rows
    }
    let plain = try rows("scores-f4.npy")
    #expect(plain.count == 9 && plain.allSatisfy { $0.count == 3 })
    #expect(try rows("scores-f8.npy") == plain)
    #expect(try rows("scores-fortran.npy") == plain)
    #expect(try rows("halves.npy") == Array(repeating: [0.5, 0.25, 0.25], count: 9))
    #expect(try Self.array(Self.bytes("keys.npy")).texts()[4] == "dog/dog1.png")
  }

  @Test(
    "Headers that claim too much, pickles and odd types are refused",
    arguments: [
      ("{'descr': '|O', 'fortran_order': False, 'shape': (2, 2), }", "pickled"),
      ("{'descr': '<c8', 'fortran_order': False, 'shape': (2, 2), }", "unsupported data type <c8"),
      ("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", "ends too early"),
      (
        "{'descr': '<f8', 'fortran_order': False, 'shape': (4611686018427387904, 9223372036854775807), }",
        "too large"
      ),
      ("{'descr': '<f4', 'fortran_order': False, 'shape': (-1, 3), }", "damaged"),
      (
        "{'descr': '<U4611686018427387904', 'fortran_order': False, 'shape': (2,), }", "unsupported"
      ),
      ("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,), }", "structured"),
      ("{'fortran_order': False, 'shape': (2,), }", "damaged"), ("", "damaged"),
    ])
  func refused(header: String, says: String) throws {
    let error = #expect(throws: FormatError.self) {
      _ = try Self.array(Self.made(header, [0, 0, 0, 0]))
    }
    #expect("\(try #require(error))".contains(says), "\(String(describing: error))")
  }

  @Test("Cut and changed files end in an error or in numbers, never in a trap")
  func damaged() throws {
    var random = SplitMix64(seed: 7)
    for name in ["scores-f4.npy", "keys.npy", "scores-fortran.npy", "named.npz", "bytes.npz"] {
      let whole = try Self.bytes(name)
      for _ in 0..<150 {
        var bytes = whole
        if Bool.random(using: &random) {
          bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random))
        }
        for _ in 0..<Int.random(in: 1...6, using: &random) where !bytes.isEmpty {
          bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(
            in: 0...255, using: &random)
        }
        var options = PredictionFileOptions()
        options.classes = ["a", "b", "c"]
        let tree = MemoryTree(bytes, name: name)
        do {
          let rows = try ScoreFile.open(tree, options, known: ["a", "b", "c"])
          try rows.forEach(.double) { #expect($0.scores.count == 3 || $0.label != nil) }
        } catch {}
      }
    }
  }
}

@Suite("Records of a CSV file in blocks")
struct CSVRecordStreamTests {
  @Test("Blocks of every size give the records and line numbers of the whole text")
  func blocks() throws {
    let text = "\u{FEFF}a,b\r\n\"x,\"\"1\",2\r\n\r\n\"two\nlines\",3\n,\nlast,\"4\""
    func records(_ block: Int) throws -> [String] {
      let tree = MemoryTree(text, name: "p.csv")
      var found: [String] = []
      try CSVRecordStream.forEach(
        tree, tree.files()[0], separator: CSVRecords.comma, block: block
      ) { records, fields in
        found.append(
          "\(records.recordLine):"
            + (try fields.map { try records.text($0) }).joined(separator: "|"))
      }
      return found
    }
    let whole = ["1:a|b", "2:x,\"1|2", "4:two\nlines|3", "6:|", "7:last|4"]
    for block in 1...(text.utf8.count + 2) { #expect(try records(block) == whole, "\(block)") }
  }

  @Test("A quote that is never closed, and text after one, are errors in every block size")
  func quotes() throws {
    for text in ["a,b\n\"x,1\n", "a,b\n\"x\"y,1\n"] {
      for block in [1, 3, 64] {
        let tree = MemoryTree(text, name: "p.csv")
        #expect(throws: FormatError.self) {
          try CSVRecordStream.forEach(
            tree, tree.files()[0], separator: CSVRecords.comma, block: block
          ) { _, _ in }
        }
      }
    }
  }
}
