import AssayTestSupport
import Foundation
import GRDB
import Testing

@testable import AssayStore

@Suite("Thumbnails on disk")
struct ThumbnailStoreTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var path: String { folder.path + "/sub/thumbnails.db" }

  private func picture(_ byte: UInt8, _ count: Int = 1_000) -> ThumbnailStore.Picture {
    .init(bytes: [UInt8](repeating: byte, count: count), type: "image/png")
  }

  @Test("A picture is found by its name, also by another process and after opening again")
  func kept() throws {
    let store = try #require(ThumbnailStore(path: path, limit: 1 << 20))
    #expect(store.picture("a") == nil)
    store.keep(picture(1), "a")
    store.keep(picture(2), "a")
    #expect(store.picture("a") == picture(1))
    let other = try #require(ThumbnailStore(path: path, limit: 1 << 20))
    #expect(other.picture("a") == picture(1))
    other.keep(picture(3), "b")
    #expect(store.picture("b") == picture(3))
    #expect(store.usage.pictures == 2 && store.usage.bytes == 2_000)
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    #expect(store.clear().pictures == 2)
    #expect(store.usage.pictures == 0 && store.usage.bytes == 0 && other.picture("b") == nil)
  }

  @Test("Over the limit, those that were used longest ago are removed")
  func limit() throws {
    let store = try #require(ThumbnailStore(path: path, limit: 100_000))
    for number in 0..<300 { store.keep(picture(UInt8(number % 256)), "\(number)") }
    #expect(store.usage.bytes <= 100_000 && store.usage.bytes >= 80_000)
    #expect(store.picture("299") != nil && store.picture("0") == nil)
    store.keep(picture(9, 50_000), "large")
    #expect(store.picture("large") == nil)
  }

  @Test("A damaged file is begun anew; a place that cannot be written has none")
  func damaged() throws {
    try folder.write("sub/thumbnails.db", Array("this is no database, but it is long enough".utf8))
    let store = try #require(ThumbnailStore(path: path, limit: 1 << 20))
    store.keep(picture(1), "a")
    #expect(store.picture("a") == picture(1))
    #expect(ThumbnailStore(path: "/proc/nowhere/thumbnails.db", limit: 1 << 20) == nil)
  }

  @Test("Another database and a folder at the path are left as they are")
  func foreign() throws {
    try FileManager.default.createDirectory(
      atPath: folder.path + "/sub", withIntermediateDirectories: true)
    for sql in [
      "CREATE TABLE mine (a)", "CREATE TABLE thumbnail (name TEXT, used)",
      "CREATE TABLE total (bytes REAL)",
    ] {
      let path = folder.path + "/sub/\(sql.count).db"
      try DatabaseQueue(path: path).write { try $0.execute(sql: sql) }
      let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      #expect(ThumbnailStore(path: path, limit: 1 << 20) == nil)
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
    }
    try folder.write("place/thumbnails.db/kept.txt", Array("mine".utf8))
    #expect(ThumbnailStore(path: folder.path + "/place/thumbnails.db", limit: 1 << 20) == nil)
    #expect(FileManager.default.fileExists(atPath: folder.path + "/place/thumbnails.db/kept.txt"))
  }

  @Test("A file that another process has locked is neither waited for nor removed")
  func locked() throws {
    let store = try #require(ThumbnailStore(path: path, limit: 1 << 20))
    store.keep(picture(1), "a")
    var unsafe = Configuration()
    unsafe.allowsUnsafeTransactions = true
    let other = try DatabaseQueue(path: path, configuration: unsafe)
    try other.inDatabase { try $0.execute(sql: "BEGIN EXCLUSIVE") }
    #expect(ThumbnailStore(path: path, limit: 1 << 20) == nil)
    try other.inDatabase { try $0.execute(sql: "COMMIT") }
    #expect(store.picture("a") == picture(1))
    #expect(try #require(ThumbnailStore(path: path, limit: 1 << 20)).picture("a") == picture(1))
  }

  @Test("Values that no version writes make no trap")
  func values() throws {
    let store = try #require(ThumbnailStore(path: path, limit: 1 << 20))
    for (name, used) in [("least", Int64.min), ("most", .max), ("usual", 0)] {
      store.keep(picture(1), name)
      try DatabaseQueue(path: path).write {
        try $0.execute(
          sql: "UPDATE thumbnail SET used = ? WHERE name = ?", arguments: [used, name])
      }
      #expect(store.picture(name) == picture(1))
    }
    for total in [Int64.max, .min, -1] {
      try DatabaseQueue(path: path).write {
        try $0.execute(sql: "UPDATE total SET bytes = ?", arguments: [total])
      }
      store.keep(picture(2), "after \(total)")
      #expect(store.usage.bytes <= 7_000)
    }
  }

  @Test("A kind of file that is no picture is neither kept nor returned")
  func types() throws {
    let store = try #require(ThumbnailStore(path: path, limit: 1 << 20))
    store.keep(.init(bytes: [1, 2], type: "text/html"), "a")
    #expect(store.picture("a") == nil)
  }
}
