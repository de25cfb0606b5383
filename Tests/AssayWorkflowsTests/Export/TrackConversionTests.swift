import AssayCore
import AssayFormats
import AssayStore
import AssayTestSupport
import Foundation
import Testing

@testable import AssayWorkflows

@Suite("Tracks on the way to CVAT")
struct TrackConversionTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func convert(_ source: String, _ name: String) throws -> ConversionSummary {
    var request = ConversionRequest(
      sources: [ImportRequest(source)], export: DatasetExportRequest(.cvat),
      folder: folder.path(name))
    request.verifies = true
    return try DatasetConversion(request, version: "test").run(progress: NoProgress())
  }

  private func write(_ files: [String: String?]) throws {
    let png = try Data(contentsOf: PackageFolder.fixture("image-folder/classes/cat/1.png"))
    for (path, text) in files {
      let url = folder.url.appending(path: path)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try (text.map { Data($0.utf8) } ?? png).write(to: url)
    }
  }

  private func text(_ path: String) throws -> String {
    try String(contentsOfFile: folder.path(path), encoding: .utf8)
  }

  /// Every annotation of a folder as `image class shape box fields`, sorted.
  private func content(_ source: String) throws -> [String] {
    let database = folder.path(UUID().uuidString + ".db")
    var request = ImportRequest(source)
    request.name = "set"
    _ = try DatasetImport(request).run(catalogPath: database, progress: NoProgress())
    let catalog = try Catalog.open(database, .readOnly)
    let samples = try catalog.samples(in: catalog.resolve("set"))
    let classes = try catalog.taxonomy(of: catalog.dataset(named: "set").id).names
    var found: [String] = []
    try catalog.forEachAnnotations(of: samples.map(\.id), regionsOnly: false) { place, list in
      for item in list {
        let name = samples[place].key.split(separator: "/").last ?? ""
        let box = item.box.map { "\($0.x) \($0.y) \($0.width) \($0.height)" } ?? ""
        let fields = try JSONValue(parsing: item.attributes ?? "{}").membersSorted.text()
        found.append("\(name) \(classes[item.category]) \(item.shape.rawValue) \(box) \(fields)")
      }
    }
    return found.sorted()
  }

  private func video(_ body: String, frames: [String]) throws {
    var files: [String: String?] = [
      "video/annotations.xml": """
      <annotations><version>1.1</version><meta><task><size>\(frames.count)</size>
      <mode>interpolation</mode><labels><label><name>car</name><attributes><attribute>
      <name>color</name><mutable>True</mutable><input_type>text</input_type></attribute></attributes>
      </label><label><name>dog</name><attributes/></label></labels>
      <original_size><width>3</width><height>2</height></original_size></task></meta>
      \(body)</annotations>
      """
    ]
    for name in frames { files.updateValue(nil, forKey: "video/images/\(name).png") }
    try write(files)
  }

  private func box(_ frame: Int, _ left: String, outside: Int = 0, _ more: String = "") -> String {
    "<box frame=\"\(frame)\" keyframe=\"1\" outside=\"\(outside)\" occluded=\"\(frame == 1 ? 1 : 0)\" "
      + "xtl=\"\(left)\" ytl=\"0\" xbr=\"2\" ybr=\"1\" z_order=\"3\">\(more)</box>"
  }

  private static let film = (0..<5).map { "frame_00000\($0)" }

  @Test("Tracks of a film are tracks of CVAT, which end where the object leaves")
  func tracks() throws {
    let color = "<attribute name=\"color\">red</attribute>"
    try video(
      """
      <track id="7" label="car" source="manual">\(box(0, "0.1", color))\(box(1, "0.2", color))
      \(box(2, "0.3", outside: 1))\(box(3, "0.4"))\(box(4, "0.5"))</track>
      <track id="2" label="dog" source="auto"><polygon frame="1" keyframe="1" outside="0" occluded="0"
      points="0,0;2,0;2,1" z_order="0"/></track>
      """, frames: Self.film)
    let before = try content(folder.path("video"))
    #expect(before.count == 5)
    let summary = try convert(folder.path("video"), "out")
    #expect(summary.lost == 0)
    #expect(summary.export.survey.losses.counts[.attributes] == nil)
    #expect(summary.export.survey.notes.isEmpty)
    let text = try text("out/annotations.xml")
    #expect(text.contains("<mode>interpolation</mode><original_size><width>3</width>"))
    #expect(text.contains("<track id=\"7\" label=\"car\" source=\"manual\">"))
    #expect(text.contains("<track id=\"2\" label=\"dog\" source=\"manual\">"))
    #expect(text.components(separatedBy: "</track>").count == 3)
    // The car leaves after frame 1 and stays at the end, the dog leaves after frame 1.
    let outsides = text.matches(of: /<(\w+) frame="(\d)" keyframe="1" outside="1"/).map {
      "\($0.output.1) \($0.output.2)"
    }
    #expect(outsides == ["polygon 2", "box 2"])
    #expect(!text.contains("<attribute name=\"track\"") && text.contains(color))
    // The images come first, and have no shapes of their own.
    #expect(text.components(separatedBy: "<image ").count == 6)
    #expect(try content(folder.path("out")) == before)
    let again = try convert(folder.path("out"), "again")
    #expect(again.lost == 0)
    #expect(try content(folder.path("again")) == before)
  }

  @Test("Images that are no film keep the track as an attribute, and a note says so")
  func noFilm() throws {
    let body = "<track id=\"7\" label=\"car\">\(box(0, "0.1"))\(box(1, "0.2"))</track>"
    for (names, reason) in [
      (["a", "b"], "a.png is no frame of a film with a number"),
      (["x1", "y2"], "the images are of several films"),
    ] {
      try FileManager.default.removeItemIfThere(folder.path("video"))
      try video(body, frames: names)
      let out = "out-\(names[0])"
      let summary = try convert(folder.path("video"), out)
      #expect(summary.lost == 0)
      let notes = summary.export.survey.notes
      #expect(notes.count == 1 && notes[0].contains("'track' stays an attribute"), "\(notes)")
      #expect(notes.first?.contains(reason) == true, "\(notes)")
      let text = try text("\(out)/annotations.xml")
      #expect(!text.contains("<track") && text.contains("<attribute name=\"track\">7</attribute>"))
    }
  }

  @Test("A track of two classes, or with two objects on a frame, stays an attribute; others do not")
  func mixed() throws {
    try video(
      """
      <track id="1" label="car">\(box(0, "0.1"))\(box(1, "0.2"))</track>
      <track id="1" label="dog">\(box(2, "0.1"))</track>
      <track id="3" label="car">\(box(2, "0.1"))</track>
      <track id="4" label="car">\(box(2, "0.2"))</track><track id="4" label="car">\(box(2, "0.3"))</track>
      """, frames: Self.film)
    let summary = try convert(folder.path("video"), "out")
    #expect(summary.lost == 0)
    let notes = summary.export.survey.notes
    #expect(notes.count == 1 && notes[0].contains("of 2 tracks (1, …)"), "\(notes)")
    let text = try text("out/annotations.xml")
    #expect(text.components(separatedBy: "<track ").count == 2 && text.contains("<track id=\"3\""))
    #expect(text.components(separatedBy: "<attribute name=\"track\">").count == 6)
  }

  @Test("Beside images, a frame is the id of an image, whatever the images are called")
  func ids() throws {
    try video(
      """
      <image id="0" name="frame_000010.png" width="3" height="2"></image>
      <image id="1" name="frame_000020.png" width="3" height="2"></image>
      <track id="7" label="car">\(box(1, "0.2"))</track>
      """, frames: ["frame_000010", "frame_000020"])
    let found = try content(folder.path("video"))
    #expect(found.count == 1 && found[0].hasPrefix("frame_000020.png car box"), "\(found)")
  }

  @Test("Frames between the shapes of a track that have none are reported, not interpolated")
  func gaps() throws {
    try video(
      """
      <track id="7" label="car">\(box(0, "0.1"))\(box(3, "0.2"))</track>
      <track id="8" label="car">\(box(0, "0.1"))\(box(1, "0.1", outside: 1))\(box(4, "0.2"))</track>
      """, frames: Self.film)
    var request = ImportRequest(folder.path("video"))
    request.name = "set"
    let summary = try DatasetImport(request).run(
      catalogPath: folder.path("a.db"), progress: NoProgress())
    #expect(summary.issueCounts.map(\.kind) == [.unsupportedField])
    let catalog = try Catalog.open(folder.path("a.db"), .readOnly)
    let issues = try catalog.issues(of: catalog.dataset(named: "set").id)
    #expect(
      issues.first?.issue.message
        == "1 track has no shape on 2 frames between two of its shapes (the first is frame 1 of track "
        + "7): nothing is interpolated, so the object is missing there; CVAT's own exports list every "
        + "frame")
  }
}

extension FileManager {
  fileprivate func removeItemIfThere(_ path: String) throws {
    if fileExists(atPath: path) { try removeItem(atPath: path) }
  }
}
