import AssayCore
import AssayTestSupport
import Testing

@testable import AssayFormats

@Suite("Damaged Parquet files")
struct ParquetMutationTests {
  /// The number of rounds: 2,000 in a normal run; `ASSAY_LONG_TESTS=1` makes it 200,000.
  private static let rounds = LongTests.areOn ? 200_000 : 2_000

  /// The files with images, and the tables of all encodings.
  private static let seeds: [(isTable: Bool, bytes: [UInt8])] = [
    "parquet/classes", "parquet/boxes", "parquet/masks", "parquet/relative", "parquet/polars",
    "parquet/duckdb", "parquet/fastparquet", "parquet-labels/sets", "parquet/tables",
  ].flatMap { name in
    let tree = FileTree(fixture: name)
    let files = (try? tree.files()) ?? []
    return files.map { file in
      (name.hasSuffix("tables"), (try? tree.readAll(file.path, limit: 1 << 20)) ?? [])
    }
  }

  /// Changes bytes anywhere, in the footer more often, or the length of the footer.
  private static func mutate(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
    let footer =
      bytes.count < 12
      ? 0 : bytes[(bytes.count - 8)..<(bytes.count - 4)].reversed().reduce(0) { $0 << 8 | Int($1) }
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      guard bytes.count > 12 else { return }
      let start = Bool.random(using: &random) ? max(0, bytes.count - 8 - footer) : 0
      let place = Int.random(in: start..<bytes.count, using: &random)
      switch Int.random(in: 0..<7, using: &random) {
      case 0, 1: bytes[place] = UInt8.random(in: 0...255, using: &random)
      case 2, 3: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 4:
        for next in place..<min(bytes.count, place + Int.random(in: 1...9, using: &random)) {
          bytes[next] = Bool.random(using: &random) ? 0xFF : 0x80
        }
      case 5:
        let end = min(bytes.count - 8, place + Int.random(in: 1...20, using: &random))
        if place < end { bytes.removeSubrange(place..<end) }
      default:
        bytes.insert(UInt8.random(in: 0...255, using: &random), at: min(place, bytes.count - 8))
      }
    }
  }

  @Test("Damaged footers, pages and values are imported in part or refused")
  func mutations() throws {
    #expect(Self.seeds.count > 30 && Self.seeds.allSatisfy { !$0.bytes.isEmpty })
    var random = SplitMix64(seed: 20_261_124)
    var (imported, refused, rows) = (0, 0, 0)
    for round in 0..<Self.rounds {
      var (isTable, bytes) = Self.seeds[round % Self.seeds.count]
      Self.mutate(&bytes, &random)
      let tree = MemoryTree(folder: ["data/train.parquet": bytes])
      do {
        if isTable {
          let file = try ParquetFile(tree, try #require(try tree.files().first))
          for node in file.schema.columns { rows += try ParquetTableTests.values(file, node).count }
        } else {
          let format = try FormatDetector.detect(tree).format
          let found = try Collected(tree, as: format, ImportOptions(workers: 1))
          #expect(found.isBalanced && Set(found.keys).count == found.keys.count)
          rows += found.samples.count
        }
        imported += 1
      } catch is ParquetError {
        refused += 1
      } catch is ParquetProblem {
        refused += 1
      } catch is FormatError {
        refused += 1
      }
    }
    #expect(imported > Self.rounds / 10 && refused > Self.rounds / 10 && rows > Self.rounds)
  }
}
