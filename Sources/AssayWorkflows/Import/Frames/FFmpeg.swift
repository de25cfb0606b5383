import AssayCore
import Foundation
import Synchronization

/// An installed ffmpeg.
package struct FFmpeg: Sendable {
  /// The path of the program.
  package let path: String

  /// The first one in the folders of `PATH`; `nil` if there is none.
  package init?(environment: [String: String] = ProcessInfo.processInfo.environment) {
    for folder in (environment["PATH"] ?? "").split(separator: ":") {
      let path = "\(folder)/ffmpeg"
      if FileManager.default.isExecutableFile(atPath: path) {
        self.path = path
        return
      }
    }
    return nil
  }

  /// The version as it states it, such as `5.1.9-0+deb12u1`; `nil` if it does not run.
  package var version: String? {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = ["-version"]
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return nil }
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let words = text.prefix { $0 != "\n" }.split(separator: " ")
    guard process.terminationStatus == 0, words.count > 2, words[1] == "version" else { return nil }
    return String(words[2])
  }

  /// Returns whether a version knows `-fps_mode`, which replaced `-vsync` in 5.1.
  static func hasFrameRateMode(_ version: String) -> Bool {
    let numbers = version.split(separator: ".").prefix(2).map { part in
      Int(part.prefix { $0.isNumber })
    }
    guard let major = numbers.first ?? nil else { return true }
    return major > 5 || major == 5 && (numbers.count > 1 ? numbers[1] ?? 0 : 0) >= 1
  }

  /// The video tracks that a file states, in their order; cover pictures are among them. `nil` if it states no track
  /// of any kind: it cannot be opened.
  ///
  /// - Throws: ``FilmError`` if the program cannot be started.
  func tracks(of path: String) throws(FilmError) -> [VideoTrack]? {
    let process = Process()
    let errors = Pipe()
    process.executableURL = URL(fileURLWithPath: self.path)
    process.arguments = Self.quietly + ["-i", "file:" + path]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = errors
    do {
      try process.run()
    } catch {
      throw .decoding(path: path, messages: ["\(error)"])
    }
    var text: [UInt8] = []
    // The list of tracks is at the start; a hostile file can have megabytes of metadata.
    while let data = try? errors.fileHandleForReading.read(upToCount: 1 << 16), !data.isEmpty {
      if text.count < 1 << 22 { text += data }
    }
    process.waitUntilExit()
    var tracks: [VideoTrack] = []
    let list = String(decoding: text, as: UTF8.self)
    guard list.contains("Stream #0:") else { return nil }
    for line in list.split(whereSeparator: \.isNewline) {
      guard let track = VideoTrack(line), !tracks.contains(where: { $0.index == track.index })
      else { continue }
      tracks.append(track)
    }
    return tracks
  }

  /// The options of every call: no questions, no network, no other files.
  static let quietly = [
    "-hide_banner", "-nostdin", "-nostats", "-v", "level+info", "-protocol_whitelist", "file,pipe",
  ]
}

/// A video track that ffmpeg lists.
struct VideoTrack: Hashable {
  /// The number of the track among all tracks of the file.
  var index: Int
  /// True if the file says that players take it.
  var isDefault: Bool
  /// True for a cover picture.
  var isCover: Bool

  /// Reads a line such as `Stream #0:1(eng): Video: h264 (High), yuv420p, 320x240 … (default)`; `nil` for others.
  init?(_ line: some StringProtocol) {
    guard let start = line.firstRange(of: "Stream #0:")?.upperBound, line.contains(": Video: "),
      let index = Int(line[start...].prefix { $0.isASCII && $0.isNumber })
    else { return nil }
    self.index = index
    isDefault = line.contains("(default)")
    isCover = line.contains("(attached pic)") || line.contains("(timed thumbnails)")
  }

  /// The track that players show: the first default one, else the first one, without cover pictures.
  static func shown(of tracks: [VideoTrack]) -> VideoTrack? {
    let films = tracks.filter { !$0.isCover }
    return films.first(where: \.isDefault) ?? films.first
  }
}
