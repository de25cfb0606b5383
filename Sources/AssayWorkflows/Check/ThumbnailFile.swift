import AssayImaging
import Foundation

/// The thumbnails of a check, in a file without a name that the system removes with the process, so
/// that memory does not grow with the number of images. Reading is safe from several threads.
final class ThumbnailFile: Sendable {
  private let descriptor: Int32
  private let folder: String

  /// - Throws: ``CheckError/noWorkingFile(path:reason:)``.
  init() throws(CheckError) {
    folder = NSTemporaryDirectory()
    var name = Array((folder + "/assay-check-XXXXXX").utf8CString)
    descriptor = mkstemp(&name)
    guard descriptor >= 0 else {
      throw .noWorkingFile(path: folder, reason: String(cString: strerror(errno)))
    }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    unlink(name)
  }

  deinit { close(descriptor) }

  /// - Throws: ``CheckError/noWorkingFile(path:reason:)``.
  func write(_ thumbnail: Thumbnail, at place: Int) throws(CheckError) {
    let pixels = thumbnail.pixels
    var done = 0
    while done < pixels.count {
      let count = pixels.withUnsafeBytes { bytes in
        pwrite(
          descriptor, bytes.baseAddress?.advanced(by: done), pixels.count - done,
          off_t(place * Thumbnail.count + done))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        throw .noWorkingFile(path: folder, reason: String(cString: strerror(errno)))
      }
      done += count
    }
  }

  /// - Throws: ``CheckError/noWorkingFile(path:reason:)``.
  func read(_ place: Int) throws(CheckError) -> Thumbnail {
    var failure = "it is too short"
    let pixels = [UInt8](unsafeUninitializedCapacity: Thumbnail.count) { buffer, count in
      count = 0
      while count < Thumbnail.count {
        let got = pread(
          descriptor, buffer.baseAddress?.advanced(by: count), Thumbnail.count - count,
          off_t(place * Thumbnail.count + count))
        if got < 0, errno == EINTR { continue }
        if got < 0 { failure = String(cString: strerror(errno)) }
        guard got > 0 else { return }
        count += got
      }
    }
    guard let thumbnail = Thumbnail(pixels: pixels) else {
      throw .noWorkingFile(path: folder, reason: failure)
    }
    return thumbnail
  }
}
