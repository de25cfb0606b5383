import AssayCore
import AssayTestSupport
import Foundation
import Testing

@testable import AssayImaging

@Suite("Streams of frames")
struct FrameStreamTests {
  /// A stream of bytes that gives at most `chunk` of them at a time.
  private final class Source {
    private let bytes: [UInt8]
    private let chunk: Int
    private var place = 0

    init(_ bytes: [UInt8], chunk: Int) {
      self.bytes = bytes
      self.chunk = chunk
    }

    func read(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
      let count = min(buffer.count, chunk, bytes.count - place)
      buffer.copyBytes(from: bytes[place..<place + count])
      place += count
      return count
    }
  }

  private struct Outcome {
    var kind: FrameStream.Kind
    var frames: [StreamFrame] = []
    var problems: [StreamProblem] = []

    /// The files of the frames, and their numbers.
    var files: [[UInt8]] {
      frames.compactMap { if case .file(let bytes, _) = $0.content { bytes } else { nil } }
    }
  }

  private static func read(_ bytes: [UInt8], chunk: Int = 1 << 16) throws -> Outcome {
    let source = Source(bytes, chunk: chunk)
    var stream = try FrameStream(read: source.read)
    var outcome = Outcome(kind: stream.kind)
    while let frame = try stream.nextFrame() { outcome.frames.append(frame) }
    outcome.problems = stream.problems
    return outcome
  }

  private static func fixture(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: PackageFolder.fixture(name)))
  }

  /// JPEG files of several kinds: with thumbnails and orientation, progressive, gray, with restart markers.
  private static func photos() throws -> [[UInt8]] {
    try ["exif6.jpg", "gray.jpg", "cmyk.jpg", "exif1.jpg"].map { try fixture("images/" + $0) }
  }

  /// Three small JPEG images.
  private static func small() throws -> [[UInt8]] {
    try (0..<3).map { number in
      try ImageCodec.encodeJPEG(
        Raster<UInt8>(repeating: UInt8(60 * number + 20), width: 8, height: 8, channels: 3),
        quality: 80)
    }
  }

  @Test(
    "JPEG images after each other are the files that went in", arguments: [1, 7, 4_096, 1 << 16])
  func jpeg(chunk: Int) throws {
    let photos = try Self.photos()
    let outcome = try Self.read(photos.flatMap(\.self), chunk: chunk)
    #expect(outcome.kind == .mjpeg && outcome.problems.isEmpty)
    #expect(outcome.files == photos)
    #expect(outcome.frames.map(\.index) == [0, 1, 2, 3])
  }

  @Test("The framing of cameras is left out")
  func multipart() throws {
    let photos = try Self.photos()
    var bytes: [UInt8] = Array("\r\n--frame\r\n".utf8)
    for photo in photos {
      bytes += Array("Content-Type: image/jpeg\r\nContent-Length: \(photo.count)\r\n\r\n".utf8)
      bytes += photo + Array("\r\n--frame\r\n".utf8)
    }
    let outcome = try Self.read(bytes, chunk: 100)
    #expect(outcome.kind == .multipart && outcome.problems.isEmpty)
    #expect(outcome.files == photos)
  }

  @Test("PNG images after each other are the files that went in", arguments: [1, 4_096])
  func png(chunk: Int) throws {
    let images = try ["images/gray8.png", "images/gray2-interlaced.png", "images/gray16.png"]
      .map(Self.fixture)
    let outcome = try Self.read(images.flatMap(\.self), chunk: chunk)
    #expect(outcome.kind == .png && outcome.problems.isEmpty)
    #expect(outcome.files == images)
  }

  @Test("A stream that is cut anywhere has its whole frames, and says where it ends")
  func cut() throws {
    let images = try Self.small()
    let bytes = images.flatMap(\.self)
    for length in 3..<bytes.count {
      let outcome = try Self.read(Array(bytes[..<length]), chunk: 64)
      var whole = 0
      var rest = length
      while whole < images.count, rest >= images[whole].count {
        rest -= images[whole].count
        whole += 1
      }
      #expect(outcome.files == Array(images[..<whole]), "\(length)")
      let isCut = outcome.problems.contains { $0.kind == .cut && $0.frame == whole }
      // Up to two bytes of the next image cannot be told from other bytes.
      #expect(rest < 3 ? !isCut : isCut, "\(length)")
    }
  }

  @Test("A damaged frame keeps its number, and the next one is read")
  func damaged() throws {
    let images = try Self.small()
    var broken = images[1]
    // The length of the first segment.
    (broken[4], broken[5]) = (0, 0)
    let outcome = try Self.read(images[0] + broken + images[2])
    #expect(outcome.files == [images[0], images[2]])
    #expect(outcome.frames.first?.index == 0 && (outcome.frames.last?.index ?? 0) >= 2)
    #expect(
      outcome.problems.first
        == StreamProblem(kind: .damaged, frame: 1, message: "a segment of 0 bytes"))

    // A camera that drops the end of a frame.
    let dropped = try Self.read(images[0] + images[1].dropLast(4) + images[2])
    #expect(dropped.files == [images[0], images[2]])
    #expect(dropped.frames.map(\.index) == [0, 2])
    #expect(
      dropped.problems.map(\.message) == ["another image starts before its end"])
  }

  @Test("Bytes between frames are counted, and padding with zeros is not")
  func foreign() throws {
    let images = try Self.small()
    let outcome = try Self.read(
      images[0] + [0, 0, 0] + images[1] + [1, 2, 3, 4, 5] + images[2] + [0, 0])
    #expect(outcome.files == images)
    #expect(
      outcome.problems == [
        StreamProblem(
          kind: .foreign, frame: 2,
          message: "5 bytes before the frame belong to no image; left out")
      ])
  }

  @Test("Other streams are refused with what they are")
  func refused() throws {
    #expect(throws: FrameStreamError.empty) { try Self.read([]) }
    #expect(throws: FrameStreamError.unknownKind(firstBytes: Array("hello".utf8))) {
      try Self.read(Array("hello".utf8))
    }
    #expect(throws: FrameStreamError.container(.mp4)) {
      try Self.read([0, 0, 0, 32] + Array("ftypisom".utf8) + [UInt8](repeating: 0, count: 20))
    }
    #expect(throws: FrameStreamError.container(.matroska)) {
      try Self.read([0x1A, 0x45, 0xDF, 0xA3] + [UInt8](repeating: 0, count: 20))
    }
    // A text that starts like a boundary and has no image.
    #expect(throws: FrameStreamError.unknownKind(firstBytes: [])) {
      try Self.read(Array("--frame\r\nnothing\r\n".utf8))
    }
  }

  @Test("Random bytes after a start never trap, and frames are what the decoder gets")
  func random() throws {
    var generator = SplitMix64(seed: 7)
    let images = try Self.small()
    for _ in 0..<300 {
      var bytes = images.flatMap(\.self)
      for _ in 0..<8 {
        bytes[Int.random(in: 3..<bytes.count, using: &generator)] = UInt8.random(
          in: 0...255, using: &generator)
      }
      let outcome = try Self.read(bytes, chunk: 50)
      #expect(outcome.frames.count <= 8)
      let numbers = outcome.frames.map(\.index)
      #expect(numbers == numbers.sorted() && Set(numbers).count == numbers.count)
    }
  }

  // MARK: Y4M

  /// The greatest and the mean difference from the pixels of the golden file.
  private static func difference(_ name: String) throws -> (greatest: Int, mean: Double) {
    let outcome = try read(fixture("frames/\(name).y4m"), chunk: 1_000)
    let wanted = try fixture("frames/\(name).rgb")
    var found: [UInt8] = []
    for frame in outcome.frames {
      guard case .raster(let raster) = frame.content else { continue }
      found += raster.channels == 3 ? raster.elements : raster.elements.flatMap { [$0, $0, $0] }
    }
    try #require(found.count == wanted.count && outcome.problems.isEmpty)
    let differences = zip(found, wanted).map { abs(Int($0) - Int($1)) }
    return (
      differences.max() ?? 0, Double(differences.reduce(0, +)) / Double(max(1, differences.count))
    )
  }

  @Test(
    "Pixels of Y4M are those of ffmpeg with zimg",
    arguments: ["420jpeg-full", "420jpeg-limited", "420mpeg2", "422", "444-full", "mono-full"])
  func y4m(name: String) throws {
    let (greatest, mean) = try Self.difference(name)
    // zimg rounds chroma before it computes colors.
    #expect(greatest <= 2 && mean <= 0.6, "\(greatest) \(mean)")
  }

  @Test("The rate of Y4M is exact, and its frames are numbered")
  func rate() throws {
    let source = Source(try Self.fixture("frames/420mpeg2.y4m"), chunk: 100)
    var stream = try FrameStream(read: source.read)
    #expect(stream.rate == FrameRate(frames: 30_000, seconds: 1_001))
    #expect(try stream.nextFrame()?.index == 0)
    #expect(try stream.nextFrame()?.index == 1)
    #expect(try stream.nextFrame() == nil)
  }

  @Test("A Y4M stream that is cut anywhere has its whole frames")
  func cutY4M() throws {
    let bytes = try Self.fixture("frames/mono-full.y4m")
    let header = try #require(bytes.firstIndex(of: 0x0A)) + 1
    let frame = (bytes.count - header) / 2
    for length in header..<bytes.count {
      let outcome = try Self.read(Array(bytes[..<length]))
      #expect(outcome.frames.count == (length - header) / frame)
      #expect(outcome.problems.isEmpty == ((length - header) % frame == 0))
    }
  }

  @Test(
    "A Y4M header that cannot be used is refused",
    arguments: [
      "YUV4MPEG2 W4 H4 F1:1 C420p10\nFRAME\n", "YUV4MPEG2 W0 H4 F1:1\n", "YUV4MPEG2 H4\n",
      "YUV4MPEG2 W99999999999 H99999999999\n", "YUV4MPEG2 W-4 H4\n", "YUV4MPEG2 W4 H4",
    ])
  func badY4M(header: String) throws {
    #expect(throws: FrameStreamError.self) { try Self.read(Array(header.utf8)) }
    #expect(throws: FrameStreamError.self) {
      try Self.read(
        Array("YUV4MPEG2 W2 H2 C444\nFRAME\n".utf8) + [UInt8](repeating: 9, count: 12)
          + Array("NO FRAME".utf8))
    }
  }
}
