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
}

/// A running ffmpeg that decodes a video file into MJPEG.
///
/// Rotation that the file states is applied. Only the file is read: no network, no other files that a playlist names.
final class VideoDecoding {
  private let process = Process()
  private let output = Pipe()
  private let errors = Pipe()
  private let messages = MessageBox()
  private let ended = DispatchSemaphore(value: 0)
  private let path: String

  /// - Parameters:
  ///   - every: only frames 0, `every`, 2 · `every`, … are decoded into the output.
  ///   - rate: the frames per second that are taken; `nil` for all.
  ///   - limit: the maximum number of frames; `nil` for all.
  /// - Throws: ``FilmError``.
  init(
    _ ffmpeg: FFmpeg, version: String, path: String, every: Int, rate: Double?, limit: Int?
  ) throws {
    self.path = path
    var filters: [String] = []
    if let rate { filters.append("fps=\(JSONValue.number(rate).text())") }
    if every > 1 { filters.append("select='not(mod(n\\,\(every)))'") }
    filters.append("showinfo")
    process.executableURL = URL(fileURLWithPath: ffmpeg.path)
    process.arguments =
      [
        "-hide_banner", "-nostdin", "-nostats", "-v", "level+info", "-protocol_whitelist",
        "file,pipe", "-i", "file:" + path, "-map", "0:v:0", "-vf",
        filters.joined(separator: ","),
      ]
      + (FFmpeg.hasFrameRateMode(version) ? ["-fps_mode", "passthrough"] : ["-vsync", "0"])
      + (limit.map { ["-frames:v", "\($0)"] } ?? [])
      + ["-c:v", "mjpeg", "-q:v", "2", "-f", "mjpeg", "-"]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = errors
    do {
      try process.run()
    } catch {
      throw FilmError.decoding(path: path, messages: ["\(error)"])
    }
    // Both pipes are read at the same time: the program waits when one of them is full.
    let (handle, messages, ended) = (errors.fileHandleForReading, messages, ended)
    Thread {
      messages.read(handle)
      ended.signal()
    }.start()
  }

  deinit {
    if process.isRunning { process.terminate() }
  }

  /// Reads the MJPEG.
  var reader: DescriptorReader {
    DescriptorReader(descriptor: output.fileHandleForReading.fileDescriptor, path: path)
  }

  /// Waits for the end of the program.
  ///
  /// - Returns: the time of each frame in seconds, and the faults that were passed over.
  /// - Throws: ``FilmError/decoding(path:messages:)``.
  func finish() throws -> (times: [Double], faults: [String]) {
    process.waitUntilExit()
    ended.wait()
    let (times, faults) = messages.content
    guard process.terminationReason == .exit, process.terminationStatus == 0 else {
      throw FilmError.decoding(path: path, messages: Array(faults.suffix(4)))
    }
    return (times, faults)
  }
}

/// Collects the lines of ffmpeg's messages.
private final class MessageBox: Sendable {
  private struct State {
    var times: [Double] = []
    var faults: [String] = []
  }

  private let state = Mutex(State())
  private static let faultLimit = 1_000
  /// Lines of more bytes are cut.
  private static let lineLimit = 1 << 16

  var content: (times: [Double], faults: [String]) { state.withLock { ($0.times, $0.faults) } }

  func read(_ handle: FileHandle) {
    var rest: [UInt8] = []
    while let data = try? handle.read(upToCount: 1 << 16), !data.isEmpty {
      rest += data
      var lines = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      rest = Array((lines.popLast() ?? []).prefix(Self.lineLimit))
      for line in lines { add(String(decoding: line.prefix(Self.lineLimit), as: UTF8.self)) }
    }
    if !rest.isEmpty { add(String(decoding: rest, as: UTF8.self)) }
  }

  private func add(_ line: String) {
    // “[Parsed_showinfo_1 @ 0x55d0] [info] n:   0 pts:      0 pts_time:0       …”
    if line.hasPrefix("[Parsed_showinfo"), let time = Self.time(line) {
      state.withLock { $0.times.append(time) }
      return
    }
    guard line.contains("[error] ") || line.contains("[fatal] ") else { return }
    let text = line.replacing("[error] ", with: "").replacing("[fatal] ", with: "")
    state.withLock { if $0.faults.count < Self.faultLimit { $0.faults.append(text) } }
  }

  private static func time(_ line: String) -> Double? {
    guard line.contains("] n:"), let start = line.firstRange(of: "pts_time:")?.upperBound else {
      return nil
    }
    return Double(line[start...].prefix { !$0.isWhitespace })
  }
}
