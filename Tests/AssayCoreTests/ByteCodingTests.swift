import AssayCore
import AssayTestSupport
import Testing

@Suite("Records of bytes")
struct ByteCodingTests {
  private func record() -> [UInt8] {
    var coder = ByteEncoder()
    coder.append(Int64.min)
    coder.append(42)
    coder.append(UInt64.max)
    coder.append(true)
    coder.append(Float(-1.5))
    coder.append("größe")
    coder.append([1, 2, 3] as [UInt8])
    coder.append(nil as Int?) { $0.append($1) }
    coder.append(7 as Int?) { $0.append($1) }
    coder.append([5, .max] as [UInt64])
    coder.append([6, .max] as [UInt32])
    return coder.bytes
  }

  private func read(_ bytes: [UInt8]) throws -> String {
    try bytes.withUnsafeBytes { buffer in
      var record = ByteDecoder(buffer)
      let numbers = (
        try record.integer(), try record.count(), try record.bits(), try record.bool(),
        try record.float()
      )
      let texts = (try record.text(), try record.blob())
      let missing = try record.optional { coder throws(DamagedRecord) in try coder.count() }
      let there = try record.optional { coder throws(DamagedRecord) in try coder.count() }
      let lists = (try record.bitsList(), try record.shortList())
      try record.finish()
      return "\(numbers) \(texts) \(missing as Any) \(there as Any) \(lists)"
    }
  }

  @Test("What was written is read")
  func same() throws {
    let expected = """
      (-9223372036854775808, 42, 18446744073709551615, true, -1.5) ("größe", [1, 2, 3]) nil Optional(7) \
      ([5, 18446744073709551615], [6, 4294967295])
      """
    #expect(try read(record()) == expected)
  }

  @Test("Cut and changed records are damaged or other values, and never end the program")
  func damaged() throws {
    let bytes = record()
    for length in 0..<bytes.count {
      #expect(throws: DamagedRecord.self) { try read(Array(bytes[..<length])) }
    }
    #expect(throws: DamagedRecord.self) { try read(bytes + [0]) }
    var random = SplitMix64(seed: 3)
    for _ in 0..<20_000 {
      var changed = bytes
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        changed[Int.random(in: 0..<changed.count, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      _ = try? read(changed)
    }
  }
}
