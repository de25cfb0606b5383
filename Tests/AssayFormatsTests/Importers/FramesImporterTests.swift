import AssayCore
import Testing

@testable import AssayFormats

@Suite("frames")
struct FramesImporterTests {
  private static func run(
    _ tree: any SourceTree, _ options: ImportOptions = ImportOptions()
  ) throws -> (samples: [ImportedSample], issues: [AssayCore.Issue], finished: FinishedImport) {
    var samples: [ImportedSample] = []
    var issues: [AssayCore.Issue] = []
    let finished = try FramesImporter().run(tree, options) { batch in
      samples += batch.samples
      issues += batch.issues
    }
    return (samples, issues, finished)
  }

  @Test("The fixture's frames have number, time and track, and its fault is an issue")
  func fixture() throws {
    let tree = try FileTree(fixture: "frames/film")
    #expect(try FormatDetector.detect(tree).format == .frames)
    let (samples, issues, finished) = try Self.run(tree)
    #expect(samples.map(\.key) == ["00000000.png", "00000005.png", "00000010.png"])
    #expect(
      samples.map(\.attributes) == [
        #"{"frame":0,"time":0.0,"track":"film"}"#, #"{"frame":5,"time":0.5,"track":"film"}"#,
        #"{"frame":10,"time":1.0,"track":"film"}"#,
      ])
    #expect(samples.allSatisfy { $0.size == ImageSize(width: 34, height: 22) })
    #expect(issues.map(\.kind) == [.unreadableImage])
    #expect(issues.first?.message == "frame 7 of film.mov: no marker follows byte 40 of the image")
    #expect(finished.notes == ["decoded by hand"] && finished.outcome.accepted == 3)
  }

  @Test("Given classes are the classes of the frames, in their order")
  func classes() throws {
    var options = ImportOptions()
    options.classes = ["person", "car"]
    var names: [[String]] = []
    let finished = try FramesImporter().run(try FileTree(fixture: "frames/film"), options) {
      names.append($0.newCategories.map(\.name))
    }
    #expect(names.flatMap(\.self) == ["person", "car"] && names.first == ["person", "car"])
    #expect(finished.outcome.ordinals == [0, 1])
  }

  @Test("A folder that is named as frames is read in the order of numbers, one film per folder")
  func folder() throws {
    let image = try [UInt8](
      FileTree(fixture: "frames/film").readAll("00000000.png", limit: 1 << 20))
    let names = ["a/f1.png", "a/f2.png", "a/f10.png", "b/f7.png", "c.png"]
    let tree = MemoryTree(
      folder: Dictionary(uniqueKeysWithValues: names.map { ($0, image) }))
    var options = ImportOptions()
    options.frameRate = 4
    let all = try Self.run(tree, options).samples
    #expect(all.map(\.key) == ["c.png", "a/f1.png", "a/f2.png", "a/f10.png", "b/f7.png"])
    #expect(
      all.map(\.attributes) == [
        #"{"frame":0,"time":0.0,"track":"memory"}"#, #"{"frame":0,"time":0.0,"track":"a"}"#,
        #"{"frame":1,"time":0.25,"track":"a"}"#, #"{"frame":2,"time":0.5,"track":"a"}"#,
        #"{"frame":0,"time":0.0,"track":"b"}"#,
      ])
    options.every = 2
    #expect(
      try Self.run(tree, options).samples.map(\.key) == [
        "c.png", "a/f1.png", "a/f10.png", "b/f7.png",
      ])
    // Without a rate, no time is guessed.
    #expect(try Self.run(tree).samples.first?.attributes == #"{"frame":0,"track":"memory"}"#)
  }

  @Test("Images that the list does not name, and names without a file, are told")
  func incomplete() throws {
    let image = try [UInt8](
      FileTree(fixture: "frames/film").readAll("00000000.png", limit: 1 << 20))
    var index = FrameIndex(source: "x.mov")
    index.entries = [
      FrameEntry(file: "a.png", frame: 0, time: 0, track: "x"),
      FrameEntry(file: "gone.png", frame: 1, time: 1, track: "x"),
      FrameEntry(file: "../a.png", frame: 2, time: 1, track: "x"),
    ]
    let tree = MemoryTree(
      folder: ["a.png": image, "b.png": image, FrameIndex.name: Array(index.text.utf8)])
    let (samples, issues, finished) = try Self.run(tree)
    #expect(samples.map(\.key) == ["a.png"] && finished.outcome.rejected == 2)
    #expect(issues.map(\.kind) == [.missingImage, .missingImage])
    #expect(finished.imagesLeftOut == 1)
    #expect(
      finished.notes.contains { $0.contains("1 image is in the folder and not in frames.jsonl") })
  }

  @Test("A list is read back as it was written")
  func roundTrip() throws {
    let index = FrameIndex(
      source: "a \"film\".mov",
      entries: [
        FrameEntry(file: "0.jpg", frame: 0, time: 1.0 / 3, track: "ä"),
        FrameEntry(file: "1.jpg", frame: 3, time: nil, track: "ä"),
      ],
      faults: [FilmFault(frame: 4, isEnd: true, message: "the stream ends")], notes: ["one"])
    let tree = MemoryTree(folder: [FrameIndex.name: Array(index.text.utf8)])
    #expect(try FrameIndex(tree) == index)
  }

  @Test(
    "A list with a line that is wrong is refused with its number",
    arguments: [
      #"{"file":"a.png","frame":-1,"track":"x"}"#, #"{"file":"a.png","track":"x"}"#,
      #"{"file":"a.png","frame":0}"#, #"{"frame":0,"track":"x"}"#, "nonsense", "[]",
      #"{"file":"a.png","frame":0,"track":"x","time":"late"}"#,
      #"{"file":"a.png","frame":1e300,"track":"x"}"#,
      "{\"file\":\"a.png\",\"frame\":0,\"track\":\"x\"}\n{\"file\":\"a.png\",\"frame\":1,\"track\":\"x\"}",
    ])
  func wrong(line: String) throws {
    let text = #"{"assay_frames":1,"source":"x"}"# + "\n" + line + "\n"
    let tree = MemoryTree(folder: [FrameIndex.name: Array(text.utf8)])
    #expect(throws: FormatError.self) { try FrameIndex(tree) }
  }

  @Test("Rate and step are refused for a list with times")
  func unused() throws {
    let tree = try FileTree(fixture: "frames/film")
    var options = ImportOptions()
    options.frameRate = 5
    #expect(throws: FormatError.unusedOption("--fps", format: .frames)) {
      try Self.run(tree, options)
    }
    options.frameRate = nil
    options.every = 2
    #expect(throws: FormatError.unusedOption("--every", format: .frames)) {
      try Self.run(tree, options)
    }
  }
}
