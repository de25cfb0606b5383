import AssayCore
import Foundation
import Synchronization

/// A running ffmpeg that decodes a video file into MJPEG.
///
/// Rotation that the file states is applied, and colors are converted to those of JPEG (BT.601, full range). Only the
/// file is read: no network, no other files that a playlist names.
final class VideoDecoding {
  /// The facts about the decoded frames.
  struct Facts {
    /// The number in the film and the time in seconds of each frame that was decoded into the output; without a number
    /// for a frame that is not among those of the film.
    var frames: [(number: Int?, time: Double?)]
    /// The number of frames of the film as far as it was read.
    var total: Int
    /// The time of the last one.
    var lastTime: Double?
    var notes: [String]
    /// The faults that were passed over, with the number of the frame about which they were said.
    var faults: [(frame: Int, message: String)]
  }

  private let process = Process()
  private let output = Pipe()
  private let errors = Pipe()
  private let messages: MessageBox
  private let ended = DispatchSemaphore(value: 0)
  private let path: String

  /// - Parameters:
  ///   - track: the number of the track in the file.
  ///   - every: of the frames that are left, only the first, the one `every` after it, … are decoded into the output.
  ///   - rate: the frames per second that are taken: the first frame of each interval of 1 / `rate` seconds; `nil` for
  ///     all.
  ///   - limit: the maximum number of frames; `nil` for all.
  /// - Throws: ``FilmError``.
  init(
    _ ffmpeg: FFmpeg, version: String, path: String, track: Int, every: Int, rate: Double?,
    limit: Int?
  ) throws {
    self.path = path
    // The first one tells about the frames of the film, the last one about those that are taken.
    var filters = ["showinfo"]
    if let rate {
      let step = { (time: String) in
        "floor((\(time)-start_t)*\(JSONValue.number(rate).text())+0.000001)"
      }
      filters.append(
        "select='isnan(prev_selected_t)+gt(\(step("t"))\\,\(step("prev_selected_t")))'")
    }
    if every > 1 { filters.append("select='not(mod(n\\,\(every)))'") }
    filters += ["scale=out_color_matrix=bt601:out_range=pc", "showinfo"]
    messages = MessageBox(lastFilter: filters.count - 1)
    process.executableURL = URL(fileURLWithPath: ffmpeg.path)
    process.arguments =
      FFmpeg.quietly
      + ["-i", "file:" + path, "-map", "0:\(track)", "-vf", filters.joined(separator: ",")]
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
  /// - Throws: ``FilmError/decoding(path:messages:)``.
  func finish() throws -> Facts {
    process.waitUntilExit()
    ended.wait()
    let facts = messages.facts
    guard process.terminationReason == .exit, process.terminationStatus == 0 else {
      throw FilmError.decoding(path: path, messages: facts.faults.suffix(4).map(\.message))
    }
    return facts
  }
}

/// Collects what ffmpeg's messages say about the frames.
private final class MessageBox: Sendable {
  /// A frame as the filter `showinfo` tells of it.
  private struct Frame {
    /// The time stamp as it is written; two frames with the same one are one.
    var stamp: Substring
    var time: Double?
  }

  private struct State {
    var film: [Frame] = []
    var taken: [Frame] = []
    var size: Substring?
    var notes: [String] = []
    var kinds: Set<String> = []
    var faults: [(frame: Int, message: String)] = []

    /// Adds a note of a kind once.
    mutating func note(_ kind: String, _ text: @autoclosure () -> String) {
      if kinds.insert(kind).inserted { notes.append(text()) }
    }
  }

  private let first = "[Parsed_showinfo_0 "
  private let last: String
  private let state = Mutex(State())
  private static let faultLimit = 1_000
  /// Lines of more bytes are cut.
  private static let lineLimit = 1 << 16

  init(lastFilter: Int) { last = "[Parsed_showinfo_\(lastFilter) " }

  var facts: VideoDecoding.Facts {
    state.withLock { state in
      var next = 0
      let frames = state.taken.map { taken -> (number: Int?, time: Double?) in
        var place = next
        while place < state.film.count, state.film[place].stamp != taken.stamp { place += 1 }
        guard place < state.film.count else { return (nil, taken.time) }
        next = place + 1
        return (place, taken.time)
      }
      return VideoDecoding.Facts(
        frames: frames, total: state.film.count, lastTime: state.film.last?.time,
        notes: state.notes, faults: state.faults)
    }
  }

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
    // “[Parsed_showinfo_0 @ 0x55d0] [info] n:   0 pts:      0 pts_time:0       … sar:1/1 s:320x240 i:P …”
    if line.hasPrefix(first) || line.hasPrefix(last) {
      if line.contains("] n:") {
        addFrame(line, isTaken: line.hasPrefix(last))
      } else if line.hasPrefix(first), let transfer = Self.value("color_trc:", in: line),
        ["smpte2084", "arib-std-b67"].contains(transfer)
      {
        state.withLock { state in
          state.note(
            "transfer",
            "the film has a high dynamic range (\(transfer)), whose brightness is kept as it is coded: frames look pale"
          )
        }
      }
      return
    }
    guard line.contains("[error] ") || line.contains("[fatal] ") else { return }
    let text = line.replacing("[error] ", with: "").replacing("[fatal] ", with: "")
    state.withLock {
      if $0.faults.count < Self.faultLimit { $0.faults.append(($0.film.count, text)) }
    }
  }

  private func addFrame(_ line: String, isTaken: Bool) {
    let frame = Frame(
      stamp: Self.value(" pts:", in: line) ?? "",
      time: Self.value("pts_time:", in: line).flatMap { Double($0) })
    state.withLock { state in
      guard !isTaken else {
        state.taken.append(frame)
        return
      }
      if let size = Self.value(" s:", in: line) {
        if let before = state.size, before != size {
          state.notes.append(
            "the film changes its size from \(before) to \(size) in frame \(state.film.count); ffmpeg scaled its "
              + "frames to the first size")
        }
        state.size = size
      }
      if let fields = Self.value(" i:", in: line), fields == "T" || fields == "B" {
        state.note(
          "interlaced", "the frames are interlaced; the lines of both fields are kept as they are")
      }
      if let ratio = Self.value(" sar:", in: line), !["0/1", "1/1", "0/0"].contains(ratio) {
        state.note("ratio", "the pixels are not square (\(ratio)); the frames are kept as they are")
      }
      state.film.append(frame)
    }
  }

  /// The word after a name.
  private static func value(_ name: String, in line: String) -> Substring? {
    guard let start = line.firstRange(of: name)?.upperBound else { return nil }
    let word = line[start...].drop { $0 == " " }.prefix { !$0.isWhitespace }
    return word.isEmpty ? nil : word
  }
}
