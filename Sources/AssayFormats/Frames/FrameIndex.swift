package import AssayCore
import Foundation

/// One frame of a film or camera whose image is a file.
package struct FrameEntry: Hashable, Sendable {
  /// The path of the image, relative to the folder.
  package var file: String
  /// The number of the frame in its film, from 0, counting those that were left out.
  package var frame: Int
  /// Seconds since the film's start; `nil` if the source does not tell.
  package var time: Double?
  /// The film that the frame belongs to.
  package var track: String
  /// Further fields, such as the reason why a frame was captured.
  package var fields: [JSONValue.Member]

  package init(
    file: String, frame: Int, time: Double? = nil, track: String, fields: [JSONValue.Member] = []
  ) {
    self.file = file
    self.frame = frame
    self.time = time
    self.track = track
    self.fields = fields
  }

  /// The names of the members of a line that are not ``fields``.
  private static let ownMembers = ["file", "frame", "time", "track"]

  /// The further fields of a line.
  static func fields(of line: JSONValue) -> [JSONValue.Member] {
    (line.members ?? []).filter { !ownMembers.contains($0.name) }
  }

  /// The line of the list.
  package var line: String {
    JSONValue.object(
      [
        .init("file", .string(file)), .init("frame", JSONValue(frame)),
        .init("time", JSONValue(time)), .init("track", .string(track)),
      ] + fields
    ).text()
  }

  /// The fields of the sample as one canonical JSON object.
  var attributes: String {
    var members = [JSONValue.Member("frame", JSONValue(frame))]
    if let time { members.append(.init("time", .number(time))) }
    members.append(.init("track", .string(track)))
    return JSONValue.object(members + fields).text()
  }
}

/// A fault of the film or stream that the frames come from.
package struct FilmFault: Hashable, Sendable {
  /// The number of the frame, or of the next one.
  package var frame: Int
  /// True if the source ended there.
  package var isEnd: Bool
  /// One clause without a period.
  package var message: String

  package init(frame: Int, isEnd: Bool, message: String) {
    self.frame = frame
    self.isEnd = isEnd
    self.message = message
  }
}

/// The list of a film's frames, `frames.jsonl`: a line about the film, and one line for each frame and fault.
package struct FrameIndex: Hashable, Sendable {
  /// The name of the file.
  package static let name = "frames.jsonl"
  /// The version of the file that is written.
  private static let version: Int64 = 1
  /// The maximum size of a file: 1 GiB, of about ten million frames.
  private static let byteLimit = 1 << 30

  /// The name of the film or stream.
  package var source: String
  package var entries: [FrameEntry]
  package var faults: [FilmFault]
  /// Notes about the film as a whole; one clause each, without a period.
  package var notes: [String]

  package init(
    source: String, entries: [FrameEntry] = [], faults: [FilmFault] = [], notes: [String] = []
  ) {
    self.source = source
    self.entries = entries
    self.faults = faults
    self.notes = notes
  }

  /// The text of the file.
  package var text: String {
    var lines = [head]
    lines += entries.map(\.line)
    for fault in faults {
      lines.append(
        JSONValue.object([
          .init("fault", .string(fault.message)), .init("frame", JSONValue(fault.frame)),
          .init("end", .bool(fault.isEnd)),
        ]).text())
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The first line of the file.
  package var head: String {
    let head: JSONValue = [
      "assay_frames": .integer(Self.version), "source": .string(source),
      "notes": .array(notes.map { .string($0) }),
    ]
    return head.text()
  }

  /// Returns whether a file starts like a list of frames.
  static func isIndex(_ path: String, in tree: any SourceTree) -> Bool {
    var head = [UInt8](repeating: 0, count: 64)
    guard path == name, let count = try? SourceContent.readHead(tree, path, into: &head) else {
      return false
    }
    return head[..<count].starts(with: #"{"assay_frames":"#.utf8)
  }

  /// Reads the list of a folder.
  ///
  /// - Throws: ``FormatError/table(_:line:problem:)`` for an invalid line; `SourceReadError`; any error that the tree
  ///   throws.
  package init(_ tree: any SourceTree) throws {
    let bytes = try tree.readAll(Self.name, limit: Self.byteLimit)
    self.init(source: tree.name)
    var files: Set<String> = []
    for (place, line) in bytes.split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false
    )
    .enumerated() where !line.isEmpty {
      func invalid(_ problem: String) -> FormatError {
        .table(Self.name, line: place + 1, problem: problem)
      }
      guard let text = String(validating: line, as: UTF8.self),
        let value = try? JSONValue(parsing: text)
      else { throw invalid("no JSON") }
      if place == 0 {
        guard case .integer(Self.version)? = value["assay_frames"] else {
          throw invalid("expected “assay_frames”: \(Self.version)")
        }
        source = value["source"]?.text ?? tree.name
        notes = (value["notes"]?.elements ?? []).compactMap(\.text)
        continue
      }
      guard case .integer(let number)? = value["frame"], let frame = Int(exactly: number),
        frame >= 0
      else { throw invalid("“frame” must be a number from 0") }
      if let message = value["fault"]?.text {
        faults.append(FilmFault(frame: frame, isEnd: value["end"] == true, message: message))
        continue
      }
      guard let file = value["file"]?.text, let track = value["track"]?.text else {
        throw invalid("expected “file”, “frame” and “track”")
      }
      let time = value["time"]
      guard time == nil || time == .null || time?.double?.isFinite == true else {
        throw invalid("“time” must be a number of seconds")
      }
      guard files.insert(file).inserted else { throw invalid("\(file) is in an earlier line, too") }
      entries.append(
        FrameEntry(
          file: file, frame: frame, time: time?.double, track: track,
          fields: FrameEntry.fields(of: value)))
    }
  }

  /// The frames of a folder without a list: the images of each folder are a film, in the order of their names, in
  /// which numbers count as numbers.
  ///
  /// - Parameters:
  ///   - rate: frames per second; `nil` if it is not known.
  ///   - every: only the frames 0, `every`, 2 · `every`, … are taken.
  init(of tree: any SourceTree, rate: Double?, every: Int) throws {
    self.init(source: tree.name)
    let images = try tree.files().map(\.path).filter(PairPath.isImageName)
    let folders = Dictionary(grouping: images) { String(SortedFiles.folder(of: $0)) }
    for (folder, paths) in folders.sorted(by: { SortedFiles.precedes($0.key, $1.key) }) {
      let track = folder.isEmpty ? tree.name : folder
      for (frame, path) in paths.sorted(by: NumberedNames.precedes).enumerated()
      where frame % every == 0 {
        entries.append(
          FrameEntry(file: path, frame: frame, time: rate.map { Double(frame) / $0 }, track: track))
      }
    }
  }
}

/// The order of names in which runs of digits count as numbers: `frame2`, `frame10`.
package enum NumberedNames {
  /// Returns whether a name comes before another one. Names that differ only in leading zeros are in the order of
  /// their bytes.
  package static func precedes(_ first: String, _ second: String) -> Bool {
    switch first.compare(second, options: .numeric) {
    case .orderedAscending: true
    case .orderedDescending: false
    case .orderedSame: SortedFiles.precedes(first, second)
    }
  }
}
