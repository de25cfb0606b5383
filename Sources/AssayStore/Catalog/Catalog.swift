import GRDB
import Synchronization

/// The catalog: one SQLite file that indexes datasets and keeps views, models, runs and evaluations.
///
/// A file that it made itself goes again with it where nothing was put in. Its methods may be called from any thread; they take turns, apart from
/// ``forEachPixels(of:_:)``, which reads on a connection of its own. All of them throw
/// ``StoreError``, besides what a closure that they are given throws.
package final class Catalog: Sendable {
  /// The kind of access that a command needs.
  package enum Access: Sendable {
    /// Opens it, and makes it where there is none.
    case create
    case readWrite
    case readOnly
  }

  /// Told how far a piece of work has come (0...1) and what it is, on the thread that asked for it. What it
  /// throws ends the work, and what is done is kept.
  package typealias Progress = @Sendable (_ fraction: Double, _ what: String) throws -> Void

  package let path: String
  let connection: DatabaseQueue
  /// Told how far long work of the catalog's own has come; ends it where it throws.
  let progress: Progress?
  /// True if this object made the file.
  let isNew: Bool
  /// The ground truth that queries are answered from.
  package let truth: TruthSource
  /// The object whose connection this one uses, where that is another one.
  private let origin: Catalog?
  /// Connections that read pixels and are not in use.
  private let idleReaders = Mutex<[DatabaseQueue]>([])

  private init(
    path: String, connection: DatabaseQueue, isNew: Bool, progress: Progress?,
    truth: TruthSource = .imported, origin: Catalog? = nil
  ) {
    self.path = path
    self.progress = progress
    self.connection = connection
    self.isNew = isNew
    self.truth = truth
    self.origin = origin
  }

  /// The same catalog, reading another truth.
  package func reading(_ truth: TruthSource) throws -> Catalog {
    if let mirror = truth.mirror {
      try translating(mirror, "opening it") {
        try connection.unsafeReentrantWrite { try MirrorFile.attach(mirror, to: $0) }
      }
    }
    return Catalog(
      path: path, connection: connection, isNew: false, progress: progress, truth: truth,
      origin: self)
  }

  deinit {
    if let mirror = truth.mirror { CatalogFile.remove(mirror) }
    guard isNew else { return }
    closeReaders()
    CatalogFile.removeIfUnused(connection, path)
  }

  /// Opens the catalog in a file, bringing its schema up to date.
  ///
  /// - Parameter progress: told of long work that a question sets off: the first one about a class's
  ///   coverage measures it.
  /// - Throws: ``StoreError/noCatalog(path:)`` where there is none and `access` does not create one;
  ///   ``StoreError/notACatalog(path:)``, ``StoreError/newerSchema(path:)``,
  ///   ``StoreError/cannotOpen(path:reason:)``.
  package static func open(
    _ path: String, _ access: Access, progress: Progress? = nil
  ) throws -> Catalog {
    let (connection, isNew) = try CatalogFile.open(path, access)
    return Catalog(path: path, connection: connection, isNew: isNew, progress: progress)
  }

  /// Reads in one transaction.
  func read<Value>(_ doing: String, _ work: (Database) throws -> Value) throws -> Value {
    try transaction(.deferred, doing, work)
  }

  /// Writes in one transaction, which is rolled back where `work` throws.
  func write<Value>(_ doing: String, _ work: (Database) throws -> Value) throws -> Value {
    try transaction(.immediate, doing, work)
  }

  private func transaction<Value>(
    _ kind: Database.TransactionKind, _ doing: String, _ work: (Database) throws -> Value
  ) throws -> Value {
    try translating(path, doing) {
      try connection.unsafeReentrantWrite { database in
        if database.isInsideTransaction { return try work(database) }
        return try CatalogFile.noticingReadFailure(database) {
          var result: Result<Value, any Error>?
          try database.inTransaction(kind) {
            result = .success(try work(database))
            return .commit
          }
          guard let result else { throw DatabaseError(message: "no result") }
          return try result.get()
        }
      }
    }
  }

  /// Works on a connection that no other thread uses at the time.
  func withReader<Value>(_ doing: String, _ work: (Database) throws -> Value) throws -> Value {
    let reader = try idleReaders.withLock { $0.popLast() } ?? openReader()
    defer { idleReaders.withLock { $0.append(reader) } }
    return try translating(path, doing) {
      try reader.unsafeReentrantWrite { database in
        try CatalogFile.noticingReadFailure(database) { try work(database) }
      }
    }
  }

  /// Opens a further connection that reads, the file with the states beside where there is one.
  func openReader() throws -> DatabaseQueue {
    let reader = try CatalogFile.openReader(path)
    if let mirror = truth.mirror {
      try translating(mirror, "opening it") {
        try reader.inDatabase { try MirrorFile.attach(mirror, to: $0) }
      }
    }
    return reader
  }

  /// Closes the connections that only read.
  func closeReaders() {
    idleReaders.withLock { $0.removeAll() }
  }
}
