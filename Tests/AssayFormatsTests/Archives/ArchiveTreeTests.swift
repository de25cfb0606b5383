import AssayCore
import AssayFormats
import AssayTestSupport
import Foundation
import Synchronization
import Testing

@Suite("Archives that are read in place")
struct ArchiveTreeTests {
  private struct NoArchive: Error {}

  /// The archive in the only file of a tree.
  private static func open(_ tree: some SourceTree) throws -> ArchiveTree {
    let file = try #require(try tree.files().first)
    guard let kind = try ArchiveKind.detect(tree, file.path) else { throw NoArchive() }
    return try ArchiveTree(kind, tree, file)
  }

  private static func open(_ name: String) throws -> ArchiveTree {
    try open(FileTree(fixture: "archives/\(name)"))
  }

  private static func memory(_ bytes: [UInt8]) throws -> ArchiveTree {
    try open(MemoryTree(bytes, name: "x.zip"))
  }

  /// The numbers 0, 1, 2, … as text, which packs about three times.
  private static let text: [UInt8] = (0..<200_000).flatMap { Array("\($0 &* 7919) ".utf8) }

  @Test(
    "zip (also zip64), ustar, pax, GNU and gzip archives have the files that Python put into them")
  func goldens() throws {
    let goldens = try JSONDecoder().decode(
      [String: [String: String]].self,
      from: Data(contentsOf: PackageFolder.fixture("archives/contents.json")))
    #expect(goldens.count == 12)
    for (name, contents) in goldens {
      let archive = try Self.open(name)
      let files = try archive.files()
      #expect(
        files.map(\.path) == contents.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
      for file in files {
        let bytes = try archive.readAll(file.path, limit: 1 << 20)
        #expect(ContentHash.of(bytes) == contents[file.path], "\(name): \(file.path)")
        #expect(bytes.count == file.size)
      }
      if !name.hasPrefix("odd") { #expect(try archive.issues().isEmpty, "\(name)") }
    }
    // Python states the times as 2024-02-29 12:34:56, in UTC.
    #expect(
      try Self.open("splits.zip").files().allSatisfy { $0.modified == 1_709_210_096_000_000_000 })
    #expect(
      try Self.open("splits.tar").files().allSatisfy { $0.modified == 1_709_210_096_000_000_000 })
    #expect(
      try Self.open("coco.tar").files().allSatisfy { $0.modified == 1_709_210_096_500_000_000 })
  }

  @Test("Entries of a zip archive that leave it, links, encrypted and foreign ones are issues")
  func oddZip() throws {
    let issues = try Self.open("odd.zip").issues()
    try #require(
      issues.map { "\($0.kind.rawValue) \($0.location.file)" } == [
        "outsideRoot ../outside.txt", "outsideRoot /etc/absolute.txt", "outsideRoot C:/drive.txt",
        "duplicateID a.txt", "unsupportedFile bzip2.txt", "outsideRoot in/../../outside.txt",
        "unsupportedFile link.txt", "unsupportedFile lzma.txt", "unsupportedFile secret.txt",
      ])
    #expect(issues[4].message.contains("bzip2"))
    #expect(issues[7].message.contains("LZMA"))
    #expect(issues[8].message.contains("encrypted"))
  }

  @Test("So are links, pipes and outside names of a tar archive")
  func oddTar() throws {
    #expect(
      try Self.open("odd.tar").issues().map { "\($0.kind.rawValue) \($0.location.file)" } == [
        "outsideRoot ../outside.txt", "outsideRoot /etc/absolute.txt", "duplicateID folder/a.txt",
        "unsupportedFile hard.txt", "unsupportedFile pipe", "unsupportedFile symbolic.txt",
      ])
  }

  @Test("A deflated file is read from any place, in any order and by several threads")
  func anyOrder() throws {
    for isDeflated in [true, false] {
      var zip = ZipBuilder()
      zip.add("a.txt", Self.text, isDeflated: isDeflated)
      zip.add("b.txt", Array(Self.text.reversed()), isDeflated: isDeflated)
      let archive = try Self.memory(zip.bytes)
      var random = SplitMix64(seed: 11)
      let places = (0..<40).map { _ in Int.random(in: 0..<Self.text.count, using: &random) }
      DispatchQueue.concurrentPerform(iterations: places.count) { index in
        var bytes = [UInt8](repeating: 0, count: 5_000)
        let path = index.isMultiple(of: 2) ? "a.txt" : "b.txt"
        let count =
          (try? bytes.withUnsafeMutableBytes {
            try archive.read(path, at: places[index], into: $0)
          }) ?? -1
        let whole = index.isMultiple(of: 2) ? Self.text : Array(Self.text.reversed())
        let expected = whole[places[index]...].prefix(5_000)
        #expect(count == expected.count && bytes.prefix(count).elementsEqual(expected))
      }
    }
  }

  @Test("Reading on costs nothing, also while the heads of many other files are read")
  func linear() throws {
    var zip = ZipBuilder()
    zip.add("a.txt", Self.text)
    let images = Array(Self.text.prefix(60_000))
    for place in 0..<100 { zip.add("\(place).jpg", images) }
    let bytes = zip.bytes
    let tree = CountingTree(bytes)
    let archive = try Self.open(tree)
    tree.count.withLock { $0 = 0 }
    var piece = [UInt8](repeating: 0, count: 10_000)
    var offset = 0
    var rounds = 0
    while offset < Self.text.count {
      offset += try piece.withUnsafeMutableBytes { try archive.read("a.txt", at: offset, into: $0) }
      rounds += 1
      _ = try piece.withUnsafeMutableBytes {
        try archive.read("\(rounds % 100).jpg", at: 0, into: $0)
      }
    }
    #expect(rounds > 100)
    // Read from the start each time, the text alone would be 60 times the archive.
    #expect(tree.count.withLock { $0 } < 3 * bytes.count)
  }

  @Test(
    "“\\” separates folders in entries of MS-DOS, and of others if no name has “/”",
    arguments: [0, 3])
  func backslashes(host: Int) throws {
    var zip = ZipBuilder()
    zip.add("x\\", [], host: host)
    zip.add("x\\a.txt", [1], host: host)
    zip.add("b.txt", [2], host: host)
    #expect(try Self.memory(zip.bytes).files().map(\.path) == ["b.txt", "x/a.txt"])
    zip.add("x/c.txt", [3], host: host)
    zip.add("x/d\\e.txt", [4], host: host)
    #expect(
      try Self.memory(zip.bytes).files().map(\.path)
        == ["b.txt"]
        + (host == 0
          ? ["x/a.txt", "x/c.txt", "x/d/e.txt"]
          : ["x/c.txt", "x/d\\e.txt", "x\\", "x\\a.txt"]))
  }

  @Test(
    "A file that unpacks to more or fewer bytes than stated, or with another checksum, is an error")
  func falseSizes() throws {
    var zip = ZipBuilder()
    zip.add("more.txt", Self.text, stated: Self.text.count - 1)
    zip.add("fewer.txt", Self.text, stated: Self.text.count + 1)
    zip.add("sum.txt", Self.text, checksum: 1)
    zip.add("sum-stored.txt", [1, 2, 3], isDeflated: false, checksum: 1)
    zip.add("right.txt", Self.text)
    let archive = try Self.memory(zip.bytes)
    let size = Self.text.count - 1
    #expect(throws: ArchiveError.largerThanStated("more.txt", size: size)) {
      try archive.readAll("more.txt", limit: 1 << 30)
    }
    for path in ["fewer.txt", "sum.txt", "sum-stored.txt"] {
      #expect(throws: ArchiveError.self) { try archive.readAll(path, limit: 1 << 30) }
    }
    #expect(try archive.readAll("right.txt", limit: 1 << 30) == Self.text)
    #expect(throws: SourceReadError.self) { try archive.readAll("right.txt", limit: 1_000) }
    #expect(throws: ArchiveError.missing(entry: "none", archive: "x.zip")) {
      try archive.readAll("none", limit: 9)
    }
  }

  @Test("Entries that expand beyond the limits are issues; data that two entries share is refused")
  func bombs() throws {
    var zip = ZipBuilder()
    zip.add("impossible.txt", [1, 2, 3], stated: 1 << 20)
    zip.add("bomb.bin", [UInt8](repeating: 0, count: 4 << 20), stated: (1 << 30) + 1)
    zip.add("zeros.bin", [UInt8](repeating: 0, count: 4 << 20))
    let archive = try Self.memory(zip.bytes)
    // 4 MiB of zeros are 4 KB.
    #expect(
      try archive.issues().map { "\($0.kind.rawValue) \($0.location.file)" } == [
        "badField bomb.bin", "badField impossible.txt",
      ])
    #expect(try archive.files().map(\.path) == ["zeros.bin"])
    zip = ZipBuilder()
    zip.add("a.txt", Self.text)
    zip.add("b.txt", Self.text, offset: 0)
    #expect(throws: ArchiveError.overlap("x.zip", entry: "b.txt")) { try Self.memory(zip.bytes) }
  }

  @Test("A cut archive is refused (zip), or names the first missing member (tar)")
  func cut() throws {
    let zip = try FileTree(fixture: "archives/splits.zip").readAll("splits.zip", limit: 1 << 20)
    for end in [20, zip.count / 2, zip.count - 1] {
      #expect(throws: ArchiveError.self) { try Self.memory(Array(zip[..<end])) }
    }
    let tar = try FileTree(fixture: "archives/splits.tar").readAll("splits.tar", limit: 1 << 20)
    let archive = try Self.memory(Array(tar[..<(512 + 10)]))
    #expect(try archive.files().isEmpty)
    #expect(try archive.issues().map(\.kind) == [.truncated])
    // At the end of a member: only the missing end mark tells.
    let first = try #require(try Self.memory(tar).files().first)
    let end = 512 + (first.size + 511) / 512 * 512
    for cut in [end, 512 + first.size] {
      let short = try Self.memory(Array(tar[..<cut]))
      #expect(try short.files() == [first])
      let issue = try #require(try short.issues().first)
      #expect(issue.kind == .truncated && issue.severity == .warning)
      #expect(issue.message.contains("has no end mark"))
    }
    let both = try Self.memory(tar + tar)
    #expect(try both.files().count == 3)
    #expect(try both.issues().map(\.kind) == [.truncated])
    var damaged = tar
    damaged[5] ^= 1
    #expect(throws: (any Error).self) { try Self.memory(damaged) }
  }

  @Test("A program that unpacks itself is read as the zip archive at its end")
  func selfExtracting() throws {
    let zip = try FileTree(fixture: "archives/splits.zip").readAll("splits.zip", limit: 1 << 20)
    let program = Array("MZ".utf8) + [UInt8](repeating: 0x90, count: 70_000)
    let archive = try Self.open(MemoryTree(program + zip, name: "set.exe"))
    #expect(try archive.files().count == 3)
    for file in try archive.files() {
      let plain = try Self.open("splits.zip").readAll(file.path, limit: 1 << 20)
      #expect(try archive.readAll(file.path, limit: 1 << 20) == plain)
    }
    #expect(try ArchiveKind.detect(MemoryTree(program, name: "x.exe"), "x.exe") == nil)
    #expect(try ArchiveKind.detect(MemoryTree("MZ", name: "x.exe"), "x.exe") == nil)
  }

  @Test("An archive that is compressed as a whole is refused, with the command that unpacks it")
  func packed() throws {
    let tar = try FileTree(fixture: "archives/splits.tar").readAll("splits.tar", limit: 1 << 20)
    let heads: [(name: String, bytes: [UInt8], command: String)] = [
      ("x.tar.zst", [0x28, 0xB5, 0x2F, 0xFD], "zstd -d x.tar.zst"),
      ("x.tar.bz2", Array("BZh9".utf8), "bunzip2 -k x.tar.bz2"),
      ("x.tar.gz", Array("BZh9".utf8), "bunzip2 -k x.tar.gz"),
      ("twice.tar.gz", ZipBuilder.gzip(ZipBuilder.gzip(tar)), "compressed with gzip twice"),
      ("x.txz", [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], "unxz -k x.txz"),
      ("x.7z", Array("7z".utf8) + [0xBC, 0xAF, 0x27, 0x1C], "7z x x.7z -ox"),
      ("x.rar", Array("Rar!\u{1A}\u{7}\u{1}".utf8), "unrar x x.rar x/"),
    ]
    for head in heads {
      let error = #expect(throws: ArchiveError.self) {
        try Self.open(MemoryTree(head.bytes, name: head.name))
      }
      #expect("\(try #require(error))".contains(head.command))
    }
    #expect(try ArchiveKind.detect(MemoryTree("a,b\n"), "rows.csv") == nil)
    #expect(try ArchiveKind.detect(MemoryTree(tar, name: "x.bin"), "x.bin") == .tar)
    #expect(try ArchiveKind.detect(MemoryTree([0x1F, 0x8B], name: "x.csv.gz"), "x.csv.gz") == nil)
  }

  @Test("Damaged archives are read in part or refused")
  func mutations() throws {
    let seeds = try [
      "splits.zip", "large.zip", "odd.zip", "coco.tar", "coco-gnu.tar", "odd.tar", "splits.tar.gz",
      "coco-members.tgz",
    ]
    .map {
      try FileTree(fixture: "archives/\($0)").readAll($0, limit: 1 << 20)
    }
    var random = SplitMix64(seed: 51)
    var opened = 0
    var read = 0
    for round in 0..<(LongTests.areOn ? 100_000 : 3_000) {
      var bytes = seeds[round % seeds.count]
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        // The directory of a zip archive and the headers of a tar archive are the minority.
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 2: bytes[place] = [0, 0xFF, 0x80, 0x37][Int.random(in: 0..<4, using: &random)]
        case 3: bytes.removeSubrange(place..<min(bytes.count, place + 30))
        default: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 30)], at: place)
        }
        if bytes.isEmpty { bytes = [0] }
      }
      if round % 2 == 0 { Self.mendChecksums(&bytes) }
      do {
        let archive = try Self.memory(bytes)
        opened += 1
        for file in try archive.files() {
          #expect(!file.path.split(separator: "/").contains { $0.hasPrefix(".") })
          guard let content = try? archive.readAll(file.path, limit: 1 << 22) else { continue }
          #expect(content.count == file.size)
          read += 1
        }
      } catch is ArchiveError {
      } catch is NoArchive {
        // Not recognized as an archive any more.
      }
    }
    #expect(opened > 300)
    #expect(read > opened)
  }

  /// Writes the right checksum into each block that looks like a tar header, so that mutations of its
  /// fields are read.
  private static func mendChecksums(_ bytes: inout [UInt8]) {
    for start in stride(from: 0, to: bytes.count - 511, by: 512)
    where bytes[(start + 257)...].starts(with: Array("ustar".utf8)) {
      for place in 148..<156 { bytes[start + place] = 0x20 }
      let sum = bytes[start..<(start + 512)].reduce(0) { $0 + Int($1) }
      let digits = Array(String(sum, radix: 8).utf8)
      let field = [UInt8](repeating: 0x30, count: max(0, 6 - digits.count)) + digits + [0, 0x20]
      bytes.replaceSubrange((start + 148)..<(start + 156), with: field.suffix(8))
    }
  }
}
