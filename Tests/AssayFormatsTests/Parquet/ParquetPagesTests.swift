import AssayCore
import AssayTestSupport
import Testing

@testable import AssayFormats

@Suite("Kept pages of Parquet files")
struct ParquetPagesTests {
  @Test("The number of kept pages has a limit, and a page that was given up is read again")
  func limit() throws {
    let tree = FileTree(fixture: "parquet/polars")
    let source = try #require(try tree.files().first)
    func bytes(_ file: ParquetFile) throws -> [UInt8] {
      let leaf = try #require(ParquetImageColumn.all(of: file).first).bytes
      return try ParquetPages.withBytes(file, leaf: leaf, row: 1) { Array($0 ?? []) }
    }
    let first = try ParquetFile(tree, source)
    let expected = try bytes(first)
    #expect(!expected.isEmpty)
    // Each opened file has pages of its own.
    for _ in 0..<(ParquetPages.pageLimit + 100) {
      #expect(try bytes(ParquetFile(tree, source)) == expected)
    }
    #expect(ParquetPages.keptPages <= ParquetPages.pageLimit)
    #expect(try bytes(first) == expected)
  }
}
