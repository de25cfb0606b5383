package import AssayCore
import AssayFormats
import AssayImaging
package import AssayStore
import Foundation

/// A scan of the images of a folder that is divided into shards: each reads the headers and hashes of its
/// files, so that an import of the folder reads no image.
package struct SourceScan: Sendable {
  private let path: String
  private let followsLinks: Bool
  private let workers: Int

  /// - Parameters:
  ///   - path: the folder.
  ///   - followsLinks: true to follow links that leave the folder.
  ///   - workers: the number of threads; the result does not depend on it.
  package init(
    _ path: String, followsLinks: Bool = false,
    workers: Int = ProcessInfo.processInfo.activeProcessorCount
  ) {
    self.path = path
    self.followsLinks = followsLinks
    self.workers = max(1, workers)
  }

  private static let chunk = 64

  /// Reads the images of one shard of the folder into a part.
  ///
  /// - Parameter programVersion: the version of assay.
  /// - Throws: ``ScanError``, ``PartError``, ``SourceError``, `StoreError`.
  package func makePart(
    _ request: PartRequest, programVersion: String, progress: any ProgressSink
  ) throws -> MadeRecordPart {
    let tree = ListedTree(try DiskSource(path, followsLinks: followsLinks))
    guard !tree.isSingleFile, tree.source.directory != nil, tree.source.remote == nil else {
      throw ScanError.noFolder(path: path)
    }
    let out = URL(fileURLWithPath: request.folder).resolvingSymlinksInPath().path
    let root = URL(fileURLWithPath: tree.root).resolvingSymlinksInPath().path
    guard out != root, !out.hasPrefix(root + "/") else {
      throw ScanError.partsInSource(out: request.folder, source: path)
    }
    let files = try tree.files().filter { PairPath.isImageName($0.path) }
    guard !files.isEmpty else { throw ScanError.noImages(path: path) }
    let order = Shard.order(of: files.map(\.path))
    let own = request.shard.ranks(of: files.count)
    let facts: [JSONValue.Member] = [
      .init("source", .string(tree.root)), .init("follow_links", .bool(followsLinks)),
      .init("files_sha256", .string(Self.hash(of: files, in: order))),
      .init("versions", ["assay": .string(programVersion)]),
    ]
    let making = RecordPartMaking(
      request, .scan, total: files.count, facts: facts, madeWith: tree.root)
    return try making.run(samples: own.count) { writer in
      try read(own, order, files, tree, writer, progress)
    }
  }

  private func read(
    _ own: Range<Int>, _ order: [Int], _ files: [SourceFile], _ tree: ListedTree,
    _ writer: RecordPartWriter, _ progress: any ProgressSink
  ) throws -> Int {
    let settled = ReusedImages.settledTime()
    let images = Counted.text(own.count, "image", "images")
    var (next, failed) = (own.lowerBound, 0)
    try OrderedWorkers(workers: workers, window: 4 * workers).run(
      next: { () -> Range<Int>? in
        try Interruption.check("nothing was written")
        guard next < own.upperBound else { return nil }
        defer { next = min(next + Self.chunk, own.upperBound) }
        return next..<min(next + Self.chunk, own.upperBound)
      },
      transform: { _, ranks in
        ranks.map { (place: $0, file: ScannedFile(files[order[$0]], tree, settled: settled)) }
      },
      deliver: { part in
        failed += part.count { $0.file.problem != nil }
        try writer.write(part.map { ($0.place, $0.file.bytes) })
        let done = (part.last?.place ?? own.lowerBound) + 1 - own.lowerBound
        progress.report(Double(done) / Double(own.count), "reading \(images) of \(path)")
      })
    return failed
  }

  /// The hash of the paths, sizes and times of the images.
  private static func hash(of files: [SourceFile], in order: [Int]) -> String {
    var hash = ContentHash()
    for place in order {
      let file = files[place]
      hash.update("\(file.path)\u{0}\(file.size) \(file.modified)\n")
    }
    return hash.hexadecimal()
  }
}

/// The reasons why a folder was not scanned, or a scan is of no use.
package enum ScanError: Error, Hashable {
  /// The source is no folder on a disk.
  case noFolder(path: String)
  case noImages(path: String)
  /// The folder for the parts is in the one that is scanned.
  case partsInSource(out: String, source: String)
  /// The source of an import is not the folder that was scanned.
  case otherFolder(folder: String, scanned: String, source: String)
}

extension ScanError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noFolder(let path):
      "\(path) is no folder; only the images of a folder are scanned in shards (assay import reads archives, files "
        + "and addresses directly)"
    case .noImages(let path): "\(path) contains no image files"
    case .partsInSource(let out, let source):
      "\(out) is in \(source), whose import would meet the parts; choose an --out beside it"
    case .otherFolder(let folder, let scanned, let source):
      "the scan in \(folder) is of \(scanned), but the images are read from \(source); scan that folder: "
        + "assay scan \(ShellWord.quoted(source)) --shard I/N --out OTHER"
    }
  }
}

/// One file of a scan.
struct ScannedFile: Sendable {
  let path: String
  let stamp: FileStamp
  /// The size of the image; `nil` if the file has none that an import can take over: it cannot be read, its
  /// orientation rotates it, or it was still changing.
  let size: ImageSize?
  /// The SHA-256 of the file's bytes: 32 bytes; `nil` if it was not read, or was still changing.
  let hash: [UInt8]?
  /// The reason why the image cannot be read; `nil` if it can.
  let problem: String?

  /// Reads a file.
  ///
  /// - Parameter settled: the time after which a file may change again without another time.
  init(_ file: SourceFile, _ tree: any SourceTree, settled: Int64) {
    path = file.path
    stamp = FileStamp(size: file.size, modified: file.modified)
    var (size, hash, problem): (ImageSize?, [UInt8]?, String?) = (nil, nil, nil)
    do {
      let bytes = try tree.readAll(file.path, limit: SampleImages.fileLimit)
      // The listing tells the state of the file before it was read.
      let isSettled = bytes.count == file.size && file.modified <= settled
      if isSettled {
        var content = ContentHash()
        bytes.withUnsafeBytes { content.update($0) }
        hash = content.digest()
      }
      let header = try ImageCodec.header(of: bytes)
      if isSettled, header.orientation == .up { size = header.size }
    } catch {
      problem = "\(error)"
    }
    (self.size, self.hash, self.problem) = (size, hash, problem)
  }

  /// The record in a part.
  var bytes: [UInt8] {
    var coder = ByteEncoder()
    coder.append(path)
    coder.append(stamp.size)
    coder.append(stamp.modified)
    coder.append(size) { $0.append($1) }
    coder.append(hash) { $0.append($1) }
    coder.append(problem) { $0.append($1) }
    return coder.bytes
  }

  /// Reads ``bytes``.
  ///
  /// - Throws: `DamagedRecord`.
  init(_ record: inout ByteDecoder) throws(DamagedRecord) {
    path = try record.text()
    stamp = FileStamp(size: try record.count(), modified: try record.integer())
    size = try record.optional { coder throws(DamagedRecord) in try coder.size() }
    hash = try record.optional { coder throws(DamagedRecord) in
      let hash = try coder.blob()
      guard hash.count == 32 else { throw DamagedRecord() }
      return hash
    }
    problem = try record.optional { coder throws(DamagedRecord) in try coder.text() }
  }
}

extension RecordParts {
  /// The images of a scan as an import knows them.
  ///
  /// - Parameter root: the folder of the images that the import reads.
  /// - Throws: ``ScanError/otherFolder(folder:scanned:source:)``, ``PartError``, `StoreError`,
  ///   ``Interrupted``.
  func addImages(of root: String, to known: inout KnownImages) throws {
    guard text("source").utf8.elementsEqual(root.utf8) else {
      throw ScanError.otherFolder(folder: path, scanned: text("source"), source: root)
    }
    try forEach { _, _, record in
      let file = try ScannedFile(&record)
      if let size = file.size { known.add(file.path, file.stamp, size) }
      if let hash = file.hash { known.add(file.path, file.stamp, hash: hash) }
    }
  }
}
