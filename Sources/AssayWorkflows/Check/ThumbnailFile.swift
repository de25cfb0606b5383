import AssayImaging

/// The thumbnails of a check, in a ``WorkingFile``. Reading is safe from several threads.
struct ThumbnailFile: Sendable {
  private let file: WorkingFile

  /// - Throws: ``CheckError/noWorkingFile(path:reason:)``.
  init() throws(CheckError) { file = try WorkingFile(length: Thumbnail.byteCount) }

  /// - Throws: ``CheckError/noWorkingFile(path:reason:)``.
  func write(_ thumbnail: Thumbnail, at place: Int) throws {
    try thumbnail.bytes.withUnsafeBytes { try file.write($0, at: place) }
  }

  /// - Throws: ``CheckError/noWorkingFile(path:reason:)``.
  func read(_ place: Int) throws -> Thumbnail {
    var bytes = [UInt8](repeating: 0, count: Thumbnail.byteCount)
    try bytes.withUnsafeMutableBytes { try file.read(place, into: $0) }
    guard let thumbnail = Thumbnail(bytes: bytes) else {
      throw CheckError.noWorkingFile(path: "memory", reason: "a thumbnail is damaged")
    }
    return thumbnail
  }
}
