import AssayCore
import AssayImaging
import AssayTestSupport
import Foundation
import Testing

@testable import AssayInference

@Suite("Several outputs that are one class")
struct ClassGroupingTests {
  private func manifest(_ rest: String) throws -> ModelManifest {
    try ModelManifest(
      yaml: """
        input: {width: 4, height: 4, layout: NCHW, color: gray, scale: 1/255, offset: 0, resize: stretch}
        \(rest)
        """, path: "m.yaml")
  }

  @Test("A map gives the classes once, in the order of the outputs")
  func classes() throws {
    let manifest = try manifest(
      """
      task: classification
      outputs: [tabby, beagle, tiger cat, husky]
      classes: {tabby: cat, tiger cat: cat, beagle: dog, husky: dog}
      """)
    #expect(manifest.classes == ["cat", "dog"])
    #expect(manifest.grouping.classOfOutput == [0, 1, 0, 1] && !manifest.grouping.isPlain)
    let joined = try self.manifest(
      "task: classification\noutputs: [cat, tabby]\nclasses: {tabby: cat}")
    #expect(joined.classes == ["cat"])
    let error = #expect(throws: InferenceError.self) {
      _ = try self.manifest("task: classification\noutputs: [cat, dog, cat]")
    }
    #expect(error.map { "\($0)" }?.contains("two outputs have the name “cat”") == true)
  }

  @Test("Probabilities that exclude each other are added, others give the largest")
  func values() {
    let grouping = ClassGrouping(classOfOutput: [0, 1, 0], classCount: 2)
    #expect(grouping.values(of: [0.25, 0.5, 0.25], excluding: true) == [0.5, 0.5])
    #expect(grouping.values(of: [0.25, 0.5, 0.75], excluding: false) == [0.75, 0.5])
    #expect(grouping.values(of: [0.75, 0.5, 0.75], excluding: true) == [1, 0.5])
  }

  @Test("A box has its best output of each class, and covers others of that class")
  func boxes() throws {
    let manifest = try manifest(
      """
      task: detection
      head: boxes
      box-order: xyxy
      box-units: pixels
      objectness: no
      score: 0.1
      nms: 0.5
      outputs: [car, truck, person]
      classes: {car: vehicle, truck: vehicle}
      """)
    let layout = try BoxTensorLayout(
      of: [TensorSignature(name: "o", element: "f32", shape: [1, 2, 7])], manifest)
    let reader = DetectionReader(layout, try #require(manifest.detector), manifest)
    // The second box is the first one again, with the other vehicle.
    let boxes = try reader.answer(
      of: [0, 0, 2, 2, 0.5, 0.75, 0.2, 0, 0, 2, 2, 0.6, 0, 0], sample: "a")
    #expect(boxes.map(\.class) == [0, 1] && boxes.map(\.score) == [0.75, 0.2])
    #expect(
      boxes[0].scores == [
        Detection.ClassScore(class: 0, score: 0.75), Detection.ClassScore(class: 1, score: 0.2),
      ])
  }

  @Test("Maps and label maps are those of the classes")
  func maps() throws {
    let rest = """
      task: segmentation
      outputs: [road, sidewalk, sky]
      classes: {road: ground, sidewalk: ground}
      """
    let manifest = try manifest(rest)
    #expect(manifest.keptClasses == [0, 1])
    let layout = MapLayout(
      classes: 3, size: ImageSize(width: 2, height: 1), order: .nchw)
    let reader = MapReader(
      layout, activation: .none, kept: manifest.keptClasses, grouping: manifest.grouping)
    let maps = try reader.answer(of: [0.25, 0.125, 0.25, 0.125, 0.5, 0.75], sample: "a")
    #expect(maps.probabilities.map(\.elements) == [[0.5, 0.25], [0.5, 0.75]])
    let labels = MapReader(
      MapLayout(classes: 1, size: ImageSize(width: 3, height: 1), order: .nchw),
      activation: .none, kept: [], labelCount: 3, grouping: manifest.grouping)
    #expect(try labels.answer(of: [1, 2, 0], sample: "a").labels?.elements == [0, 1, 0])
  }
}

@Suite("Files with the names of classes")
struct ClassNamesFileTests {
  private let head = """
    task: classification
    input: {width: 4, height: 4, layout: NCHW, color: gray, scale: 1/255, offset: 0, resize: stretch}

    """

  private func read(
    _ line: String, _ files: [String: String]
  ) throws -> (manifest: ModelManifest, text: String) {
    let folder = FileManager.default.temporaryDirectory.appending(path: "assay-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for (name, text) in files {
      try Data(text.utf8).write(to: folder.appending(path: name))
    }
    let path = folder.appending(path: "m.yaml")
    try Data((head + line + "\nsource: here  # kept\n").utf8).write(to: path)
    return try ModelManifest.read(path.path)
  }

  @Test(
    "Lines, JSON and YAML",
    arguments: [
      ("labels.txt", "cat\r\n big dog \n\n"), ("labels.names", "cat\nbig dog"),
      ("a.json", #"["cat", "big dog"]"#), ("b.json", #"{"1": "big dog", "0": "cat"}"#),
      ("config.json", #"{"model_type": "vit", "id2label": {"0": "cat", "1": "big dog"}}"#),
      ("keras.json", #"{"0": ["n01", "cat"], "1": ["n02", "big dog"]}"#),
      ("data.yaml", "nc: 2\nnames: [cat, big dog]\n"),
      ("coco.yaml", "names:\n  0: cat\n  1: big dog\n"),
    ])
  func formats(_ name: String, _ text: String) throws {
    for key in ["classes", "outputs"] {
      let (manifest, text) = try read("\(key): \(name)", [name: text])
      #expect(manifest.outputs == ["cat", "big dog"])
      // The text says it all, and the rest stays as it was.
      #expect(text.contains("  - \"big dog\"") && text.contains("source: here  # kept"))
      #expect(try ModelManifest(yaml: text, path: "elsewhere.yaml") == manifest)
    }
  }

  @Test("A byte order mark before the manifest or the list of classes is passed over")
  func marks() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "assay-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "m.yaml")
    for (name, list) in [
      ("a.txt", "cat\ndog"), ("a.yaml", "names: [cat, dog]"), ("a.json", "[\"cat\",\"dog\"]"),
    ] {
      try Data("\u{FEFF}\(list)\n".utf8).write(to: folder.appending(path: name))
      try Data("\u{FEFF}\(head)outputs: \(name)\n".utf8).write(to: path)
      let (manifest, text) = try ModelManifest.read(path.path)
      #expect(manifest.outputs == ["cat", "dog"])
      #expect(text.hasPrefix("task: classification"))
    }
    try Data("\u{FEFF}name: p\nsteps: [{detect: faces}]\n".utf8).write(to: path)
    #expect(try PipelineFile.read(path.path).pipeline.name == "p")
  }

  @Test(
    "Files that cannot be used are refused with the reason",
    arguments: [
      ("classes: ../labels.txt", "is not below the manifest's folder"),
      ("classes: /etc/hostname", "is not below the manifest's folder"),
      ("classes: none.txt", "cannot be read"), ("classes: empty.txt", "has no list of names"),
      ("classes: hole.txt", "has an empty name at place 2"),
      ("classes: twice.txt", "has the name “cat” twice"),
      ("classes: gap.json", "has no list of names"),
      ("classes: broken.json", "has no list of names"),
    ])
  func refusals(_ line: String, _ reason: String) {
    let error = #expect(throws: InferenceError.self) {
      _ = try read(
        line,
        [
          "empty.txt": "", "hole.txt": "cat\n\ndog", "twice.txt": "cat\ncat",
          "gap.json": #"{"0": "cat", "2": "dog"}"#, "broken.json": "{",
        ])
    }
    #expect(error.map { "\($0)" }?.contains(reason) == true, "\(String(describing: error))")
    #expect(error.map { "\($0)" }?.contains("m.yaml:3") == true)
  }
}
