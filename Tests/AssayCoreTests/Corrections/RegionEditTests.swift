import AssayCore
import Testing

/// Tests how a change of a class's region is applied to its instances, on images of a few pixels.
struct RegionEditTests {
  private func scene(_ objects: [AnnotatedObject], _ size: ImageSize) -> ReplayScene {
    ReplayScene(ImportedTruth(objects: objects, size: size))
  }

  private let left = Mask(
    rows: "###......",
    "###......",
    ".........")
  private let right = Mask(
    rows: "......###",
    "......###",
    ".........")

  @Test("Pixels that are removed are cut from every instance of the class, and from no other class")
  func cut() throws {
    let other = AnnotatedObject(3, "dog", left)
    var scene = scene(
      [AnnotatedObject(1, "person", left), AnnotatedObject(2, "person", right), other], left.size)
    scene.draw(
      "person",
      Mask(
        rows: ".##...##.",
        ".##...##.",
        "........."))
    let truth = scene.truth()
    #expect(
      truth.mask(scene.imported.objects[0].target)
        == Mask(rows: ".##......", ".##......", "........."))
    #expect(
      truth.mask(scene.imported.objects[1].target)
        == Mask(rows: "......##.", "......##.", "........."))
    #expect(truth.objects[2] == other)
    #expect(truth.objects.map(\.isChanged) == [true, true, false])
    // Area and box are computed from the pixels: 2 columns of 2.
    #expect(truth.objects[0].area == 4)
    #expect(truth.objects[0].box == Box(x: 1, y: 0, width: 2, height: 2))
    #expect(truth.objects[0].sourceID == .integer(1))
  }

  @Test("An instance that is left without a pixel is gone")
  func emptied() {
    var scene = scene(
      [AnnotatedObject(1, "person", left), AnnotatedObject(2, "person", right)], left.size)
    scene.draw("person", right)
    #expect(scene.truth().objects == [scene.imported.objects[1]])
  }

  @Test("A part that is added joins the instance that it touches, over corners too")
  func joins() {
    var scene = scene(
      [AnnotatedObject(1, "person", left), AnnotatedObject(2, "person", right)], left.size)
    // One pixel at the corner below the left one.
    let corner = Mask(rows: ".........", ".........", "...#.....")
    scene.draw("person", left.union(right).union(corner))
    let truth = scene.truth()
    #expect(truth.objects.count == 2)
    #expect(truth.mask(scene.imported.objects[0].target) == left.union(corner))
    #expect(truth.objects[1] == scene.imported.objects[1])
  }

  @Test("Of several instances a part joins the one with the longest contact, the first of equals")
  func longestContact() {
    // The bridge's pixels and their neighbors include two of the left instance (column 2, rows 0
    // and 1) and one of the right.
    let small = Mask(rows: "......#..", ".........", ".........")
    var scene = scene(
      [AnnotatedObject(1, "person", small), AnnotatedObject(2, "person", left)], left.size)
    let bridge = Mask(rows: "...###...", ".........", ".........")
    scene.draw("person", left.union(small).union(bridge))
    #expect(scene.truth().mask(scene.imported.objects[1].target) == left.union(bridge))
    #expect(scene.truth().objects[0] == scene.imported.objects[0])
    // Two pixels each: the first one gets it.
    var equal = self.scene(
      [AnnotatedObject(1, "person", right), AnnotatedObject(2, "person", left)], left.size)
    equal.draw("person", left.union(right).union(bridge))
    #expect(equal.truth().mask(equal.imported.objects[0].target) == right.union(bridge))
  }

  @Test("Parts that touch none are new instances, the largest first")
  func newInstances() {
    var scene = scene([], left.size)
    let three = Mask(
      rows: "#..##...#",
      "...##....",
      ".........")
    let entry = scene.draw("person", three)
    let truth = scene.truth()
    #expect(
      truth.objects.map(\.target)
        == [0, 1, 2].map { ReplayScene.made(entry, $0) })
    #expect(truth.objects.map(\.area) == [4, 1, 1])
    // Among equals, the leftmost.
    #expect(truth.objects[1].box?.x == 0)
    #expect(truth.objects.allSatisfy { $0.isChanged && $0.category == "person" })
    #expect(truth.region(of: "person") == three)
  }

  @Test("Parts below the entry's instance area that touch none are one instance together")
  func fewInstances() {
    let after = Mask(
      rows: "#..##...#",
      "...##....",
      ".......#.")
    func truth(_ area: JSONValue?) -> EffectiveTruth {
      var scene = scene([], left.size)
      let members = ReplayScene.delta(Mask(emptyOf: left.size), after)
      scene.add(
        "mask", .region(set: "labels", category: "person"),
        members + (area.map { [.init("instanceArea", $0)] } ?? []))
      return scene.truth()
    }
    #expect(truth(2).objects.map(\.area) == [4, 3])
    #expect(truth(2).objects.map(\.target) == [0, 1].map { ReplayScene.made(1, $0) })
    #expect(truth(5).objects.map(\.area) == [7])
    #expect(truth(2).region(of: "person") == after)
    // The same as every earlier entry, which does not specify it.
    for area in [nil, JSONValue.integer(0), .null] {
      #expect(truth(area).objects.map(\.area) == [4, 1, 1, 1])
    }
  }

  @Test("A part that touches an instance joins it, however small it is")
  func smallPartsJoin() {
    var scene = scene([AnnotatedObject(1, "person", left)], left.size)
    let corner = Mask(rows: ".........", ".........", "...#.....")
    let far = Mask(rows: "......#.#", ".........", ".......#.")
    let after = left.union(corner).union(far)
    let entry = scene.add(
      "mask", .region(set: "labels", category: "person"),
      ReplayScene.delta(left, after) + [.init("instanceArea", 9)])
    let truth = scene.truth()
    #expect(truth.mask(scene.imported.objects[0].target) == left.union(corner))
    #expect(truth.objects.count == 2)
    #expect(truth.mask(ReplayScene.made(entry)) == far)
  }

  @Test("A crowd is cut, and never joined")
  func crowds() {
    var scene = scene([AnnotatedObject(1, "person", left, isCrowd: true)], left.size)
    let cut = Mask(rows: "##.......", "##.......", ".........")
    scene.draw("person", cut)
    #expect(scene.truth().mask(scene.imported.objects[0].target) == cut)
    #expect(scene.truth().objects[0].isCrowd)
    let beside = Mask(rows: "..#......", "..#......", ".........")
    let entry = scene.draw("person", cut.union(beside))
    #expect(scene.truth().mask(scene.imported.objects[0].target) == cut)
    #expect(scene.truth().mask(ReplayScene.made(entry)) == beside)
  }

  @Test("Pixels that come back make an instance what it was, polygon and all")
  func restored() throws {
    let polygon = Geometry.polygons([[0, 0, 3, 0, 3, 2, 0, 2]])
    let object = AnnotatedObject(
      target: .annotation(set: "labels", sourceID: .integer(1), occurrence: 0),
      category: "person", shape: .polygon, area: 6.5, box: Box(x: 0, y: 0, width: 3, height: 2),
      sourceID: .integer(1), attributes: "{\"a\":1}", geometry: polygon.packed)
    #expect(try object.mask(in: left.size) == left)
    var scene = scene([object], left.size)
    scene.draw("person", Mask(rows: "##.......", "###......", "........."))
    #expect(scene.truth().objects[0].shape == .mask)
    #expect(scene.truth().objects[0].attributes == "{\"a\":1}")
    scene.draw("person", left)
    #expect(scene.truth().objects == [object])
    // The visit made a change and undid it: it is not a correction.
    #expect(scene.truth().corrections == 0)
  }

  @Test("An edit of one object leaves the others of its class alone, overlapping or not")
  func oneObject() {
    var scene = scene(
      [AnnotatedObject(1, "person", left), AnnotatedObject(2, "person", left)], left.size)
    let after = Mask(rows: "#........", "#........", "........#")
    scene.add("mask", scene.imported.objects[0].target, ReplayScene.delta(left, after))
    #expect(scene.truth().mask(scene.imported.objects[0].target) == after)
    #expect(scene.truth().objects[1] == scene.imported.objects[1])
    scene.add(
      "mask", scene.imported.objects[0].target,
      ReplayScene.delta(after, Mask(emptyOf: left.size)))
    #expect(scene.truth().objects == [scene.imported.objects[1]])
  }

  @Test("Noise makes no thousands of instances: the parts beyond the largest are one together")
  func noise() {
    // 40 × 40 lone pixels.
    let pixels = (0..<79).flatMap { y in
      (0..<79).map { x in UInt8(x % 2 == 0 && y % 2 == 0 ? 1 : 0) }
    }
    let noise =
      Raster(width: 79, height: 79, elements: pixels).map { Mask($0) }
      ?? Mask(emptyOf: ImageSize(width: 79, height: 79))
    var scene = scene([], noise.size)
    scene.draw("person", noise)
    let truth = scene.truth()
    #expect(truth.objects.count == 256)
    // 1,600 pixels except the 255 that are their own instances.
    #expect(truth.objects[255].area == 1345.0)
    #expect(truth.region(of: "person") == noise)
  }

  // MARK: Label maps

  private static let road = Mask(rows: "######", "######")
  private static let car = Mask(rows: "..##..", "..##..")

  /// A road with a car in the middle and void at the right end; each pixel has one class.
  private func street(isLabelMap: Bool = true) -> ReplayScene {
    let end = Mask(rows: ".....#", ".....#")
    return ReplayScene(
      ImportedTruth(
        objects: [
          AnnotatedObject(1, "road", Self.road.subtracting(Self.car).subtracting(end)),
          AnnotatedObject(2, "car", Self.car), AnnotatedObject(3, "void", end),
        ], size: Self.road.size, isLabelMap: isLabelMap))
  }

  @Test(
    "In a label map, painting a class takes the pixels from the others, and undo gives them back")
  func labelMap() throws {
    var scene = street()
    let before = scene.truth()
    scene.draw("road", Self.road)
    #expect(scene.truth().objects.map(\.category) == ["road"])
    #expect(scene.truth().region(of: "road") == Self.road)
    // The car again, over half of it.
    let half = Mask(rows: "..#...", "..#...")
    scene.draw("car", half)
    #expect(scene.truth().region(of: "car") == half)
    #expect(scene.truth().region(of: "road") == Self.road.subtracting(half))
    scene.undo(2)
    scene.undo(1)
    #expect(scene.truth().objects == before.objects)
  }

  @Test("Elsewhere, regions of several classes share pixels")
  func overlap() {
    var scene = street(isLabelMap: false)
    scene.draw("road", Self.road)
    #expect(scene.truth().region(of: "car") == Self.car)
    #expect(scene.truth().region(of: "road") == Self.road)
  }

  @Test("Removed pixels have no class, and nothing is taken from others")
  func removal() {
    var scene = street()
    scene.draw("car", Mask(rows: "..#...", "......"))
    #expect(scene.truth().region(of: "road")?.area == 6)
    #expect(scene.truth().region(of: "void")?.area == 2)
  }
}
