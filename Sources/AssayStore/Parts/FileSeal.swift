package import AssayCore
import Foundation
import GRDB

/// The end of an SQLite file that is complete: the SHA-256 of its bytes.
///
/// The hash comes after the last page, where SQLite does not read: a file that was cut or damaged is
/// recognized in one pass over it.
package struct FileSeal: Sendable {
  /// `application_id` of the files.
  let applicationID: Int32
  private let mark: String

  /// - Parameter kind: the word for the files in their last bytes.
  init(kind: String, applicationID: Int32) {
    self.applicationID = applicationID
    mark = "\nassay \(kind) sha256 "
  }

  /// The last bytes of a file whose other bytes have this hash.
  package func trailer(_ hash: ContentHash) -> [UInt8] {
    Array((mark + hash.hexadecimal() + "\n").utf8)
  }

  private var trailerSize: Int { mark.utf8.count + 64 + 1 }

  /// The size of a file, which must end with a trailer.
  ///
  /// - Throws: ``PartFault/incomplete``; `StoreError` if the file cannot be read.
  func size(of path: String) throws -> Int {
    // Opening a named pipe would wait for a writer.
    var facts = stat()
    guard stat(path, &facts) != 0 || facts.st_mode & S_IFMT == S_IFREG else {
      throw PartFault.incomplete
    }
    return try SealedBytes(path).checkedSize(endingWith: mark, trailerSize)
  }

  /// Compares the bytes of the whole file with their hash.
  ///
  /// - Throws: ``PartFault``; `StoreError` if the file cannot be read.
  func verify(_ path: String, size: Int) throws {
    let bytes = try SealedBytes(path)
    guard try trailer(bytes.hash(of: size - trailerSize)) == bytes.tail(trailerSize) else {
      throw PartFault.changed
    }
  }

  /// Opens a file for reading.
  static func connect(_ path: String) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(CatalogFile.busyTimeout)
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA trusted_schema = OFF") }
    return try DatabaseQueue(path: path, configuration: configuration)
  }

  /// Reads from a file of this kind.
  ///
  /// - Throws: ``PartFault``; `StoreError` if the file cannot be read.
  func reading<Value>(_ path: String, _ work: (Database) throws -> Value) throws -> Value {
    try Self.judging {
      try translating(path, "reading a part") {
        try Self.connect(path).inDatabase { database in
          guard try Int32.fetchOne(database, sql: "PRAGMA application_id") == applicationID else {
            throw PartFault.incomplete
          }
          return try work(database)
        }
      }
    }
  }

  /// Runs work, and replaces SQLite's errors about damaged files with ``PartFault/changed``.
  static func judging<Value>(_ work: () throws -> Value) throws -> Value {
    do {
      return try work()
    } catch StoreError.notACatalog {
      throw PartFault.changed
    } catch StoreError.sqlite(let code, _, _) where [1, 11].contains(code & 0xFF) {
      // SQLITE_ERROR of a missing table or column, SQLITE_CORRUPT.
      throw PartFault.changed
    }
  }

  /// Returns whether a file has the tables of this version of assay.
  static func hasCurrentSchema(_ database: Database) throws -> Bool {
    let schema = try String.fetchAll(
      database, sql: "SELECT identifier FROM grdb_migrations ORDER BY rowid")
    return schema == Migrations.all.map(\.name)
  }
}

/// The bytes of a sealed file.
private final class SealedBytes {
  private let descriptor: Int32

  init(_ path: String) throws {
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw StoreError.cannotOpen(path: path, reason: String(cString: strerror(errno)))
    }
  }

  deinit { close(descriptor) }

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
    guard count == length else { throw failure }
    return bytes
  }

  func hash(of count: Int) throws -> ContentHash {
    var hash = ContentHash()
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    var place = 0
    while place < count {
      let read = buffer.withUnsafeMutableBytes {
        pread(descriptor, $0.baseAddress, min($0.count, count - place), off_t(place))
      }
      if read < 0, errno == EINTR { continue }
      guard read > 0 else { throw failure }
      buffer.withUnsafeBytes { hash.update(UnsafeRawBufferPointer(rebasing: $0[..<read])) }
      place += read
    }
    return hash
  }

  /// SQLite's code for a file that cannot be read.
  private var failure: StoreError {
    .sqlite(code: 266, message: String(cString: strerror(errno)), doing: "reading a part")
  }
}
