package import AssayCore
import Synchronization

/// A zip or tar archive as a folder of files that are read in place. Thread-safe.
///
/// Nothing is unpacked to disk. Files that are stored as they are are read directly. A deflated one
/// is unpacked from its start on; a few streams are kept, so that reading on costs nothing.
package final class ArchiveTree: SourceTree {
  private let archive: ArchiveFile
  /// The maximum number of bytes of what is kept of a compressed archive; 0 for any other.
  package let memory: Int
  private let listed: SortedFiles
  private let places: [ArchiveEntries.Place]
  private let found: [Issue]
  private let streams = Mutex(Streams())

  /// Streams that are not in use. The one that is given up has been idle for long and is cheap to
  /// make again: its priority is its offset plus the priority of the last one given up.
  private struct Streams: ~Copyable {
    var idle: [Held] = []
    var clock = 0
  }

  /// A stream between two reads. Only its owner uses it: it is taken out of the list first.
  private struct Held: @unchecked Sendable {
    var stream: EntryStream
  }

  /// The maximum number of streams that are kept, of 72 KiB each.
  private static let streamLimit = 16

  /// Lists an archive.
  ///
  /// - Parameters:
  ///   - kind: ``ArchiveKind/zip``, ``ArchiveKind/tar`` or ``ArchiveKind/gzippedTar``.
  ///   - file: the archive in the tree.
  ///   - check: called again and again while a compressed archive is unpacked for the first time; an
  ///     error that it throws ends that.
  /// - Throws: ``ArchiveError``; the error of `check`; any error that the tree throws.
  package init(
    _ kind: ArchiveKind, _ tree: any SourceTree, _ file: SourceFile, check: () throws -> Void = {}
  ) throws {
    let stored = ArchiveFile(tree: tree, path: file.path, size: file.size)
    var entries: ArchiveEntries
    switch kind {
    case .zip:
      (archive, memory) = (stored, 0)
      entries = try ZipDirectory.read(stored)
    case .tar:
      (archive, memory) = (stored, 0)
      entries = try TarMembers.read(stored)
    case .gzippedTar:
      let unpacked = try UnpackedGzip(stored, check: check)
      archive = ArchiveFile(tree: unpacked, path: unpacked.name, size: unpacked.size)
      memory = unpacked.memory
      guard try archive.bytes(at: 0, count: 2) != GzipInflater.magic else {
        throw ArchiveError.unsupported(stored.name, problem: "it is compressed with gzip twice")
      }
      entries = try TarMembers.read(archive)
    case .packed(let packing): throw ArchiveError.packed(stored.name, packing)
    }
    (listed, places, found) = entries.finish()
  }

  package var name: String { archive.name }
  package var isSingleFile: Bool { false }

  package func files() throws -> [SourceFile] { listed.files }
  package func issues() throws -> [Issue] { found }

  /// The number of files.
  package var fileCount: Int { listed.count }

  /// The file at a path; `nil` if there is none.
  package func file(_ path: String) -> SourceFile? {
    listed.index(of: path).map { listed.files[$0] }
  }

  /// Returns whether the archive has a file.
  package func contains(_ path: String) -> Bool { listed.index(of: path) != nil }

  /// Returns whether the archive has files in a folder.
  package func hasFolder(_ path: String) -> Bool { !path.isEmpty && listed.hasFolder(path) }

  /// Returns whether a file can only be read from its start on, as a deflated entry of a zip archive.
  package func isDeflated(_ path: String) -> Bool {
    listed.index(of: path).map { places[$0].method == .deflated } ?? false
  }

  package func read(
    _ path: String, at offset: Int, into buffer: UnsafeMutableRawBufferPointer
  ) throws -> Int {
    guard let index = listed.index(of: path) else {
      throw ArchiveError.missing(entry: path, archive: archive.name)
    }
    let entry = listed.files[index]
    let place = places[index]
    guard offset >= 0, offset < entry.size, !buffer.isEmpty else { return 0 }
    if place.method == .plain {
      let count = min(buffer.count, entry.size - offset)
      return try archive.read(
        at: place.offset + offset, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))
    }
    let isDeflated = place.method == .deflated
    let stream: EntryStream
    if let held = take(index, at: offset, exactly: !isDeflated) {
      stream = held
    } else if isDeflated || offset == 0 {
      stream = try EntryStream(archive, entry, place, index: index)
    } else {
      // Read out of order, so that there is no checksum to compare.
      let start = try EntryStream.dataOffset(archive, entry, place)
      let count = min(buffer.count, entry.size - offset)
      return try archive.read(
        at: start + offset, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))
    }
    try stream.skip(to: offset)
    let count = try stream.read(into: buffer)
    if !stream.isFinished { keep(stream) }
    return count
  }

  /// Takes the stream of an entry that is nearest before an offset; `nil` if there is none.
  private func take(_ index: Int, at offset: Int, exactly: Bool) -> EntryStream? {
    let held = streams.withLock { streams -> Held? in
      let fitting = streams.idle.indices.filter { place in
        let stream = streams.idle[place].stream
        return stream.index == index
          && (exactly ? stream.offset == offset : stream.offset <= offset)
      }
      guard
        let best = fitting.max(by: {
          streams.idle[$0].stream.offset < streams.idle[$1].stream.offset
        })
      else { return nil }
      return streams.idle.remove(at: best)
    }
    return held?.stream
  }

  private func keep(_ stream: EntryStream) {
    let held = Held(stream: stream)
    streams.withLock { streams in
      held.stream.priority = streams.clock + held.stream.offset
      streams.idle.append(held)
      guard streams.idle.count > Self.streamLimit,
        let first = streams.idle.indices.min(by: {
          streams.idle[$0].stream.priority < streams.idle[$1].stream.priority
        })
      else { return }
      streams.clock = streams.idle.remove(at: first).stream.priority
    }
  }
}

extension ArchiveTree {
  /// The one folder that holds everything in the archive and is a dataset of its own: not a split,
  /// not a folder of a layout, and not one that only has images, which can be a class. `nil` for any
  /// other archive.
  package var outerFolder: String? {
    guard let first = listed.files.first?.path.split(separator: "/", maxSplits: 1).first,
      listed.files.allSatisfy({ $0.path.hasPrefix(first + "/") })
    else { return nil }
    let folder = String(first)
    guard !FolderLayout.isSplit(folder), !LayoutNames.areNoClasses([folder]) else { return nil }
    let onlyImages = listed.files.allSatisfy { file in
      let isDirect = !file.path.dropFirst(first.count + 1).contains("/")
      let kind = FileNameKind(file.path)
      return isDirect && (kind == .image || kind == .harmless)
    }
    return onlyImages ? nil : folder
  }

  /// The one file of the archive, if it is a table or a JSON file, as programs pack single files;
  /// `nil` for any other archive.
  package var onlyTable: String? {
    guard listed.count == 1, let path = listed.files.first?.path else { return nil }
    let name = path.lowercased()
    let suffixes = [".csv", ".tsv", ".txt", ".json", ".csv.gz", ".json.gz"]
    return suffixes.contains { name.hasSuffix($0) } ? path : nil
  }
}
