import GRDB
import Synchronization

/// The catalog: one SQLite file that indexes datasets and keeps views, models, runs and evaluations.
///
/// If it created the file and nothing was added, it removes the file when it is deallocated. Its
/// methods can be called from any thread; calls are serialized, except ``forEachPixels(of:_:)``,
/// which reads on its own connection. All of them throw ``StoreError``, plus any error that a
/// closure passed to them throws.
package final class Catalog: Sendable {
  /// The kind of access that a command needs.
  package enum Access: Sendable {
    /// Opens the catalog, creating it if there is none.
    case create
    case readWrite
    /// Opens the catalog for reading; one of an earlier version is updated before.
    case readOnly
    /// Opens the catalog for reading and leaves its file as it is: one of an earlier version is an error.
    case unchanged
  }

  /// Receives the progress of a task (0...1) and its description, on the thread that started the
  /// task. If it throws, the task stops, and the completed work is kept.
  package typealias Progress = @Sendable (_ fraction: Double, _ what: String) throws -> Void

  package let path: String
  let connection: DatabaseQueue
  /// Receives the progress of the catalog's own long tasks; stops them if it throws.
  let progress: Progress?
  /// True if this object created the file.
  let isNew: Bool
  /// True if this object updated a file of an earlier version.
  package let isUpdated: Bool
  /// The ground truth that queries use.
  package let truth: TruthSource
  /// The file of a ``RunOverlay``; `nil` if the catalog's own runs are read.
  private let overlay: String?
  /// The catalog whose connection this one uses; `nil` if it opened its own.
  private let origin: Catalog?
  /// Idle connections for reading pixels.
  private let idleReaders = Mutex<[DatabaseQueue]>([])

  private init(
    path: String, connection: DatabaseQueue, isNew: Bool, isUpdated: Bool = false,
    progress: Progress?, truth: TruthSource = .imported, overlay: String? = nil,
    origin: Catalog? = nil
  ) {
    self.path = path
    self.progress = progress
    self.connection = connection
    self.isNew = isNew
    self.isUpdated = isUpdated
    self.truth = truth
    self.overlay = overlay
    self.origin = origin
  }

  /// Returns the same catalog with a different ground truth.
  package func reading(_ truth: TruthSource) throws -> Catalog {
    if let mirror = truth.mirror {
      try translating(mirror, "opening it") {
        try connection.unsafeReentrantWrite { try MirrorFile.attach(mirror, to: $0) }
      }
    }
    return Catalog(
      path: path, connection: connection, isNew: false, progress: progress, truth: truth,
      overlay: overlay, origin: self)
  }

  /// Returns the same catalog with the run in a file in place of its own runs.
  func overlaid(by file: String) throws -> Catalog {
    try translating(file, "opening it") {
      try connection.unsafeReentrantWrite { try RunOverlay.attach(file, to: $0) }
    }
    return Catalog(
      path: path, connection: connection, isNew: false, progress: progress, truth: truth,
      overlay: file, origin: self)
  }

  deinit {
    if let mirror = truth.mirror { CatalogFile.remove(mirror) }
    guard isNew else { return }
    closeReaders()
    CatalogFile.removeIfUnused(connection, path)
  }

  /// Opens the catalog in a file and migrates its schema to the current version.
  ///
  /// - Parameter progress: called during long tasks that a query starts: the first query for a
  ///   class's coverage measures it.
  /// - Throws: ``StoreError/noCatalog(path:)`` if there is none and `access` does not create one;
  ///   ``StoreError/notACatalog(path:)``, ``StoreError/newerSchema(path:)``,
  ///   ``StoreError/cannotOpen(path:reason:)``.
  package static func open(
    _ path: String, _ access: Access, progress: Progress? = nil
  ) throws -> Catalog {
    let (connection, isNew, isUpdated) = try CatalogFile.open(path, access)
    return Catalog(
      path: path, connection: connection, isNew: isNew, isUpdated: isUpdated, progress: progress)
  }

  /// Shows a sealed file as a catalog that is only read.
  convenience init(sealed path: String, connection: DatabaseQueue) {
    self.init(path: path, connection: connection, isNew: false, progress: nil)
  }

  /// Reads in one transaction.
  func read<Value>(_ doing: String, _ work: (Database) throws -> Value) throws -> Value {
    try transaction(.deferred, doing, work)
  }

  /// Writes in one transaction, which is rolled back if `work` throws.
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

  /// Runs work on a connection that no other thread uses at the same time.
  func withReader<Value>(_ doing: String, _ work: (Database) throws -> Value) throws -> Value {
    let reader = try idleReaders.withLock { $0.popLast() } ?? openReader()
    defer { idleReaders.withLock { $0.append(reader) } }
    return try translating(path, doing) {
      try reader.unsafeReentrantWrite { database in
        try CatalogFile.noticingReadFailure(database) { try work(database) }
      }
    }
  }

  /// Opens another read connection, and attaches the file with the states if there is one.
  func openReader() throws -> DatabaseQueue {
    let reader = try CatalogFile.openReader(path)
    if let mirror = truth.mirror {
      try translating(mirror, "opening it") {
        try reader.inDatabase { try MirrorFile.attach(mirror, to: $0) }
      }
    }
    if let overlay {
      try translating(overlay, "opening it") {
        try reader.inDatabase { try RunOverlay.attach(overlay, to: $0) }
      }
    }
    return reader
  }

  /// Closes the connections that only read.
  func closeReaders() {
    idleReaders.withLock { $0.removeAll() }
  }
}
