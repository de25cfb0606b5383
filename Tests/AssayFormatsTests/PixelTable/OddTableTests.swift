import AssayCore
import Testing

import AssayFormats

@Suite("CSV files that would be read wrongly")
struct OddTableTests {
  @Test(
    "A column that is read and named twice is no match, since either may be meant",
    arguments: [
      ("label,label,pixels\n1,2,1 2 3 4\n", "label"),
      ("label,pixels,Pixels\n1,1 2 3 4,5 6 7 8\n", "pixels"),
      ("label,split,split,pixels\n1,train,test,1 2 3 4\n", "split"),
      ("label,p0,p1,p1,p3\n1,1,2,3,4\n", "p1"),
    ])
  func repeated(text: String, name: String) throws {
    let probe = try PixelCSVImporter().probe(MemoryTree(text))
    #expect(probe == .noMatch("it has two columns '\(name)'"))
    #expect(throws: FormatError.self) { try Collected(MemoryTree(text), as: .pixelCSV) }
  }

  @Test("A name twice among the columns that are not read does no harm")
  func repeatedElsewhere() throws {
    let found = try Collected(
      MemoryTree("label,note,note,pixels\n1,a,b,1 2 3 4\n"), as: .pixelCSV)
    #expect(found.pixels == [[1, 2, 3, 4]])
  }

  @Test("Two columns called emotion are no FER-2013")
  func repeatedEmotion() throws {
    let tree = MemoryTree("emotion,pixels,Usage,emotion\n1,1 2 3 4,Training,2\n")
    #expect(try FERImporter().probe(tree) == .noMatch("it has two columns emotion"))
    #expect(throws: FormatError.self) { try Collected(tree, as: .fer) }
  }

  @Test("Lines that end in CR alone are refused, not taken for one row")
  func macLines() {
    let error = #expect(throws: FormatError.self) {
      try Collected(detecting: MemoryTree("label,pixels\r1,1 2 3 4\r2,5 6 7 8\r"))
    }
    #expect("\(String(describing: error))".contains("CR alone"))
  }

  @Test("A thousand splits are imported, and one more is too many")
  func splits() throws {
    func text(_ count: Int) -> String {
      "label,split,pixels\n" + (0..<count).map { "a,s\($0),1 2 3 4\n" }.joined()
    }
    #expect(try Collected(MemoryTree(text(1000)), as: .pixelCSV).splits.count == 1000)
    #expect(throws: FormatError.tooManySplits("rows.csv", limit: 1000)) {
      try Collected(MemoryTree(text(1001)), as: .pixelCSV)
    }
  }

  @Test("A first row over the limit is said to be so, not to be missing")
  func longRow() {
    let text = "label,pixels\n" + String(repeating: "x", count: 17 << 20) + ",1 2 3 4\n"
    #expect(throws: FormatError.rowTooLong("rows.csv", limit: 1 << 24)) {
      try Collected(MemoryTree(text), as: .pixelCSV)
    }
  }
}
