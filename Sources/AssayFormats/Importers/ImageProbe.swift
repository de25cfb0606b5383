import AssayCore
import AssayImaging

/// The result of reading one file of an image folder.
struct ImageProbe: Sendable {
  /// The reason why a file is not a sample.
  struct Problem: Error, Hashable {
    var kind: IssueKind
    var message: String
  }

  var path: String
  /// The displayed size of the image, or the problem with the file.
  var size: Result<ImageSize, Problem>
  /// The stored size of the image, and its orientation.
  private(set) var storedSize: ImageSize?
  private(set) var orientation = Orientation.up
  private let file: FileStamp

  /// Most headers fit into the first bytes; a file is read completely only if its header does not.
  private static let prefix = 1 << 14
  private static let fileLimit = 512 << 20

  /// The state of the file, by which a later import recognizes it; `nil` if that has to read it: a
  /// damaged image, or one that is rotated by its orientation.
  var stamp: FileStamp? {
    guard case .success = size, orientation == .up else { return nil }
    return file
  }

  /// Reads as much of the file as its header needs, and nothing if the file is known.
  init(_ tree: any SourceTree, _ file: SourceFile, known: KnownImages = KnownImages()) {
    path = file.path
    self.file = FileStamp(size: file.size, modified: file.modified)
    if let size = known.size(of: file.path, self.file) {
      self.size = .success(size)
      storedSize = size
      return
    }
    do {
      let header = try Self.header(tree, file)
      size = .success(header.orientedSize)
      storedSize = header.size
      orientation = header.orientation
    } catch let error as ImageError {
      size = .failure(Problem(kind: error.issueKind, message: "\(error); left out"))
    } catch {
      size = .failure(Problem(kind: .unreadableImage, message: "\(error); left out"))
    }
  }

  /// The orientation to apply to a decoded mask of an image; `nil` if the mask has another size.
  ///
  /// A mask can be painted over the stored pixels of an image that its EXIF orientation rotates.
  ///
  /// - Parameters:
  ///   - size: the displayed size of the image; every mask fits if it is unknown (`nil`).
  ///   - image: the image; `nil` if there is none.
  static func orientation(
    ofMask header: ImageHeader, size: ImageSize?, image: ImageProbe?
  ) -> Orientation? {
    guard let size, header.orientedSize != size else { return .up }
    guard let image, header.size == image.storedSize, header.orientation == .up else { return nil }
    return image.orientation
  }

  private static func header(_ tree: any SourceTree, _ file: SourceFile) throws -> ImageHeader {
    // No more than the listed size is asked for: reading on to the end takes another call.
    let wanted = file.size > 0 ? min(prefix, file.size) : prefix
    let start = try [UInt8](unsafeUninitializedCapacity: wanted) { buffer, count in
      count = 0
      count = try tree.read(file.path, at: 0, into: UnsafeMutableRawBufferPointer(buffer))
    }
    do {
      return try ImageCodec.header(of: start)
    } catch {
      // The file is longer than what was read, or became so.
      guard case .truncated = error, start.count == wanted else { throw error }
      let whole = try tree.readAll(file.path, limit: fileLimit)
      return try ImageCodec.header(of: whole)
    }
  }
}

extension ImageError {
  fileprivate var issueKind: IssueKind {
    switch self {
    case .unknownKind, .unsupported: .unsupportedFile
    case .tooLarge: .imageTooLarge
    case .empty, .truncated, .damaged, .noPixels, .notEncodable, .outOfMemory: .unreadableImage
    }
  }
}
