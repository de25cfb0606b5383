import AssayCore
import Testing

/// Entries that only another program, a later version or a damaged file can contain.
struct UntrustedPayloadTests {
  private static let square = Mask(rows: "##..", "##..", "....")

  private var scene: ReplayScene {
    ReplayScene(
      ImportedTruth(
        label: "sad", objects: [AnnotatedObject(1, "dog", Self.square)], size: Self.square.size))
  }

  private static let region = CorrectionTarget.region(set: "labels", category: "dog").text

  @Test(
    "A payload that cannot be read is passed over and counted, and the chain goes on",
    arguments: [
      ("mask", region, ""), ("mask", region, "["), ("mask", region, "7"),
      ("mask", region, "{}"), ("mask", region, #"{"size":[3]}"#),
      ("mask", region, #"{"size":["3","4"],"added":"0"}"#),
      ("mask", region, #"{"size":[0,4],"added":"0"}"#),
      ("mask", region, #"{"size":[-3,-4],"added":"0"}"#),
      ("mask", region, #"{"size":[9223372036854775807,9223372036854775807],"added":"0"}"#),
      ("mask", region, #"{"size":[3.5,4],"added":"0"}"#),
      ("mask", region, #"{"size":[3,4],"added":"0"}"#),
      ("mask", region, #"{"size":[3,4],"added":"zzzzzzzzzzzzzzzzzz"}"#),
      ("mask", region, #"{"size":[3,4],"added":12}"#),
      ("mask", region, #"{"size":[3,4],"removed":"\u0000"}"#),
      ("mask", region, #"{"size":[4,3],"added":"0<"}"#),
      ("mask", region, #"{"size":[3,4],"added":"3111","instanceArea":-1}"#),
      ("mask", region, #"{"size":[3,4],"added":"3111","instanceArea":1.5}"#),
      ("mask", region, #"{"size":[3,4],"added":"3111","instanceArea":"1"}"#),
      ("mask", "label", #"{"size":[3,4]}"#), ("mask", "nowhere", #"{"size":[3,4]}"#),
      ("mask", "{}", #"{"size":[3,4]}"#), ("label", "label", "{}"),
      ("label", "label", #"{"category":""}"#), ("label", "label", #"{"category":3}"#),
      ("label", "sample", #"{"category":"sad"}"#), ("add", "sample", #"{"category":"dog"}"#),
      ("add", "sample", #"{"category":"dog","size":[3,4],"mask":"<"}"#),
      ("remove", "label", "{}"), ("undo", "sample", "{}"), ("redo", "sample", #"{"entry":7}"#),
      ("take", "sample", "{}"), ("take", "sample", #"{"size":[3,4],"objects":[7]}"#),
      ("take", "sample", #"{"size":[3,4],"objects":[{"category":"dog","box":[1,2,-3,4]}]}"#),
      ("take", "sample", #"{"size":[3,4],"objects":[{"category":"dog","box":[1e300,2,3,4]}]}"#),
      ("take", "sample", #"{"size":[3,4],"regions":[{"added":"<"}]}"#),
      (
        "take", "sample",
        #"{"size":[3,4],"objects":[{"category":"dog","box":[1,1,1,1],"attributes":[1]}]}"#
      ),
    ])
  func unreadable(kind: String, target: String, payload: String) {
    var scene = scene
    let before = scene.truth().content
    scene.add(raw: payload, kind, target)
    #expect(scene.truth().content == before)
    #expect(scene.truth().skipped.unreadable == 1)
    #expect(scene.truth().history[0].isActive == false)
    _ = scene.label("happy")
    #expect(scene.truth().label == "happy")
    #expect(scene.truth().conflicts.isEmpty)
  }

  @Test(
    "Kinds and formats of a later version are kept and passed over; unknown members do not matter")
  func unknown() {
    var scene = scene
    scene.add("rotate", .sample)
    scene.add("label", .label, [.init("category", "happy")], format: 2)
    #expect(scene.truth().label == "sad")
    #expect(scene.truth().skipped.unknown == 2)
    scene.add(raw: #"{"category":"fear","later":{"a":[1]}}"#, "label", "label")
    #expect(scene.truth().label == "fear")
  }

  @Test("Objects that are not there are counted as missing")
  func missing() {
    var scene = scene
    scene.add("remove", .made(entry: "x"))
    scene.add("mask", .made(entry: "x"), ReplayScene.delta(Self.square, Self.square))
    scene.add("take", .sample, [.init("entry", .string(ReplayScene.uuid(1)))])
    #expect(scene.truth().skipped.missing == 3)
  }

  @Test("A branch that is taken from within branches ever deeper ends without a crash")
  func deep() {
    var scene = scene
    _ = scene.label("happy")
    for number in 2..<300 {
      scene.add(
        "take", .sample, [.init("entry", .string(ReplayScene.uuid(number - 1)))],
        parent: .some(nil))
    }
    #expect(scene.truth().label == "happy")
  }

  @Test("Damaged entries never end the program", arguments: 0..<40)
  func fuzz(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    var scene = scene
    scene.draw("dog", Mask(rows: "###.", "##..", "...#"))
    _ = scene.label("happy")
    scene.undo(1)
    scene.add(
      "take", .sample,
      [
        ReplayScene.size(Self.square.size),
        .init("objects", [["category": "cat", "mask": ReplayScene.counts(Self.square)]]),
      ])
    for _ in 0..<50 {
      var entries = scene.entries
      for _ in 0..<3 {
        let place = Int.random(in: 0..<entries.count, using: &random)
        var bytes = Array(
          (Bool.random(using: &random) ? entries[place].payload : entries[place].target).utf8)
        if bytes.isEmpty { continue }
        let at = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[at] = UInt8.random(in: 32..<127, using: &random)
        case 1: bytes.removeSubrange(at...)
        default: bytes.insert(contentsOf: "9999999".utf8, at: at)
        }
        let text = String(decoding: bytes, as: UTF8.self)
        if Bool.random(using: &random) {
          entries[place].payload = text
        } else {
          entries[place].target = text
        }
        entries[place].parent =
          Bool.random(using: &random)
          ? entries[place].parent : Int64.random(in: -5...9, using: &random)
      }
      let truth = CorrectionReplay.replay(
        scene.imported, entries.shuffled(using: &random), contentHash: ReplayScene.hash)
      #expect(truth.history.count <= entries.count)
    }
  }
}
