import AssayCore
import AssayFormats
import AssayImaging
import Foundation

/// Writes the frames of a film or stream into a folder beside the catalog, from which they are imported.
///
/// The folder is called like the dataset and a hash of its content, so that another recording of the same name does not
/// change the images of an earlier import, and the same film again is the same folder.
struct FilmRecording {
  let source: FilmSource
  let request: ImportRequest
  /// The name of the dataset.
  let dataset: String

  /// The recorded frames.
  struct Result {
    /// The folder.
    var path: String
    /// False if the folder was there.
    var isNew: Bool
  }

  /// The folder of a catalog that has the folders of frames: `assay.frames` of `assay.db`.
  static func folder(ofCatalog path: String) -> String {
    let url = URL(fileURLWithPath: path)
    return url.deletingPathExtension().path + ".frames"
  }

  /// - Throws: ``FilmError``; `FrameStreamError`; `FileFailure`; ``Interrupted``. Nothing is left on disk then.
  func run(catalogPath: String, progress: some ProgressSink) throws -> Result {
    let parent = Self.folder(ofCatalog: catalogPath)
    if mkdir(parent, 0o777) != 0, errno != EEXIST { throw FileFailure(path: parent, code: errno) }
    // A folder without recordings does not stay.
    defer { rmdir(parent) }
    let folder = try FrameFolder(in: OpenFolder(parent))
    var frames = FrameWriter(
      folder: folder,
      index: FrameIndex(source: source.name), track: source.track(of: dataset), request: request,
      progress: progress)
    switch source {
    case .standardInput:
      guard isatty(STDIN_FILENO) == 0 else { throw FilmError.terminal }
      try frames.write(
        stream: DescriptorReader(descriptor: STDIN_FILENO, path: "standard input"))
    case .stream(let path):
      let file = open(path, O_RDONLY | O_CLOEXEC)
      guard file >= 0 else {
        throw FilmError.unreadable(path: path, reason: String(cString: strerror(errno)))
      }
      defer { close(file) }
      try frames.write(stream: DescriptorReader(descriptor: file, path: path))
    case .video(let path, let kind): try frames.write(video: path, kind)
    case .list(let path):
      var list = try ImageList(path)
      var problems: [StreamProblem] = []
      while let frame = list.nextFrame(&problems) {
        guard try frames.add(frame, time: request.frameRate.map { Double(frame.index) / $0 }) else {
          break
        }
      }
      frames.add(problems)
    }
    return try frames.finish(as: dataset)
  }
}

/// Writes frames and their list.
private struct FrameWriter<Progress: ProgressSink> {
  let folder: FrameFolder
  var index: FrameIndex
  let track: String
  let request: ImportRequest
  let progress: Progress
  private var hash = ContentHash()
  private var sizes: Set<ImageSize> = []

  init(
    folder: FrameFolder, index: FrameIndex, track: String, request: ImportRequest,
    progress: Progress
  ) {
    self.folder = folder
    self.index = index
    self.track = track
    self.request = request
    self.progress = progress
  }

  /// Writes a frame, unless ``ImportRequest/every`` leaves it out.
  ///
  /// - Returns: false if no more frames are wanted.
  mutating func add(_ frame: StreamFrame, time: Double?) throws -> Bool {
    try Interruption.check("nothing was imported")
    guard frame.index % request.every == 0 else { return true }
    let (bytes, suffix) =
      switch frame.content {
      case .file(let bytes, let kind): (bytes, kind.suffix)
      case .raster(let raster): (try ImageCodec.encodePNG(raster, compression: .fast), "png")
      }
    let name = Self.name(of: frame.index) + "." + suffix
    try folder.write(bytes, as: name)
    bytes.withUnsafeBytes { hash.update($0) }
    if let header = try? ImageCodec.header(of: bytes) { sizes.insert(header.orientedSize) }
    index.entries.append(FrameEntry(file: name, frame: frame.index, time: time, track: track))
    progress.report(0, "recording, \(Counted.text(index.entries.count, "frame", "frames"))")
    return request.frameLimit.map { index.entries.count < $0 } ?? true
  }

  mutating func add(_ problems: [StreamProblem]) {
    index.faults += problems.map {
      FilmFault(frame: $0.frame, isEnd: $0.kind == .cut, message: $0.message)
    }
  }

  mutating func write(stream reader: DescriptorReader) throws {
    var stream = try FrameStream(read: reader.read)
    if let stated = stream.rate, let given = request.frameRate, given != stated.value {
      throw FilmError.rate(given: given, stated: stated)
    }
    let rate = stream.rate?.value ?? request.frameRate
    index.notes += stream.notes
    if rate == nil {
      index.notes.append(
        "the stream does not state its frames per second, so the frames have no time; --fps gives them"
      )
    }
    while let frame = try stream.nextFrame() {
      guard try add(frame, time: rate.map { Double(frame.index) / $0 }) else { break }
    }
    add(stream.problems)
  }

  /// Writes the frames of a video file. Their times are those of the file, from its first frame on.
  mutating func write(video path: String, _ kind: VideoContainer) throws {
    guard let ffmpeg = FFmpeg(), let version = ffmpeg.version else {
      throw FilmError.noFFmpeg(path: path, kind: kind)
    }
    let full = URL(fileURLWithPath: path).path
    let tracks = try ffmpeg.tracks(of: full)
    // Without a list, decoding tells what is wrong with the file.
    let shown = tracks.flatMap(VideoTrack.shown)
    if let tracks, shown == nil {
      throw FilmError.noVideoTrack(path: path, hasCover: !tracks.isEmpty)
    }
    let decoding = try VideoDecoding(
      ffmpeg, version: version, path: full, track: shown?.index ?? 0, every: request.every,
      rate: request.frameRate, limit: request.frameLimit)
    do {
      var stream = try FrameStream(read: decoding.reader.read)
      var all = request
      all.every = 1
      var writer = FrameWriter(
        folder: folder, index: index, track: track, request: all, progress: progress)
      while let frame = try stream.nextFrame() {
        guard try writer.add(frame, time: nil) else { break }
      }
      (index, hash, sizes) = (writer.index, writer.hash, writer.sizes)
      add(stream.problems)
    } catch FrameStreamError.empty {
      // What the program says is the reason.
      let faults = try decoding.finish().faults.map(\.message)
      throw FilmError.decoding(path: path, messages: faults.suffix(4) + ["it decoded no frame"])
    }
    let facts = try decoding.finish()
    let films = (tracks ?? []).count { !$0.isCover }
    if films > 1, let shown {
      index.notes.append(
        "the file has \(films) video tracks; the frames are those of track \(shown.index)\(shown.isDefault ? ", its default one" : "")"
      )
    }
    try number(facts)
    index.faults += facts.faults.map {
      FilmFault(
        frame: max(0, min($0.frame, facts.total - 1)), isEnd: false,
        message: "ffmpeg: \($0.message)")
    }
    index.notes += facts.notes
    index.notes.append("decoded by ffmpeg \(version) into JPEG of quality 2")
  }

  /// Gives the frames of a video their numbers in the film and their times, and their files the names of these.
  private mutating func number(_ facts: VideoDecoding.Facts) throws {
    let frames = facts.frames.prefix(index.entries.count)
    guard frames.count == index.entries.count, frames.allSatisfy({ $0.number != nil }) else {
      index.notes.append(
        "ffmpeg told of \(Counted.text(facts.frames.count, "frame", "frames")) and wrote \(index.entries.count), so the frames are numbered as "
          + "they came and have no time")
      return
    }
    let first = frames.first?.time
    var names: [(from: String, to: String)] = []
    for (place, frame) in frames.enumerated() {
      let entry = index.entries[place]
      let number = frame.number ?? entry.frame
      let suffix = entry.file.drop { $0 != "." }
      let name = Self.name(of: number) + suffix
      if name != entry.file { names.append((entry.file, name)) }
      (index.entries[place].frame, index.entries[place].file) = (number, name)
      if let first, let time = frame.time { index.entries[place].time = time - first }
    }
    // A name can be that of a frame that has not been renamed yet.
    for (from, _) in names { try folder.rename(from, to: "." + from) }
    for (from, to) in names { try folder.rename("." + from, to: to) }
    if index.entries.contains(where: { $0.time == nil }) {
      index.notes.append("the film does not state the times of all frames")
    }
    guard let rate = request.frameRate, request.frameLimit == nil, let first,
      let last = facts.lastTime
    else { return }
    let wanted =
      (Int(((last - first) * rate + 0.000001).rounded(.down)) + request.every) / request.every
    if index.entries.count < wanted {
      index.notes.append(
        "the film has fewer than \(JSONValue.number(rate).text()) frames a second\(index.entries.count < facts.total ? " in places" : ""): "
          + "\(index.entries.count) were taken, none of them twice")
    }
  }

  /// The name of a frame's file without its suffix.
  private static func name(of frame: Int) -> String {
    let number = String(frame)
    return String(repeating: "0", count: max(0, 8 - number.count)) + number
  }

  /// Writes the list and gives the folder its name.
  mutating func finish(as dataset: String) throws -> FilmRecording.Result {
    guard !index.entries.isEmpty else {
      throw FilmError.noFrames(source: index.source, fault: index.faults.first?.message)
    }
    if sizes.count > 1 {
      let list = sizes.sorted { ($0.width, $0.height) < ($1.width, $1.height) }.prefix(4)
        .map { "\($0.width) × \($0.height)" }
      index.notes.append(
        "the frames have \(sizes.count) sizes (\(list.joined(separator: ", "))\(sizes.count > 4 ? ", …" : ""))"
      )
    }
    let text = index.text
    try folder.write(Array(text.utf8), as: FrameIndex.name)
    hash.update(text)
    let placed = try folder.place(as: "\(dataset)-\(hash.hexadecimal().prefix(12))")
    return FilmRecording.Result(path: placed.path, isNew: placed.isNew)
  }
}
