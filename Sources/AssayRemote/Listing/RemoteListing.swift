package import AssayCore
import Foundation
import Synchronization

/// A file of a source that is not local, as its server lists it.
package struct RemoteEntry: Hashable, Sendable {
  /// The path below the address; the name for a single file.
  package var path: String
  package var size: Int
  /// The time of the last change, in seconds since 1970; 0 if it is not stated.
  package var modified: Int
  /// The ETag as stated, with its quotes; empty if there is none.
  package var tag: String

  package init(path: String, size: Int, modified: Int, tag: String) {
    self.path = path
    self.size = size
    self.modified = modified
    self.tag = tag
  }

  /// A text that differs after a change: the ETag, or else the time.
  var stamp: String { tag.isEmpty ? "\(modified)" : tag }

  /// True if a change can be noticed.
  var hasStamp: Bool { !tag.isEmpty || modified > 0 }
}

/// The files below an address at one time, with a hash over names, sizes and versions.
package final class RemoteListing: Sendable {
  package let address: RemoteAddress
  package let isSingleFile: Bool
  /// Sorted by path, bytewise.
  package let entries: [RemoteEntry]
  /// The files that were left out; only of a fresh listing.
  package let issues: [Issue]
  /// The hexadecimal SHA-256 of names, sizes and versions.
  package let hash: String
  private let places = Mutex<[String: Int]?>(nil)

  package init(
    address: RemoteAddress, isSingleFile: Bool, entries: [RemoteEntry], issues: [Issue] = []
  ) {
    self.address = address
    self.isSingleFile = isSingleFile
    self.entries = entries
    self.issues = issues
    var hash = ContentHash()
    hash.update("\(isSingleFile ? "file" : "folder")\n")
    for entry in entries { hash.update("\(entry.path)\t\(entry.size)\t\(entry.stamp)\n") }
    self.hash = hash.hexadecimal()
  }

  /// The number of an entry; `nil` if there is none. Paths are compared regardless of Unicode's normalization form.
  func index(of path: String) -> Int? {
    places.withLock { places in
      if let places { return places[path] }
      var made: [String: Int] = [:]
      made.reserveCapacity(entries.count)
      for (index, entry) in entries.enumerated() { made[entry.path] = index }
      places = made
      return made[path]
    }
  }

  package var bytes: Int { entries.reduce(0) { $0.addingReportingOverflow($1.size).partialValue } }

  /// The address of an entry.
  func address(of entry: RemoteEntry) -> RemoteAddress {
    isSingleFile ? address : address.appending(entry.path)
  }

  // MARK: Text

  private static let title = "assay remote listing 1"

  /// The listing as the cache keeps it.
  var text: String {
    var text = "\(Self.title)\t\(isSingleFile ? "file" : "folder")\t\(entries.count)\n"
    for entry in entries {
      text += "\(entry.path)\t\(entry.size)\t\(entry.modified)\t\(entry.tag)\n"
    }
    return text
  }

  /// Reads ``text``; `nil` if it is damaged.
  init?(_ text: String, address: RemoteAddress) {
    // Only line feeds end lines: names can have other separators of Unicode.
    var lines = text.utf8.split(separator: UInt8(ascii: "\n"))[...]
    guard let first = lines.popFirst().map({ String(Substring($0)).split(separator: "\t") }),
      first.count == 3, first[0] == Self.title, Int(first[2]) == lines.count
    else { return nil }
    var entries: [RemoteEntry] = []
    entries.reserveCapacity(lines.count)
    for line in lines {
      let fields = line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
      guard fields.count == 4, let size = Int(String(Substring(fields[1]))), size >= 0,
        let modified = Int(String(Substring(fields[2])))
      else { return nil }
      entries.append(
        RemoteEntry(
          path: String(Substring(fields[0])), size: size, modified: modified,
          tag: String(Substring(fields[3]))))
    }
    self.address = address
    isSingleFile = first[1] == "file"
    self.entries = entries
    issues = []
    var hash = ContentHash()
    hash.update("\(isSingleFile ? "file" : "folder")\n")
    for entry in entries { hash.update("\(entry.path)\t\(entry.size)\t\(entry.stamp)\n") }
    self.hash = hash.hexadecimal()
  }
}

/// Collects the files that a server lists, and leaves out what cannot be a file of a dataset.
package struct ListingDraft {
  private(set) var entries: [RemoteEntry] = []
  private var issues: [Issue] = []
  private let address: RemoteAddress
  private let limit: Int

  /// The maximum number of files, as of a folder on disk.
  package static let fileLimit = 5_000_000
  /// The maximum number of issues that are kept.
  private static let issueLimit = 10_000

  package init(_ address: RemoteAddress, limit: Int = Self.fileLimit) {
    self.address = address
    self.limit = limit
  }

  /// Adds a file.
  ///
  /// - Throws: ``RemoteError/tooMany(_:limit:)``.
  package mutating func add(_ entry: RemoteEntry) throws(RemoteError) {
    if let fault = Self.fault(of: entry.path) {
      note(entry.path, .outsideRoot, fault)
    } else if !entry.path.split(separator: "/").contains(where: { $0.hasPrefix(".") }) {
      guard entries.count < limit else { throw .tooMany(address.text, limit: limit) }
      var entry = entry
      if !Self.isTag(entry.tag) { entry.tag = "" }
      entries.append(entry)
    }
  }

  mutating func note(_ path: String, _ kind: IssueKind, _ message: String) {
    guard issues.count < Self.issueLimit else { return }
    let shown = String(
      path.unicodeScalars.prefix(300).map { $0.value < 0x20 ? "?" : Character($0) })
    issues.append(
      Issue(kind, .error, at: IssueLocation(file: shown), "\(message); it was left out"))
  }

  /// The reason why a name cannot be the path of a file below a folder; `nil` if it can.
  package static func fault(of path: String) -> String? {
    let names = path.split(separator: "/", omittingEmptySubsequences: false)
    if path.hasPrefix("/") { return "the name starts with “/”" }
    if names.contains("..") || names.contains(".") { return "the name leaves the folder" }
    if names.contains("") { return "a part of the name is empty" }
    if path.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) {
      return "the name has control characters"
    }
    if path.utf8.count > 1_024 { return "the name has more than 1,024 bytes" }
    return names.count > 64 ? "the name has more than 64 parts" : nil
  }

  private static func isTag(_ tag: String) -> Bool {
    tag.utf8.count <= 256 && tag.unicodeScalars.allSatisfy { (0x20..<0x7F).contains($0.value) }
  }

  /// The listing of a folder.
  package mutating func finished() -> RemoteListing {
    entries.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    var kept: [RemoteEntry] = []
    kept.reserveCapacity(entries.count)
    var seen: Set<String> = []
    for entry in entries {
      // Texts are equal in whichever normalization form they are.
      if entry.path.isASCII ? kept.last?.path == entry.path : !seen.insert(entry.path).inserted {
        note(entry.path, .duplicateID, "another file has the same name")
      } else {
        kept.append(entry)
      }
    }
    return RemoteListing(address: address, isSingleFile: false, entries: kept, issues: issues)
  }
}
