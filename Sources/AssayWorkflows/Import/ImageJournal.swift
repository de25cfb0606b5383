import AssayCore
import AssayFormats
import Foundation

/// The sizes of the images that an unfinished import has read, in a file beside the catalog, so that
/// the next import of the same root does not read those images again.
///
/// The file has one line for each image: the size and the time of its file, width, height and path,
/// separated by tabs. It grows while the import runs, and is removed when the import ends. After an
/// interrupt or a crash it stays.
final class ImageJournal {
  /// The file, which need not exist.
  let path: String
  /// The number of images in it, including those of earlier attempts.
  private(set) var count = 0
  private var buffer: [UInt8] = []
  private var file: Int32 = -1
  /// False once the file cannot be written; the import goes on without it.
  private var isWritable = true

  /// The number of bytes that are written at once.
  private static let block = 1 << 14

  /// - Parameters:
  ///   - catalog: the path of the catalog.
  ///   - root: the root of the images.
  init(besideCatalog catalog: String, root: String) {
    var hash = ContentHash()
    hash.update(root)
    path = "\(catalog).images-\(hash.hexadecimal().prefix(12))"
  }

  deinit {
    if file >= 0 { close(file) }
  }

  /// Adds the images of an interrupted import, and removes a line that was not written to its end.
  func read(into known: inout KnownImages) {
    let descriptor = open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
    var rest: [UInt8] = []
    var complete = 0
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let length = Glibc.read(descriptor, &bytes, bytes.count)
      guard length > 0 else { break }
      rest += bytes[..<length]
      guard let end = rest.lastIndex(of: UInt8(ascii: "\n")) else {
        // No path is as long as this.
        if rest.count > 1 << 17 { break }
        continue
      }
      for line in rest[..<end].split(separator: UInt8(ascii: "\n")) { take(line, into: &known) }
      complete += end + 1
      rest.removeFirst(end + 1)
    }
    if !rest.isEmpty { ftruncate(descriptor, off_t(complete)) }
  }

  private func take(_ line: ArraySlice<UInt8>, into known: inout KnownImages) {
    let fields = line.split(
      separator: UInt8(ascii: "\t"), maxSplits: 4, omittingEmptySubsequences: false)
    guard fields.count == 5,
      let bytes = Int(String(decoding: fields[0], as: UTF8.self)),
      let modified = Int64(String(decoding: fields[1], as: UTF8.self)),
      let width = Int(String(decoding: fields[2], as: UTF8.self)),
      let height = Int(String(decoding: fields[3], as: UTF8.self)),
      let size = ImageSize.checked(width: width, height: height),
      let path = String(validating: fields[4], as: UTF8.self)
    else { return }
    known.add(path, FileStamp(size: bytes, modified: modified), size)
    count += 1
  }

  /// Adds an image.
  func add(_ path: String, _ stamp: FileStamp, _ size: ImageSize) {
    guard isWritable, !path.utf8.contains(UInt8(ascii: "\n")) else { return }
    for number in [Int64(stamp.size), stamp.modified, Int64(size.width), Int64(size.height)] {
      DecimalText.append(number, to: &buffer)
      buffer.append(UInt8(ascii: "\t"))
    }
    buffer += path.utf8
    buffer.append(UInt8(ascii: "\n"))
    count += 1
    if buffer.count >= Self.block { flush() }
  }

  /// Writes what is not in the file yet.
  func flush() {
    guard isWritable, !buffer.isEmpty else { return }
    if file < 0 {
      file = open(
        path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
    }
    let length = buffer.count
    if file < 0 || write(file, buffer, length) != length {
      isWritable = false
      count = 0
    }
    buffer.removeAll(keepingCapacity: true)
  }

  /// Removes the file: the import ended, and its catalog has all.
  func remove() {
    buffer.removeAll()
    unlink(path)
  }
}
