import AssayCore
import AssayFormats
import AssayImaging
import Foundation

/// A film or stream that becomes a folder of frames before it is imported.
enum FilmSource {
  case standardInput
  /// A file of MJPEG or Y4M.
  case stream(path: String)
  /// A file that ffmpeg decodes.
  case video(path: String, VideoContainer)
  /// A text with the path of an image in each line.
  case list(path: String)

  /// The path that stands for standard input.
  static let standardInputPath = "-"

  /// The film that a request names; `nil` for other sources, also if another format is asked for.
  ///
  /// - Throws: ``FilmError``.
  static func find(_ request: ImportRequest) throws -> FilmSource? {
    guard request.format == nil || request.format == .frames else { return nil }
    if request.path == standardInputPath { return .standardInput }
    var status = stat()
    guard stat(request.path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      let file = FileHandle(forReadingAtPath: request.path)
    else { return nil }
    defer { try? file.close() }
    let head = [UInt8]((try? file.read(upToCount: 512)) ?? Data())
    let name = request.path.lowercased()
    if head.starts(with: "YUV4MPEG2 ".utf8) { return .stream(path: request.path) }
    if head.starts(with: [0xFF, 0xD8, 0xFF]) || head.starts(with: "--".utf8),
      name.hasSuffix(".mjpeg") || name.hasSuffix(".mjpg") || request.format == .frames
    {
      return .stream(path: request.path)
    }
    if let kind = VideoContainer.detect(head) { return .video(path: request.path, kind) }
    guard request.format == .frames, !head.contains(0) else { return nil }
    return .list(path: request.path)
  }

  /// The name for messages and for the field `track`.
  var name: String {
    switch self {
    case .standardInput: "standard input"
    case .stream(let path), .video(let path, _), .list(let path):
      URL(fileURLWithPath: path).lastPathComponent
    }
  }

  /// The field `track`: the name of the file without its suffix, or of the dataset.
  func track(of dataset: String) -> String {
    switch self {
    case .standardInput: dataset
    case .stream(let path), .video(let path, _), .list(let path):
      URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
    }
  }
}

/// The images that a text names, one path in each line, relative to its folder.
struct ImageList {
  private let path: String
  private var lines: [String]
  private var next = 0

  private static let listLimit = 1 << 30
  private static let fileLimit = 512 << 20

  /// - Throws: ``FilmError``.
  init(_ path: String) throws {
    self.path = path
    let bytes = try Self.bytes(path, limit: Self.listLimit)
    guard let text = String(ofFile: bytes) else {
      throw FilmError.unreadable(path: path, reason: "a list of images is UTF-8 text")
    }
    lines = text.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    lines = lines.map { $0.hasPrefix("/") ? $0 : folder + "/" + $0 }
  }

  /// The next image; `nil` at the end. A file that is no image is a problem.
  mutating func nextFrame(_ problems: inout [StreamProblem]) -> StreamFrame? {
    while next < lines.count {
      defer { next += 1 }
      do {
        let bytes = try Self.bytes(lines[next], limit: Self.fileLimit)
        let header = try ImageCodec.header(of: bytes)
        return StreamFrame(index: next, content: .file(bytes, header.kind))
      } catch {
        let reason = (error as? FilmError).map { "\($0)" } ?? "\(lines[next]): \(error)"
        problems.append(StreamProblem(kind: .damaged, frame: next, message: reason))
      }
    }
    return nil
  }

  private static func bytes(_ path: String, limit: Int) throws(FilmError) -> [UInt8] {
    var status = stat()
    guard stat(path, &status) == 0 else {
      throw .unreadable(path: path, reason: String(cString: strerror(errno)))
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw .unreadable(path: path, reason: "it is no regular file")
    }
    guard status.st_size <= limit else {
      throw .unreadable(path: path, reason: "it has more than \(limit >> 20) MiB")
    }
    guard let bytes = FileManager.default.contents(atPath: path) else {
      throw .unreadable(path: path, reason: String(cString: strerror(errno)))
    }
    return [UInt8](bytes)
  }
}
