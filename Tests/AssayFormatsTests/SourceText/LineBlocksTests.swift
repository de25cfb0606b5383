import AssayCore
import Testing

@testable import AssayFormats

@Suite("Text cut into blocks of lines")
struct LineBlocksTests {
  private func blocks(
    of text: String, blockBytes: Int, lineLimit: Int = LineBlocks.lineLimit
  ) throws -> [LineBlock] {
    let tree = MemoryTree(text)
    var blocks = LineBlocks(
      try ByteStream(tree, tree.files()[0]), blockBytes: blockBytes, lineLimit: lineLimit)
    var found: [LineBlock] = []
    while let block = try blocks.next() { found.append(block) }
    return found
  }

  private func text(_ block: LineBlock) -> String {
    String(decoding: block.bytes.prefix(block.count), as: UTF8.self)
  }

  @Test("Blocks of any size hold whole lines, and all of them", arguments: 1...40)
  func wholeLines(blockBytes: Int) throws {
    let text = "one\ntwo\n\nthree, long enough\r\nfour\nend"
    let found = try blocks(of: text, blockBytes: blockBytes)
    #expect(found.map(self.text).joined() == text)
    #expect(found.dropLast().allSatisfy { self.text($0).utf8.last == 0x0A && !$0.isUnfinished })
    #expect(found.last?.isUnfinished == true)
    #expect(found.allSatisfy { $0.bytes.count >= $0.count + LineBlock.padding })
  }

  @Test("A line over the limit is skipped, whatever lies around it")
  func overlongLine() throws {
    let long = String(repeating: "x", count: 100)
    for blockBytes in [1, 7, 64, 1000] {
      for text in ["a\n\(long)\nb\n", "a\n\(long)\n\(long)\nb\n", "a\n\(long)"] {
        let found = try blocks(of: text, blockBytes: blockBytes, lineLimit: 10)
        let overlong = found.filter(\.isOverlong).count
        // A block that is larger than the limit can contain such a line completely.
        #expect(
          overlong == text.split(separator: "\n").count { $0.count == 100 } || blockBytes > 100)
        #expect(found.filter { !$0.isOverlong }.map(self.text).joined().contains("a\n"))
      }
    }
  }

  @Test("A line of 50 MB is left out in little memory, and the rows around it are imported")
  func hugeLine() throws {
    let found = try Collected(HugeLineTree(), as: .fer)
    #expect(found.keys == ["0", "2"])
    #expect(found.kinds == [.lineTooLong])
    #expect(found.issues[0].location.line == 3)
    #expect(found.isBalanced)
  }

  @Test("A first line that never ends is refused")
  func hugeHeader() {
    #expect(throws: FormatError.headerTooLong("huge.csv", limit: 1 << 24)) {
      try FormatDetector.detect(HugeLineTree(start: ""))
    }
  }
}

/// A file with one line of 50 million digits, generated as it is read.
private struct HugeLineTree: SourceTree {
  var start = "emotion,pixels\n0,1 2 3 4\n"
  private let end = "\n6,5 6 7 8\n"
  private let length = 50_000_000

  var name: String { "huge.csv" }
  var isSingleFile: Bool { true }

  init(start: String = "emotion,pixels\n0,1 2 3 4\n") { self.start = start }

  func files() throws -> [SourceFile] {
    [SourceFile(path: name, size: length, modified: 0)]
  }

  func read(
    _ path: String, at offset: Int, into buffer: UnsafeMutableRawBufferPointer
  ) throws -> Int {
    let count = max(0, min(buffer.count, length - offset))
    buffer[..<count].withMemoryRebound(to: UInt8.self) { $0.update(repeating: 0x37) }
    for (text, place) in [(start, 0), (end, length - end.utf8.count)] {
      for (index, byte) in text.utf8.enumerated()
      where (offset..<(offset + count)).contains(place + index) {
        buffer[place + index - offset] = byte
      }
    }
    return count
  }
}
