package import AssayCore
import AssayFormats
import AssayStore
import Foundation
import Synchronization

/// The frames that were captured live: files in a folder beside the catalog, and a dataset of them.
///
/// A captured frame is on disk when ``capture(_:reason:time:fields:)`` returns; the dataset has it after the next
/// ``importFrames()``.
package final class FrameCapture: Sendable {
  package let dataset: String
  /// The folder with the images and ``FrameIndex/name``.
  package let folder: String
  private let catalogPath: String
  /// The `track` of this session's frames: its start in ISO 8601, UTC.
  package let track: String
  private let inside: Mutex<Inside>
  /// Held by the one thread that imports.
  private let importing = Mutex(0)

  private struct Inside {
    /// The number of frames in the folder, and of those that this session added.
    var count: Int
    var added = 0
    let list: FileHandle
  }

  /// The present time in ISO 8601, UTC.
  private static var now: String {
    Date().formatted(.iso8601)
  }

  /// Opens the folder of a dataset, or creates it.
  ///
  /// - Throws: ``CaptureError``; `StoreError`; `FileFailure`; `FormatError` for a damaged list.
  package init(dataset: String, catalogPath: String) throws {
    try Name.checked(dataset)
    let parent = FilmRecording.folder(ofCatalog: catalogPath)
    folder = parent + "/" + dataset + "-captured"
    self.dataset = dataset
    self.catalogPath = catalogPath
    track = Self.now
    if let known = try Catalog.open(catalogPath, .readOnly).findDataset(named: dataset),
      known.root != URL(fileURLWithPath: folder).standardizedFileURL.path
    {
      let isMoved = known.root.split(separator: "/").last == folder.split(separator: "/").last
      throw isMoved
        ? CaptureError.movedDataset(dataset, from: known.root, to: folder)
        : CaptureError.otherDataset(dataset)
    }
    for path in [parent, folder] where mkdir(path, 0o777) != 0 && errno != EEXIST {
      throw FileFailure(path: path, code: errno)
    }
    let path = folder + "/" + FrameIndex.name
    try Self.repair(path)
    let descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o666)
    guard descriptor >= 0 else { throw FileFailure(path: path, code: errno) }
    let list = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { throw CaptureError.inUse(folder) }
    var count = 0
    if lseek(descriptor, 0, SEEK_END) == 0 {
      try list.write(contentsOf: Data((FrameIndex(source: "live").head + "\n").utf8))
      try list.synchronize()
    } else {
      let known: FrameIndex
      do {
        known = try FrameIndex(DirectoryTree(folder))
      } catch let error as FormatError {
        throw CaptureError.damagedList(path, reason: "\(error)")
      }
      count = (known.entries.map(\.frame).max() ?? -1) + 1
    }
    inside = Mutex(Inside(count: count, list: list))
  }

  /// Removes a last line that a killed process did not finish.
  private static func repair(_ path: String) throws(FileFailure) {
    guard let bytes = FileManager.default.contents(atPath: path), !bytes.isEmpty,
      bytes.last != UInt8(ascii: "\n")
    else { return }
    let end = bytes.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    guard truncate(path, off_t(end)) == 0 else { throw FileFailure(path: path, code: errno) }
  }

  /// The number of frames in the folder, and of those that this session added.
  package var count: Int { inside.withLock(\.count) }
  package var added: Int { inside.withLock(\.added) }

  /// Stores a frame; returns when it is on disk.
  ///
  /// - Parameters:
  ///   - jpeg: the image, as it is stored.
  ///   - reason: why it was captured, for its field `reason`.
  ///   - time: seconds since the start of the session.
  ///   - fields: further fields of the sample.
  /// - Returns: the name of its file, which is the sample's key.
  /// - Throws: `FileFailure`; an error of writing.
  package func capture(
    _ jpeg: [UInt8], reason: String, time: Double, fields: [JSONValue.Member]
  ) throws -> String {
    try inside.withLock { inside in
      let number = String(inside.count)
      let name = String(repeating: "0", count: max(0, 8 - number.count)) + number + ".jpg"
      let place = try OpenFolder(folder)
      let draft = try place.draft(of: name)
      try draft.append(jpeg)
      try draft.finish(synchronizing: true)
      let entry = FrameEntry(
        file: name, frame: inside.count, time: (time * 1000).rounded() / 1000, track: track,
        fields: [.init("captured", .string(Self.now)), .init("reason", .string(reason))] + fields)
      try Self.append(
        entry.line + "\n", to: inside.list.fileDescriptor, path: folder + "/" + FrameIndex.name)
      inside.count += 1
      inside.added += 1
      return name
    }
  }

  /// Appends a line to the list, completely or not at all.
  private static func append(_ line: String, to list: Int32, path: String) throws(FileFailure) {
    let end = lseek(list, 0, SEEK_END)
    do throws(FileFailure) {
      try DescriptorWriter.write(Array(line.utf8), to: list, path: path)
      if fsync(list) != 0 { throw FileFailure(path: path, code: errno) }
    } catch {
      // The next line must not be appended to half of this one.
      if end >= 0 { _ = ftruncate(list, end) }
      throw error
    }
  }

  /// Brings the dataset up to date with the folder, unless it is or another thread does so.
  ///
  /// - Parameter waiting: true to wait for another thread.
  /// - Throws: the errors of an import.
  package func importFrames(waiting: Bool = false) throws {
    let count = count
    if waiting {
      try importing.withLock { try importFrames(count, &$0) }
    } else {
      _ = try importing.withLockIfAvailable { try importFrames(count, &$0) }
    }
  }

  private func importFrames(_ count: Int, _ imported: inout Int) throws {
    guard count > imported else { return }
    var request = ImportRequest(folder)
    (request.name, request.format, request.replace) = (dataset, .frames, true)
    _ = try DatasetImport(request).run(catalogPath: catalogPath, progress: NoProgress())
    imported = count
  }
}

/// The reasons why frames cannot be captured.
package enum CaptureError: Error, Hashable, CustomStringConvertible {
  /// The name belongs to a dataset that was not captured.
  case otherDataset(String)
  /// The dataset was captured into a folder of the same name elsewhere.
  case movedDataset(String, from: String, to: String)
  /// The list of the captured frames cannot be read.
  case damagedList(String, reason: String)
  /// Another process captures into the folder.
  case inUse(String)

  package var description: String {
    switch self {
    case .otherDataset(let name):
      "the dataset “\(name)” has other images; choose another name with --capture NAME"
    case .movedDataset(let name, let old, let new):
      "“\(name)” was captured into \(old), and this catalog captures into \(new); if the folder was moved, run "
        + "assay relink \(ShellText.quoted(name)) \(ShellText.quoted(new)), else choose another name with --capture NAME"
    case .damagedList(let path, let reason):
      "\(path) is damaged (\(reason)): mend or remove that line, or choose another name with --capture NAME"
    case .inUse(let folder):
      "another assay live captures into \(folder); end it, or choose another name with --capture NAME"
    }
  }
}
