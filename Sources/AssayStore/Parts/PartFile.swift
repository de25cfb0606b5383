package import AssayCore
import Foundation
import GRDB

/// The reasons why a file is not a usable part of a run.
package enum PartFault: Error, Hashable, Sendable {
  /// The end of the file is missing, or it is another file.
  case incomplete
  /// The bytes are not those that were written.
  case changed
  /// It was written with other tables than this version of assay has.
  case otherSchema
  /// The rows do not fit each other; with the problem.
  case inconsistent(String)
}

/// A part of a run: an SQLite file with the tables of a catalog, followed by the SHA-256 of its bytes.
///
/// The hash comes after the last page, where SQLite does not read: a part that was cut or damaged is
/// recognized in one pass over the file.
package struct PartFile: Sendable {
  package let path: String
  package let identity: PartIdentity
  /// The number of samples of the shard, and how many of them failed.
  package let samples: Int
  package let failed: Int
  /// The size of the file in bytes.
  package let size: Int
  /// The time when the part was begun, as `2026-01-31T12:00:00Z`.
  package let createdAt: String

  /// `application_id` of a part: "aspt".
  static let applicationID: Int32 = 0x6173_7074

  private static let mark = "\nassay part sha256 "

  /// The last bytes of a part whose other bytes have this hash.
  package static func trailer(_ hash: ContentHash) -> [UInt8] {
    Array((mark + hash.hexadecimal() + "\n").utf8)
  }

  private static var trailerSize: Int { mark.utf8.count + 64 + 1 }

  /// Reads a part's identity and counts, without reading all of its bytes.
  ///
  /// - Throws: ``PartFault``; `StoreError` if the file cannot be read.
  package init(_ path: String) throws {
    self.path = path
    // Opening a named pipe would wait for a writer.
    var facts = stat()
    guard stat(path, &facts) != 0 || facts.st_mode & S_IFMT == S_IFREG else {
      throw PartFault.incomplete
    }
    size = try PartBytes(path).checkedSize(endingWith: Self.mark, Self.trailerSize)
    (identity, samples, failed, createdAt) = try Self.reading(path) { database in
      guard
        let text = try String.fetchOne(database, sql: "SELECT identity FROM part"),
        let identity = PartIdentity(text)
      else { throw PartFault.inconsistent("its identity is missing") }
      let row = try Row.fetchOne(
        database,
        sql: """
          SELECT count(*), count(*) FILTER (WHERE status = 'failed'),
            count(*) FILTER (WHERE status = 'pending'), (SELECT max(createdAt) FROM run)
          FROM runSample
          """)
      guard let row, row[2] as Int == 0, let createdAt = row[3] as String? else {
        throw PartFault.inconsistent("samples are pending")
      }
      return (identity, row[0], row[1], createdAt)
    }
  }

  /// Compares the bytes of the whole file with their hash.
  ///
  /// - Throws: ``PartFault``; `StoreError` if the file cannot be read.
  package func verify() throws {
    let bytes = try PartBytes(path)
    guard try bytes.hash(of: size - Self.trailerSize) == bytes.tail(Self.trailerSize) else {
      throw PartFault.changed
    }
  }

  /// The run as the part has it, with the samples of its shard.
  ///
  /// - Throws: ``PartFault``, `StoreError`.
  package func run() throws -> RunRecord {
    try Self.reading(path) { database in
      let row = try Row.fetchOne(database, sql: RunRecord.query)
      guard let row else { throw PartFault.inconsistent("its run is missing") }
      return try RunRecord(row: row, in: database)
    }
  }

  /// Opens a part for reading.
  func connect() throws -> DatabaseQueue {
    try Self.connect(path)
  }

  private static func connect(_ path: String) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(CatalogFile.busyTimeout)
    return try DatabaseQueue(path: path, configuration: configuration)
  }

  private static func reading<Value>(
    _ path: String, _ work: (Database) throws -> Value
  ) throws -> Value {
    do {
      return try translating(path, "reading a part") {
        try connect(path).inDatabase { database in
          guard try Int32.fetchOne(database, sql: "PRAGMA application_id") == applicationID else {
            throw PartFault.incomplete
          }
          let schema = try String.fetchAll(
            database, sql: "SELECT identifier FROM grdb_migrations ORDER BY rowid")
          guard schema == Migrations.all.map(\.name) else { throw PartFault.otherSchema }
          return try work(database)
        }
      }
    } catch StoreError.notACatalog {
      throw PartFault.changed
    } catch StoreError.sqlite(let code, _, _) where [1, 11].contains(code & 0xFF) {
      // SQLITE_ERROR of a missing table or column, SQLITE_CORRUPT.
      throw PartFault.changed
    }
  }
}

/// The bytes of a part, read from its file.
private final class PartBytes {
  private let path: String
  private let descriptor: Int32

  init(_ path: String) throws {
    self.path = path
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw StoreError.cannotOpen(path: path, reason: String(cString: strerror(errno)))
    }
  }

  deinit { close(descriptor) }

  /// The size of the file, which must end with a trailer.
  func checkedSize(endingWith mark: String, _ length: Int) throws -> Int {
    var facts = stat()
    guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG,
      facts.st_size > length, try tail(length).starts(with: Array(mark.utf8))
    else { throw PartFault.incomplete }
    return Int(facts.st_size)
  }

  func tail(_ length: Int) throws -> [UInt8] {
    let end = lseek(descriptor, 0, SEEK_END)
    var bytes = [UInt8](repeating: 0, count: length)
    let count = bytes.withUnsafeMutableBytes {
      pread(descriptor, $0.baseAddress, length, end - off_t(length))
    }
    guard count == length else { throw failure("reading a part") }
    return bytes
  }

  /// The trailer of the first bytes.
  func hash(of count: Int) throws -> [UInt8] {
    var hash = ContentHash()
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    var place = 0
    while place < count {
      let read = buffer.withUnsafeMutableBytes {
        pread(descriptor, $0.baseAddress, min($0.count, count - place), off_t(place))
      }
      if read < 0, errno == EINTR { continue }
      guard read > 0 else { throw failure("reading a part") }
      buffer.withUnsafeBytes { hash.update(UnsafeRawBufferPointer(rebasing: $0[..<read])) }
      place += read
    }
    return PartFile.trailer(hash)
  }

  /// SQLite's code for a file that cannot be read.
  private func failure(_ doing: String) -> StoreError {
    .sqlite(code: 266, message: String(cString: strerror(errno)), doing: doing)
  }
}
