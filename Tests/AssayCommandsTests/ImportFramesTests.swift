import AssayCore
import AssayImaging
import AssayTestSupport
import Foundation
import Testing

@Suite("assay import of videos and streams")
struct ImportFramesTests {
  /// A program with `frames/0.jpg` … of 8 × 8 pixels and a stream of them, `film.mjpeg`.
  private static func program(frames count: Int = 6) throws -> Program {
    let program = try Program()
    var stream: [UInt8] = []
    for number in 0..<count {
      let image = Raster<UInt8>(
        repeating: UInt8(30 * number), width: 8, height: 8, channels: 3)
      let bytes = try ImageCodec.encodeJPEG(image, quality: 90)
      try program.folder.write("frames/\(number).jpg", bytes)
      stream += bytes
    }
    try program.folder.write("film.mjpeg", stream)
    return program
  }

  private static func rows(_ program: Program, _ dataset: String) throws -> [String] {
    let outcome = try program.run(
      "sql",
      "SELECT key || ' ' || attributes AS line FROM sample s JOIN dataset d ON d.id = s.dataset "
        + "WHERE d.name = '\(dataset)' AND s.retired = 0 ORDER BY key", "--json")
    try #require(outcome.status == 0, "\(outcome.stderr)")
    return (try outcome.json()["rows"]?.elements ?? []).compactMap { row in
      row["line"]?.text ?? row.elements?.first?.text
    }
  }

  /// The names in `assay.frames`.
  private static func folders(_ program: Program) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: program.folder.path + "/assay.frames"))
      ?? []).sorted()
  }

  @Test("A stream on standard input is a dataset; every second frame, with times by its rate")
  func standardInput() throws {
    let program = try Self.program()
    let outcome = try program.shell(
      #"cat frames/*.jpg | "$A" import - --name film --every 2 --fps 10 --json"#)
    try #require(outcome.status == 0, "\(outcome.stderr)")
    #expect(try outcome.json()["accepted"]?.double == 3)
    #expect(
      try Self.rows(program, "film") == [
        #"00000000.jpg {"frame":0,"time":0.0,"track":"film"}"#,
        #"00000002.jpg {"frame":2,"time":0.2,"track":"film"}"#,
        #"00000004.jpg {"frame":4,"time":0.4,"track":"film"}"#,
      ])
    // The images are the bytes that came.
    let folder = program.folder.path + "/assay.frames/" + (Self.folders(program).first ?? "")
    #expect(
      FileManager.default.contents(atPath: folder + "/00000002.jpg")
        == FileManager.default.contents(atPath: program.folder.path + "/frames/2.jpg"))
    let found = try program.run("query", "time >= 0.2", "--in", "film", "--json").json()
    #expect(
      found["samples"]?.elements?.map { $0["frame"]?.whole } == [2, 4]
        && found["samples"]?.elements?.first?["track"]?.text == "film")
    let query = try program.run(
      "query", "time >= 0.2 and track = film and frame in (0, 2, 4)", "--count")
    #expect(query.stdout.hasPrefix("2"))
    // The same stream again is the same import.
    let again = try program.shell(
      #"cat frames/*.jpg | "$A" import - --name film --every 2 --fps 10"#)
    #expect(again.status == 0 && again.stdout.hasPrefix("already imported"))
    #expect(Self.folders(program).count == 1)
    // Another one under the name is refused, and leaves nothing.
    let other = try program.shell(#"cat frames/*.jpg | "$A" import - --name film --fps 10"#)
    #expect(other.status == 2 && other.stderr.contains("--replace"))
    #expect(Self.folders(program).count == 1)
    let replaced = try program.shell(
      #"cat frames/*.jpg | "$A" import - --name film --fps 10 --replace --json"#)
    try #require(replaced.status == 0, "\(replaced.stderr)")
    #expect(try replaced.json()["kept"]?.double == 3)
    #expect(try replaced.json()["added"]?.double == 3)
  }

  @Test("A list of images is told how to be read; an empty one has no frame")
  func lists() throws {
    let program = try Program()
    try program.folder.write("list.txt", Array("frames/1.jpg\nframes/2.PNG\n".utf8))
    let list = try program.run("import", "list.txt")
    #expect(
      list.status == 2 && list.stderr.contains("list.txt:frames imports them"), "\(list.stderr)")
    try program.folder.write("other.txt", Array("frames/1.jpg\nreadme\n".utf8))
    #expect(try !program.run("import", "other.txt").stderr.contains(":frames"))
    try program.folder.write("empty.txt", [])
    let empty = try program.run("import", "empty.txt:frames")
    #expect(
      empty.status == 2 && empty.stderr.contains("empty.txt has no whole frame"), "\(empty.stderr)")
  }

  @Test("Files of streams, folders and lists of images give the same frames")
  func sources() throws {
    let program = try Self.program()
    let stream = try program.run("import", "film.mjpeg", "--fps", "5")
    try #require(stream.status == 0, "\(stream.stderr)")
    let names = (0..<6).reversed().map { "frames/\($0).jpg" }.joined(separator: "\n")
    try program.folder.write("list.txt", Array(("\n" + names + "\nframes/gone.jpg\n").utf8))
    let list = try program.run("import", "list.txt:frames", "--fps", "5")
    try #require(list.status == 0, "\(list.stderr)")
    #expect(list.stdout.contains("1 issue: 1 unreadableImage"))
    let folder = try program.run("import", "frames:frames", "--fps", "5", "--every", "3")
    try #require(folder.status == 0, "\(folder.stderr)")
    #expect(
      try Self.rows(program, "frames") == [
        #"0.jpg {"frame":0,"time":0.0,"track":"frames"}"#,
        #"3.jpg {"frame":3,"time":0.6,"track":"frames"}"#,
      ])
    #expect(try Self.rows(program, "film").count == 6)
    #expect(try Self.rows(program, "list").count == 6)
    #expect(
      try Self.rows(program, "list").last == #"00000005.jpg {"frame":5,"time":1.0,"track":"list"}"#)
  }

  @Test("Y4M has a rate of its own, and another one is refused")
  func y4m() throws {
    let program = try Program()
    let path = PackageFolder.fixture("frames/420jpeg-full.y4m").path
    let refused = try program.run("import", path, "--name", "a", "--fps", "12")
    #expect(refused.status == 2)
    #expect(
      refused.stderr.contains("states 30000/1001 frames per second, and --fps is 12; omit --fps"))
    #expect(Self.folders(program).isEmpty)
    let imported = try program.run("import", path, "--name", "a")
    try #require(imported.status == 0, "\(imported.stderr)")
    #expect(
      try Self.rows(program, "a").last
        == #"00000001.png {"frame":1,"time":0.03336666666666667,"track":"420jpeg-full"}"#)
  }

  @Test("A stream that is cut has its whole frames and an issue; a frame is enough")
  func cut() throws {
    let program = try Self.program()
    let outcome = try program.shell(
      #"(cat frames/0.jpg; head -c 100 frames/1.jpg) | "$A" import - --name film"#)
    try #require(outcome.status == 0, "\(outcome.stderr)")
    #expect(outcome.stdout.contains("accepted 1") && outcome.stdout.contains("1 truncated"))
    #expect(outcome.stdout.contains("--fps"))
    let none = try program.shell(#"head -c 100 frames/1.jpg | "$A" import - --name none"#)
    #expect(none.status == 2 && none.stderr.contains("has no whole frame"))
    #expect(Self.folders(program).count == 1)
  }

  @Test("Frames of changing size are kept with their sizes, and told")
  func sizes() throws {
    let program = try Self.program()
    let large = try ImageCodec.encodeJPEG(
      Raster<UInt8>(repeating: 9, width: 16, height: 8, channels: 3), quality: 90)
    try program.folder.write("large.jpg", large)
    let outcome = try program.shell(
      #"cat frames/0.jpg large.jpg | "$A" import - --name film --fps 1"#)
    try #require(outcome.status == 0, "\(outcome.stderr)")
    #expect(outcome.stdout.contains("the frames have 2 sizes (8 × 8, 16 × 8)"))
  }

  @Test(
    "What cannot be read is refused with the next step",
    arguments: [
      (#": | "$A" import - --name a"#, "nothing came"),
      (#"echo hello | "$A" import - --name a"#, "expected JPEG images one after another"),
      (#"cat frames/*.jpg | "$A" import -"#, "add --name NAME"),
      (#"cat frames/*.jpg | "$A" import - --name a --size 8x8"#, "--size does not apply"),
      (#""$A" import frames:frames --name a --classes none/x.txt"#, "there is no file none/x.txt"),
      (#"printf '\0\0\0\040ftypisom0000' | "$A" import - --name a"#, "MP4 or QuickTime"),
      (
        #""$A" import frames:image-folder --name a --fps 3"#,
        "--fps does not apply to image-folder; frames:frames reads"
      ),
      (#""$A" import frames:frames --name a --frames 3"#, "--frames does not apply to frames"),
    ])
  func refused(line: String, words: String) throws {
    let program = try Self.program(frames: 2)
    let outcome = try program.shell(line)
    #expect(outcome.status == (words.hasPrefix("there is no file") ? 64 : 2))
    #expect(outcome.stderr.contains(words), "\(outcome.stderr)")
    #expect(Self.folders(program).isEmpty)
  }

  @Test(
    "Wrong numbers are errors of usage",
    arguments: [["--fps", "0"], ["--every", "0"], ["--frames", "0"], ["--fps", "nan"]])
  func usage(option: [String]) throws {
    let program = try Self.program(frames: 2)
    #expect(try program.run(["import", "film.mjpeg"] + option).status == 64)
  }

  @Test("Relinking to another recording, whose files have the same names, is refused")
  func relink() throws {
    let program = try Self.program()
    for name in ["a", "b"] {
      let images = try (0..<4).map { number in
        try ImageCodec.encodeJPEG(
          Raster<UInt8>(
            repeating: UInt8(number), width: name == "a" ? 8 : 800, height: 8, channels: 3),
          quality: 90)
      }
      try program.folder.write("\(name).mjpeg", images.flatMap(\.self))
      try #require(try program.run("import", "\(name).mjpeg").status == 0)
    }
    let folder = try #require(Self.folders(program).first { $0.hasPrefix("b-") })
    let refused = try program.run("relink", "a", "assay.frames/" + folder)
    #expect(refused.status == 2 && refused.stderr.contains("4 of the 4 files"), "\(refused.stderr)")
    let accepted = try program.run("relink", "a", "assay.frames/" + folder, "--changed", "--json")
    #expect(try accepted.json()["changed"]?.whole == 4)
    let own = try #require(Self.folders(program).first { $0.hasPrefix("a-") })
    let back = try program.run("relink", "a", "assay.frames/" + own, "--json")
    #expect(try back.json()["changed"]?.whole == 0)
  }

  // MARK: Video files

  /// A folder with a program called ffmpeg that prints the times of frames and writes `film.mjpeg`.
  private static func fake(_ program: Program, _ body: String) throws -> String {
    let script = """
      #!/bin/sh
      if [ "$1" = -version ]; then echo 'ffmpeg version 5.1.9 Copyright'; exit 0; fi
      echo "$@" > arguments.txt
      \(body)
      """
    try program.folder.write("bin/ffmpeg", Array(script.utf8))
    let path = program.folder.path + "/bin"
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: path + "/ffmpeg")
    try program.folder.write(
      "clip.mov", [0, 0, 0, 20] + Array("ftypqt  ".utf8) + [UInt8](repeating: 0, count: 8))
    return path
  }

  /// The messages of ffmpeg's `showinfo` about the frames of a film, and about those that are taken.
  private static func messages(
    film: [(time: String, more: String)], taken: [Int], lastFilter: Int
  ) -> String {
    func line(_ filter: Int, _ n: Int, _ place: Int) -> String {
      "[Parsed_showinfo_\(filter) @ 0x1] [info] n:   \(n) pts:  \(place * 9) pts_time:\(film[place].time) pos: 3 "
        + "fmt:yuv420p \(film[place].more) iskey:1"
    }
    let lines =
      film.indices.map { line(0, $0, $0) }
      + taken.enumerated().map { line(lastFilter, $0.offset, $0.element) }
    return lines.map { "echo '\($0)' >&2" }.joined(separator: "\n")
  }

  /// The list of tracks that ffmpeg prints if it gets no output.
  private static let tracks = """
    if [ "$#" -lt 12 ]; then
      echo "[info]   Stream #0:0: Video: png, 8x8 (attached pic)" >&2
      echo "[info]   Stream #0:1(eng): Audio: aac" >&2
      echo "[info]   Stream #0:2[0x1](und): Video: h264 (High), yuv420p, 8x8, 5 fps" >&2
      echo "[info]   Stream #0:3[0x1](und): Video: h264 (High), yuv420p, 8x8, 5 fps (default)" >&2
      exit 1
    fi
    """

  @Test(
    "A video file is decoded by ffmpeg; frames have the file's numbers, and its times from the first one on"
  )
  func video() throws {
    let program = try Self.program(frames: 3)
    let film = (0..<12).map {
      (time: $0 == 0 ? "1.0" : "1.\($0 < 10 ? "0" : "")\($0)", more: "sar:1/1 s:8x8 i:P")
    }
    let path = try Self.fake(
      program,
      """
      \(Self.tracks)
      \(Self.messages(film: film, taken: [0, 4, 9], lastFilter: 3))
      echo "[mov @ 0x2] [error] a broken packet" >&2
      cat film.mjpeg
      """)
    let outcome = try program.shell(
      "PATH=\(path):$PATH \"$A\" import clip.mov --every 4 --frames 3")
    try #require(outcome.status == 0, "\(outcome.stderr)")
    let rows = try Self.rows(program, "clip")
    #expect(rows.map { $0.prefix(12) } == ["00000000.jpg", "00000004.jpg", "00000009.jpg"])
    #expect(rows.first == #"00000000.jpg {"frame":0,"time":0.0,"track":"clip"}"#)
    #expect(rows.last?.contains(#""frame":9,"time":0.09000"#) == true, "\(rows)")
    #expect(
      outcome.stdout.contains("decoded by ffmpeg 5.1.9") && outcome.stdout.contains("1 issue"))
    #expect(
      outcome.stdout.contains("2 video tracks; the frames are those of track 3, its default one"))
    #expect(try program.run("issues", "clip").stdout.contains("frame 11 of clip.mov"))
    // The files are those frames: the first, the second and the third of the stream.
    let folder = program.folder.path + "/assay.frames/" + (Self.folders(program).first ?? "")
    #expect(
      FileManager.default.contents(atPath: folder + "/00000009.jpg")
        == FileManager.default.contents(atPath: program.folder.path + "/frames/2.jpg"))
    let arguments = try String(
      contentsOf: program.folder.url.appending(path: "arguments.txt"), encoding: .utf8)
    #expect(arguments.contains("-protocol_whitelist file,pipe"))
    #expect(arguments.contains("-map 0:3"))
    #expect(
      arguments.contains(
        #"showinfo,select='not(mod(n\,4))',scale=out_color_matrix=bt601:out_range=pc,showinfo"#)
        && arguments.contains("-frames:v 3"))
  }

  @Test(
    "A change of size, interlaced frames, odd pixels and a high dynamic range are told; so are missing frames"
  )
  func told() throws {
    let program = try Self.program(frames: 3)
    let film = [
      (time: "0", more: "sar:4/3 s:8x8 i:P"), (time: "0.2", more: "sar:1/1 s:8x8 i:T"),
      (time: "9", more: "sar:1/1 s:16x8 i:P"),
    ]
    let path = try Self.fake(
      program,
      """
      \(Self.messages(film: film, taken: [0, 1, 2], lastFilter: 3))
      echo '[Parsed_showinfo_0 @ 0x1] [info] color_range:tv color_space:bt2020nc color_trc:smpte2084' >&2
      cat film.mjpeg
      """)
    let outcome = try program.shell("PATH=\(path):$PATH \"$A\" import clip.mov --fps 5 --json")
    try #require(outcome.status == 0, "\(outcome.stderr)")
    for words in [
      "from 8x8 to 16x8 in frame 2", "interlaced", "not square (4/3)",
      "high dynamic range (smpte2084)", "fewer than 5.0 frames a second: 3 were taken",
    ] {
      #expect(outcome.stdout.contains(words), "\(words): \(outcome.stdout)")
    }
  }

  @Test("A file without a video track is refused")
  func noTrack() throws {
    let program = try Self.program(frames: 3)
    let cover = try Self.fake(
      program, "echo '[info]   Stream #0:1: Video: mjpeg, 8x8 (attached pic)' >&2; exit 1")
    let outcome = try program.shell("PATH=\(cover):$PATH \"$A\" import clip.mov")
    #expect(outcome.status == 2 && outcome.stderr.contains("no video track, only a cover picture"))
  }

  @Test("What ffmpeg says is the reason of a refusal")
  func brokenVideo() throws {
    let program = try Self.program(frames: 3)
    let path = try Self.fake(program, "echo '[error] clip.mov: moov atom not found' >&2; exit 1")
    let outcome = try program.shell("PATH=\(path):$PATH \"$A\" import clip.mov")
    #expect(outcome.status == 2)
    #expect(outcome.stderr.contains("moov atom not found"), "\(outcome.stderr)")
    #expect(Self.folders(program).isEmpty)
    let missing = try program.shell(#"PATH=/nowhere "$A" import clip.mov"#)
    #expect(missing.status == 2 && missing.stderr.contains("there is no ffmpeg in PATH"))
  }

  @Test("Ctrl-C while a stream is awaited ends the import and leaves nothing")
  func interrupted() throws {
    let program = try Self.program(frames: 2)
    // The stream stays open; the import is interrupted once it has written a frame.
    let outcome = try program.shell(
      """
      mkfifo pipe; (cat film.mjpeg; exec sleep 600) > pipe & writer=$!
      "$A" import - --name film < pipe & reader=$!
      until ls assay.frames/.assay-*.frames/00000001.jpg >/dev/null 2>&1; do sleep 0.05; done
      kill -INT $reader; wait $reader; status=$?; kill $writer; exit $status
      """)
    #expect(outcome.status == 130, "\(outcome.stderr)")
    #expect(outcome.stderr.contains("nothing was imported"))
    #expect(!FileManager.default.fileExists(atPath: program.folder.path + "/assay.frames"))
  }
}
