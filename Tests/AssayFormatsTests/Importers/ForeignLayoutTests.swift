import AssayCore
import AssayFormats
import Testing

/// Layouts that other programs write and that are easily read wrong or not at all.
@Suite("Layouts as other programs write them")
struct ForeignLayoutTests {
  @Test("LabelMe's flags are the labels of an image without shapes")
  func labelMeFlags() throws {
    func file(_ name: String, _ flags: String) -> String {
      #"{"version":"5.2.1","flags":{\#(flags)},"shapes":[],"imagePath":"\#(name)","imageData":null}"#
    }
    let tree = MemoryTree(
      texts: [
        "a.png": nil, "a.json": file("a.png", #""cat":true,"dog":false"#), "b.png": nil,
        "b.json": file("b.png", #""cat":true,"dog":true"#), "c.png": nil,
        "c.json": file("c.png", #""cat":false"#),
      ])
    let found = try CollectedObjects(detecting: tree)
    #expect(found.samples.map(\.label) == ["cat", nil, nil])
    #expect(found.objects.map(\.label) == ["cat", "dog"])
    #expect(found.run.lists?.annotationsRead == 3 && found.isBalanced && found.issues.isEmpty)
  }

  @Test("A name that leaves the folder is the only image with its last part")
  func leavingNames() throws {
    func file(_ name: String) -> String {
      """
      {"images":[{"id":0,"width":3,"height":2,"file_name":"\(name)"}],"categories":[{"id":0,"name":"x"}],
      "annotations":[{"id":0,"image_id":0,"category_id":0,"bbox":[0,0,1,1],"area":1,"iscrowd":0}]}
      """
    }
    for name in ["../../label-studio/upload/1/a.png", #"..\\..\\label-studio\\upload\\1\\a.png"#] {
      let tree = MemoryTree(texts: ["images/a.png": nil, "result.json": file(name)])
      let found = try CollectedObjects(detecting: tree)
      #expect(found.keys == ["images/a.png"] && found.objects.count == 1, "\(found.issues)")
    }
    // Two images of the name, and none: nothing is guessed.
    for images in [["images/a.png", "other/a.png"], ["images/b.png"]] {
      var texts: [String: String?] = ["result.json": file("../../a.png")]
      for image in images { texts[image] = .some(nil) }
      let found = try? CollectedObjects(MemoryTree(texts: texts), as: .coco)
      #expect(found?.objects.isEmpty ?? true)
    }
  }

  @Test("A list of the class folders beside them is no annotation; another list is")
  func classFolders() throws {
    func tree(_ list: String) -> MemoryTree {
      MemoryTree(texts: ["cat/1.png": nil, "dog/1.png": nil, "classes.txt": list])
    }
    #expect(try FormatDetector.detect(tree("cat\ndog\n")).format == .imageFolder)
    for list in ["cat\ndog\nbird\n", "cat\n", "person\ncar\n"] {
      #expect(throws: FormatError.self) { try FormatDetector.detect(tree(list)) }
    }
  }

  @Test("COCO-Stuff's list of classes does not fit its maps, and is refused")
  func cocoStuff() throws {
    let list = (0...182).map {
      "\($0): \($0 == 0 ? "unlabeled" : $0 == 1 ? "person" : "class \($0)")"
    }
    let tree = MemoryTree(
      texts: [
        "images/val2017/1.png": nil, "annotations/val2017/1.png": nil,
        "labels.txt": list.joined(separator: "\n"),
      ])
    let error = #expect(throws: FormatError.self) {
      try Importers.importer(for: .masks).run(tree, ImportOptions()) { _ in }
    }
    #expect("\(error as Any)".contains("COCO-Stuff"))
  }

  @Test("VoTT's project beside the files of its images is read with them")
  func voTTProject() throws {
    let asset = """
      {"asset":{"id":"x","name":"a.png","size":{"width":3,"height":2},"format":"png","state":2,"type":1},
      "regions":[{"id":"r","type":"RECTANGLE","tags":["cat"],"boundingBox":{"left":0,"top":0,"width":1,"height":1},
      "points":[{"x":0,"y":0},{"x":1,"y":0},{"x":1,"y":1},{"x":0,"y":1}]}],"version":"2.2.0"}
      """
    let tree = MemoryTree(
      texts: [
        "a.png": nil, "x-asset.json": asset, "p.vott": #"{"name":"p","assets":{},"tags":[]}"#,
      ])
    #expect(try FormatDetector.detect(tree).format == .voTT)
    #expect(try CollectedObjects(detecting: tree).objects.map(\.label) == ["cat"])
  }
}
