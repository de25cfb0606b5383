import AssayCore

/// The files of an archive and the entries that are left out, collected in the archive's order.
struct ArchiveEntries {
  /// The position of a file's data, and the way it is packed.
  struct Place: Sendable {
    enum Method: UInt8, Sendable {
      /// As it is, without a checksum (tar).
      case plain
      /// As it is, with a checksum (zip).
      case stored
      case deflated
    }

    /// The offset of the data (tar) or of the entry's local header (zip).
    var offset: Int
    /// The number of bytes of the data in the archive.
    var packed: Int
    var checksum: UInt32 = 0
    var method: Method
  }

  private let archive: String
  private var files: [SourceFile] = []
  private var places: [Place] = []
  private var found: [Issue] = []
  private var limit = IssueLimit()
  private var visited = 0

  /// The maximum number of entries, as of files in a folder.
  static let entryLimit = 5_000_000

  init(archive: String) { self.archive = archive }

  /// Counts an entry.
  ///
  /// - Throws: ``ArchiveError/tooManyEntries(_:limit:)``.
  mutating func count() throws {
    visited += 1
    guard visited <= Self.entryLimit else {
      throw ArchiveError.tooManyEntries(archive, limit: Self.entryLimit)
    }
  }

  mutating func add(_ path: String, size: Int, modified: Int64, _ place: Place) {
    files.append(SourceFile(path: path, size: size, modified: modified))
    places.append(place)
  }

  mutating func note(
    _ kind: IssueKind, _ name: String, _ message: String, severity: Issue.Severity = .error
  ) {
    guard limit.admits(kind) else { return }
    // A name can be a megabyte long, or contain no character that can be shown.
    let file = name.isEmpty ? "(an entry without a name)" : String(name.prefix(300))
    found.append(Issue(kind, severity, at: IssueLocation(file: file), message))
  }

  /// Returns the path of a file; `nil` if it is left out, with an issue unless it is hidden.
  mutating func path(of name: String) -> String? {
    switch ArchiveName(name) {
    case .file(let path): return path
    case .hidden: return nil
    case .outside:
      note(
        .outsideRoot, name,
        "the entry's name leaves the archive (an absolute path, or “..”); left out")
    case .unusable:
      note(
        .unsupportedFile, name,
        "the entry's name is empty, longer than \(ArchiveName.lengthLimit) bytes or nested deeper "
          + "than \(ArchiveName.depthLimit) folders; left out")
    }
    return nil
  }

  /// The files sorted by path, with the last one of those with the same path.
  mutating func finish() -> (files: SortedFiles, places: [Place], issues: [Issue]) {
    files.composePaths()
    let order = files.indices.sorted { a, b in
      if SortedFiles.precedes(files[a].path, files[b].path) { return true }
      return files[a].path == files[b].path && a < b
    }
    var kept: [SourceFile] = []
    var keptPlaces: [Place] = []
    kept.reserveCapacity(order.count)
    keptPlaces.reserveCapacity(order.count)
    var repeated = 0
    for (rank, index) in order.enumerated() {
      let isLast = rank + 1 == order.count || files[order[rank + 1]].path != files[index].path
      guard isLast else {
        repeated += 1
        continue
      }
      kept.append(files[index])
      keptPlaces.append(places[index])
      if repeated > 0 {
        note(
          .duplicateID, files[index].path,
          "the archive has \(repeated + 1) entries of this name; the last one is used",
          severity: .warning)
        repeated = 0
      }
    }
    files = []
    places = []
    found.sort { SortedFiles.precedes($0.location.file, $1.location.file) }
    return (SortedFiles(kept), keptPlaces, found + limit.remainder(in: archive))
  }
}
