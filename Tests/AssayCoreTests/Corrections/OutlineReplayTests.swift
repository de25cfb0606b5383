import AssayCore
import Testing

/// Tests corrections of boxes, polygons and fields of objects.
struct OutlineReplayTests {
  private let size = ImageSize(width: 8, height: 6)

  private func target(_ id: Int64) -> CorrectionTarget {
    .annotation(set: "labels", sourceID: .integer(id), occurrence: 0)
  }

  private var scene: ReplayScene {
    let box = AnnotatedObject(
      target: target(1), category: "dog", shape: .box, area: 5.5,
      box: Box(x: 1, y: 1, width: 2.5, height: 2), sourceID: .integer(1),
      attributes: #"{"occluded":true,"keypoints":[1,1,2,3,3,1]}"#)
    let polygon = AnnotatedObject(
      target: target(2), category: "cat", shape: .polygon, area: 4,
      box: Box(x: 4, y: 0, width: 2, height: 2), sourceID: .integer(2),
      geometry: Geometry.polygons([[4, 0, 6, 0, 6, 2, 4, 2]]).packed)
    return ReplayScene(ImportedTruth(objects: [box, polygon], size: size))
  }

  private func box(_ numbers: Double...) -> JSONValue.Member {
    .init("box", .array(numbers.map { .number($0) }))
  }

  private func polygons(_ points: Double...) -> JSONValue.Member {
    .init("polygons", [.array(points.map { .number($0) })])
  }

  @Test("A box is the one of the last correction, and its pixels follow")
  func move() throws {
    var scene = scene
    scene.add("outline", target(1), [box(4, 3, 2, 2)])
    let moved = try #require(scene.truth().objects.first)
    #expect(moved.box == Box(x: 4, y: 3, width: 2, height: 2))
    #expect(moved.area == 4)
    #expect(moved.isChanged)
    #expect(moved.attributes?.contains("occluded") == true)
    let region = try #require(scene.truth().region(of: "dog"))
    #expect(region == Mask(box: Box(x: 4, y: 3, width: 2, height: 2), size: size))
    scene.add("outline", target(1), [box(0, 0, 1, 1)])
    #expect(scene.truth().objects[0].box == Box(x: 0, y: 0, width: 1, height: 1))
    scene.undo(2)
    #expect(scene.truth().objects[0].box == Box(x: 4, y: 3, width: 2, height: 2))
    #expect(scene.truth().corrections == 1)
  }

  @Test("A box that is moved back is unchanged, with the source's area")
  func moveBack() {
    var scene = scene
    scene.add("outline", target(1), [box(4, 3, 2, 2)])
    scene.add("outline", target(1), [box(1, 1, 2.5, 2)])
    #expect(scene.truth().objects == scene.imported.objects)
    #expect(scene.truth().corrections == 0)
  }

  @Test("A mask edit after a box was moved starts from the moved box")
  func cutMoved() throws {
    var scene = scene
    scene.add("outline", target(1), [box(4, 3, 2, 2)])
    let cut = Mask(box: Box(x: 4, y: 3, width: 1, height: 2), size: size)
    scene.add(
      "mask", target(1),
      [
        .init("size", [6, 8]),
        .init("removed", .string(String(decoding: cut.compressed, as: UTF8.self))),
      ])
    let region = try #require(scene.truth().region(of: "dog"))
    #expect(region == Mask(box: Box(x: 5, y: 3, width: 1, height: 2), size: size))
    // It is a mask now: a box no longer replaces it.
    scene.add("outline", target(1), [box(0, 0, 1, 1)])
    #expect(scene.truth().region(of: "dog") == region)
    #expect(scene.truth().skipped.missing == 1)
  }

  @Test("Polygons replace polygons and masks, with their box and area")
  func polygons() throws {
    var scene = scene
    scene.add("outline", target(2), [polygons(0, 0, 4, 0, 4, 3, 0, 3), .init("size", [6, 8])])
    let object = scene.truth().objects[1]
    #expect(object.shape == .polygon)
    #expect(object.box == Box(x: 0, y: 0, width: 4, height: 3))
    #expect(object.area == 12)
    #expect(try object.mask(in: size).area == 12)
    scene.add("outline", target(2), [polygons(4, 0, 6, 0, 6, 2, 4, 2)])
    #expect(!scene.truth().objects[1].isChanged)
  }

  @Test("A box for a polygon, polygons for a box and an unknown object are passed over")
  func otherShape() {
    var scene = scene
    scene.add("outline", target(2), [box(0, 0, 1, 1)])
    scene.add("outline", target(1), [polygons(0, 0, 4, 0, 4, 3)])
    scene.add("outline", target(9), [box(0, 0, 1, 1)])
    #expect(scene.truth().objects == scene.imported.objects)
    #expect(scene.truth().skipped.missing == 3)
  }

  @Test(
    "Coordinates that are no outline are passed over",
    arguments: [
      #"{"box":[0,0,1]}"#, #"{"box":[0,0,-1,1]}"#, #"{"box":[0,0,1e10,1]}"#, #"{"box":"0"}"#, "{}",
      #"{"polygons":[]}"#, #"{"polygons":[[0,0,1,1]]}"#, #"{"polygons":[[0,0,1,1,2]]}"#,
      #"{"polygons":[[0,0,1,1,2,"x"]]}"#, #"{"box":[0,0,1,1],"size":[6]}"#,
      #"{"box":[0,0,1,1],"size":[6,9]}"#,
    ])
  func unreadable(payload: String) {
    var scene = scene
    scene.add(raw: payload, "outline", target(1).text)
    #expect(scene.truth().objects == scene.imported.objects)
    #expect(scene.truth().skipped.unreadable == 1)
  }

  @Test("A new object can have polygons")
  func draw() {
    var scene = scene
    scene.add(
      "add", .sample,
      [.init("category", "dog"), .init("size", [6, 8]), polygons(0, 0, 2, 0, 2, 2, 0, 2)])
    let object = scene.truth().objects[2]
    #expect(object.shape == .polygon)
    #expect(object.area == 4)
    #expect(object.target == .made(entry: ReplayScene.uuid(1)))
  }

  @Test("Fields are set and removed one by one; the others stay as they are")
  func fields() {
    var scene = scene
    scene.add(
      "attributes", target(1),
      [.init("attributes", ["occluded": .null, "pose": "left", "keypoints": [2, 2, 2, 3, 3, 0]])])
    let object = scene.truth().objects[0]
    #expect(object.attributes == #"{"keypoints":[2,2,2,3,3,0],"pose":"left"}"#)
    #expect(object.isChanged)
    #expect(object.box == scene.imported.objects[0].box)
    scene.add("attributes", target(2), [.init("attributes", ["pose": .null])])
    #expect(scene.truth().objects[1] == scene.imported.objects[1])
    scene.undo(1)
    #expect(scene.truth().objects == scene.imported.objects)
    scene.add("attributes", target(1), [.init("attributes", "x")])
    scene.add("attributes", .sample, [.init("attributes", ["a": 1])])
    #expect(scene.truth().skipped.unreadable == 2)
  }

  @Test("Fields that change after the pixels were packed are reported")
  func fieldsOfMask() {
    var scene = scene
    _ = scene.draw("cat", Mask(box: Box(x: 4, y: 0, width: 3, height: 3), size: size))
    var replay = CorrectionReplay(scene.imported, contentHash: ReplayScene.hash)
    for entry in scene.entries { replay.append(entry) }
    _ = replay.truth()
    scene.add("attributes", target(2), [.init("attributes", ["pose": "left"])])
    replay.append(scene.entries[1])
    #expect(replay.truth().objects[1].attributes == #"{"pose":"left"}"#)
  }
}
