import AssayCore
import AssayImaging
import AssayStore
import AssayWorkflows
import Foundation
import Testing

@testable import AssayReview

/// A served review, with a real catalog and ledger.
struct CatalogBackendTests {
  private let size = ReviewWorld.size

  private func refusal(_ work: () throws -> Void) -> RequestRefusal? {
    do {
      try work()
      return nil
    } catch {
      return error as? RequestRefusal
    }
  }

  @Test("The page learns what is reviewed, by which run, with which classes")
  func session() throws {
    let world = try ReviewWorld.masks()
    let session = try world.backend.session(
      of: world.session("anna"))
    #expect(session["ledger"]?.text == world.ledger.uuid)
    #expect(session["author"] == "anna")
    #expect(session["review"]?["name"] == "rev")
    #expect(session["review"]?["task"] == "segmentation")
    #expect(session["review"]?["run"] == "r1")
    #expect(session["review"]?["total"] == 3)
    #expect(session["categories"] == ["person", "traffic light"])
    #expect(session["version"] == "0.1.0")
  }

  @Test("A sample comes with its objects, what the run says, and no history at first")
  func sample() throws {
    let world = try ReviewWorld.masks()
    let json = try world.backend.sample(world.ids[0], for: world.session("anna"))
    #expect(json["sample"]?["key"] == "0.png")
    #expect(json["sample"]?["width"] == 6)
    #expect(json["head"] == .null)
    #expect(json["status"] == "open")
    #expect(json["history"] == [])
    #expect(json["conflicts"] == [])
    #expect(json["image_changed"] == false)
    let objects = try #require(json["objects"]?.elements)
    #expect(objects.count == 2)
    let first = ReviewWorld.mask(["##....", "##....", "......", "......"])
    #expect(objects[0]["counts"]?.text == String(decoding: first.compressed, as: UTF8.self))
    #expect(objects[0]["box"] == [0.0, 0.0, 2.0, 2.0])
    #expect(objects[0]["changed"] == false)
    #expect(CorrectionTarget(text: objects[0]["target"]?.text ?? "") != nil)
    let run = try #require(json["run"])
    #expect(run["name"] == "r1")
    #expect(run["maps"] == ["person"])
    #expect(run["masks"]?.elements?.count == 1)
    #expect(try world.backend.sample(world.ids[1], for: world.session("anna"))["run"] == .null)
  }

  @Test("Only samples of the review are served")
  func others() throws {
    let world = try ReviewWorld.masks()
    for id in [world.ids[3], 0, -1, 99_999] {
      for ask in [
        { _ = try world.backend.sample(id, for: world.session("anna")) },
        { _ = try world.backend.picture(of: id, as: .whole, unless: []) },
        { _ = try world.backend.map(of: id, category: "person", unless: []) },
        {
          _ = try world.backend.save(
            world.save(["kind": "accept"], match: "none"), to: id, wantsState: false)
        },
      ] {
        #expect(refusal(ask)?.status == 404)
      }
    }
    #expect(try world.backend.lastSequence() == 0)
  }

  @Test("A mask is kept, taken once, told again, and undone")
  func masks() throws {
    let world = try ReviewWorld.masks()
    let after = ReviewWorld.mask(["###...", "##....", "....##", "......"])
    let request = try world.save(
      ReviewWorld.members(of: after).merging(["seconds": 4]) { first, _ in first }, match: "none")
    let saved = try world.backend.save(request, to: world.ids[0], wantsState: false)
    #expect(!saved.isRepeat && !saved.isConflict)
    #expect(saved.json["sequence"] == 1)
    #expect(saved.json["head"] == 1)
    #expect(saved.json["status"] == "started")
    #expect(saved.json["hash"]?.text?.count == 64)
    #expect(saved.json["state"] == nil)
    let again = try world.backend.save(request, to: world.ids[0], wantsState: true)
    #expect(again.isRepeat)
    #expect(again.json["sequence"] == 1)
    let objects = try #require(again.json["state"]?["objects"]?.elements)
    // The pixel touches the first object and joins it: 5 pixels now.
    let joined = ReviewWorld.mask(["###...", "##....", "......", "......"])
    #expect(objects.count == 2)
    #expect(objects[0]["counts"]?.text == String(decoding: joined.compressed, as: UTF8.self))
    #expect(objects[0]["changed"] == true)
    #expect(again.json["state"]?["history"]?.elements?.first?["author"] == "anna")

    let undo = try world.backend.save(
      world.save(["kind": "undo"], match: "\"1\""), to: world.ids[0], wantsState: true)
    let undone = try #require(undo.json["state"])
    #expect(undone["objects"]?.elements?.first?["changed"] == false)
    #expect(undone["history"]?.elements?.first?["active"] == false)
    #expect(try world.backend.lastSequence() == 2)
  }

  @Test("A save on a stale state is kept beside the other, shown, and decided on")
  func conflict() throws {
    let world = try ReviewWorld.masks()
    let anna = ReviewWorld.mask(["#.....", "......", "....##", "......"])
    let bert = ReviewWorld.mask(["......", "......", "....##", "....##"])
    _ = try world.backend.save(
      world.save(ReviewWorld.members(of: anna), match: "none"), to: world.ids[0], wantsState: false)
    let clash = try world.backend.save(
      world.save(ReviewWorld.members(of: bert), match: "none", author: "bert"), to: world.ids[0],
      wantsState: false)
    #expect(clash.isConflict)
    #expect(clash.json["error"] == "conflict")
    #expect(clash.json["kept"] == true)
    #expect(clash.json["sequence"] == 2)
    #expect(clash.json["head"] == 1)
    let conflicts = try #require(clash.json["state"]?["conflicts"]?.elements)
    #expect(conflicts.count == 1)
    #expect(conflicts[0]["author"] == "bert")
    #expect(
      try world.backend.queue(from: 0, limit: 1, for: world.session("anna"))["counts"]?["conflicts"]
        == 1)
    let decided = try world.backend.save(
      world.save(
        ["kind": "keep", "conflict": conflicts[0]["uuid"] ?? .null, "version": "this"],
        match: "\"1\""), to: world.ids[0], wantsState: true)
    let state = try #require(decided.json["state"])
    #expect(state["conflicts"] == [])
    let pixels = try #require(state["objects"]?.elements).compactMap { $0["counts"]?.text }
      .map { try Mask(size: size, compressed: Array($0.utf8)) }
    #expect(Mask.union(of: pixels, size: size) == bert)
    #expect(
      try world.backend.queue(from: 0, limit: 1, for: world.session("anna"))["counts"]?["conflicts"]
        == 0)
  }

  @Test("Another save under a used uuid is refused with 409; the same one is a repeat")
  func uuids() throws {
    let world = try ReviewWorld.masks()
    let uuid = UUID().uuidString
    let mask = ReviewWorld.mask(["###...", "##....", "....##", "......"])
    let accept: [String: JSONValue] = ["kind": "accept", "category": .null]
    func save(_ members: [String: JSONValue]) throws -> SaveReply {
      try world.backend.save(
        world.save(members, match: "none", uuid: uuid), to: world.ids[0], wantsState: false)
    }
    #expect(try !save(accept).isRepeat)
    for other: [String: JSONValue] in [
      ["kind": "note", "note": "x"], ["kind": "reject", "reason": "x"], ["kind": "skip"],
      ReviewWorld.members(of: mask), accept.merging(["done": true]) { $1 },
    ] {
      let refusal = refusal { _ = try save(other) }
      #expect(refusal?.status == 409 && refusal?.code == "uuidTaken", "\(other)")
    }
    #expect(try save(accept).isRepeat)
    #expect(try world.backend.lastSequence() == 1)
  }

  @Test("What the service does not take is said with a word for programs")
  func refusals() throws {
    let world = try ReviewWorld.masks()
    let empty = ReviewWorld.members(of: Mask(emptyOf: size))
    let small = ReviewWorld.members(of: Mask(fullOf: ImageSize(width: 2, height: 2)))
    let cases: [([String: JSONValue], String, Int, String)] = [
      (empty, "none", 422, "emptyUnsaid"), (small, "none", 422, "wrongSize"),
      (
        ReviewWorld.members(of: Mask(fullOf: size), category: "persn"), "none", 422,
        "unknownCategory"
      ),
      (["kind": "accept"], "\"7\"", 409, "unknownParent"),
      (["kind": "accept"], "\"00000000-0000-4000-8000-000000000000\"", 409, "unknownParent"),
      (["kind": "undo"], "none", 422, "nothingToUndo"),
      (["kind": "take", "run": "r2"], "none", 422, "refused"),
      (["kind": "take", "run": "nope", "category": "person"], "none", 422, "unknownRun"),
      (["kind": "take", "run": "r1@nope", "category": "person"], "none", 422, "unknownRun"),
      (["kind": "remove", "target": "{\"entry\":\"x\"}"], "none", 422, "unknownObject"),
    ]
    for (members, match, status, code) in cases {
      let refusal = refusal {
        _ = try world.backend.save(
          world.save(members, match: match), to: world.ids[0], wantsState: false)
      }
      #expect(
        code == "refused" || refusal?.code == code,
        "\(members): \(String(describing: refusal))")
      #expect(code == "refused" || refusal?.status == status, "\(members)")
      #expect(refusal?.message.isEmpty == false)
    }
    let meant = try world.backend.save(
      world.save(empty.merging(["empty": true]) { $1 }, match: "none"), to: world.ids[0],
      wantsState: true)
    #expect(meant.json["state"]?["objects"] == [])
  }

  @Test(
    "What a take would lose is refused with a word for programs, and saved once it is confirmed")
  func losses() throws {
    let world = try ReviewWorld.masks()
    let backend = try world.detector()
    let run = try backend.sample(world.ids[0], for: world.session("anna"))["run"]
    #expect(run?["score"] == 0.3)
    #expect(
      run?["taken"] == [
        ["category": "person", "masks": 0, "boxes": 1],
        ["category": "traffic light", "masks": 0, "boxes": 0],
      ])
    #expect(run?["boxes"]?.elements?.map { $0["confidence"] } == [0.75, 0.25])
    func take(_ more: [String: JSONValue]) throws -> SaveReply {
      try backend.save(
        world.save(
          ["kind": "take", "run": "det", "category": .null].merging(more) { $1 }, match: "none"),
        to: world.ids[0], wantsState: true)
    }
    let refused = refusal { _ = try take([:]) }
    #expect(refused?.status == 422 && refused?.code == "takeLoses")
    #expect(
      refused?.message.contains("replace 2 masks of “person” with 1 box, which has no pixels")
        == true)
    #expect(try backend.lastSequence() == 0)
    let taken = try take(["confirmed": true])
    #expect(taken.json["state"]?["objects"]?.elements?.map { $0["shape"] } == ["box"])
  }

  @Test("A mask from the model makes one object of its small parts; the members are checked")
  func instanceArea() throws {
    let world = try ReviewWorld.masks()
    let after = ReviewWorld.mask(["##....", "##....", "......", "#.#.#."])
    func save(_ area: JSONValue) throws -> SaveReply {
      try world.backend.save(
        world.save(
          ReviewWorld.members(of: after).merging(["instance_area": area]) { $1 }, match: "none"),
        to: world.ids[0], wantsState: true)
    }
    for area in [-1, 1.5, "2"] as [JSONValue] {
      #expect(refusal { _ = try save(area) }?.code == "badInstance_area", "\(area)")
    }
    #expect(try save(2).json["state"]?["objects"]?.elements?.count == 2)
    for share in [-0.1, 1.1, "0.1"] as [JSONValue] {
      let take: [String: JSONValue] = ["kind": "take", "run": "r1", "smallest_share": share]
      #expect(
        refusal { _ = try world.save(take, match: "none") }?.code == "badSmallest_share",
        "\(share)")
    }
  }

  @Test("Pictures are encoded anew and lose nothing; one that cannot be decoded says so")
  func pictures() throws {
    let world = try ReviewWorld.masks()
    for use in PictureUse.allCases {
      guard
        case .picture(let picture) = try world.backend.picture(
          of: world.ids[0], as: use, unless: [])
      else { throw RawConnectionError(what: "no picture") }
      #expect(picture.type == "image/png")
      let file = try Data(contentsOf: URL(fileURLWithPath: world.folder.path + "/0.png"))
      #expect(
        try ImageCodec.decode(picture.bytes, as: .native)
          == ImageCodec.decode(Array(file), as: .native))
      #expect(
        try world.backend.picture(of: world.ids[0], as: use, unless: [picture.tag])
          == .unchanged(tag: picture.tag))
      let refusal = refusal { _ = try world.backend.picture(of: world.ids[2], as: use, unless: []) }
      #expect(refusal?.code == "imageUnreadable")
      #expect(refusal?.message.contains("no JPEG, PNG, WebP") == true)
    }
  }

  @Test("Another file under the name is another picture")
  func changedPicture() throws {
    let world = try ReviewWorld.masks()
    guard
      case .picture(let first) = try world.backend.picture(
        of: world.ids[0], as: .whole, unless: [])
    else { throw RawConnectionError(what: "no picture") }
    _ = try world.backend.save(
      world.save(["kind": "accept"], match: "none"), to: world.ids[0], wantsState: false)
    let other = Raster<UInt8>(repeating: 9, width: 6, height: 4)
    try Data(try ImageCodec.encodePNG(other)).write(
      to: URL(fileURLWithPath: world.folder.path + "/0.png"))
    guard
      case .picture(let second) = try world.backend.picture(
        of: world.ids[0], as: .whole, unless: [first.tag])
    else { throw RawConnectionError(what: "unchanged") }
    #expect(try ImageCodec.decode(second.bytes, as: .native) == other)
    #expect(
      try world.backend.sample(world.ids[0], for: world.session("anna"))["image_changed"] == true)
  }

  @Test("A map has a byte for each pixel, and its half is the run's mask")
  func map() throws {
    let world = try ReviewWorld.masks()
    guard
      case .picture(let map) = try world.backend.map(
        of: world.ids[0], category: "person", unless: [])
    else { throw RawConnectionError(what: "no map") }
    #expect(map.bytes.count == size.area)
    // Cells of 2 × 2 pixels, 255 0 0 in each row; pixel centers at ¼ and ¾ of a cell: 255, 191.25, 63.75, 0.
    #expect(Array(map.bytes.prefix(6)) == [255, 191, 64, 0, 0, 0])
    let half = map.bytes.map { $0 >= 128 ? UInt8(1) : 0 }
    let mask = try #require(Raster(width: 6, height: 4, elements: half).map { Mask($0) })
    let told = try world.backend.sample(world.ids[0], for: world.session("anna"))["run"]?["masks"]?
      .elements?.first
    #expect(told?["counts"]?.text == String(decoding: mask.compressed, as: UTF8.self))
    #expect(
      try world.backend.map(of: world.ids[0], category: "person", unless: [map.tag])
        == .unchanged(tag: map.tag))
    for (id, category) in [(0, "car"), (0, "traffic light"), (1, "person")] {
      #expect(
        refusal { _ = try world.backend.map(of: world.ids[id], category: category, unless: []) }?
          .status == 404)
    }
  }

  @Test("The queue's labels are those of the corrections, and no image is read for them")
  func correctedLabels() throws {
    let world = try ReviewWorld.labels(inFiles: true)
    let path = world.folder.path + "/x.db"
    for (place, changes) in [
      ["kind": "label", "category": "sad"], ["kind": "accept"],
      ["kind": "reject", "reason": "blurred"],
    ].enumerated() {
      _ = try world.backend.save(
        world.save(changes.mapValues { .string($0) }, match: "none"), to: world.ids[place],
        wantsState: false)
    }
    let catalog = try CorrectedCatalog.open(path, .readWrite, reportingTo: NoProgress()).catalog
    // To replay a sample's corrections its image is read.
    for index in 0..<4 {
      try FileManager.default.removeItem(atPath: "\(world.folder.path)/\(index).png")
    }
    let backend = try CatalogBackend(
      catalog: catalog, ledger: world.ledger, review: "rev",
      settings: ReviewServerSettings(catalogPath: path, review: "rev", author: "anna"))
    let items = try #require(
      try backend.queue(from: 0, limit: 10, for: world.session("anna"))["items"]?.elements)
    #expect(items.map { $0["label"] } == ["sad", "sad", "happy"])
    #expect(items.allSatisfy { $0["status"] != "open" })
  }

  @Test("What the command line saves meanwhile is in the queue")
  func meanwhile() throws {
    let world = try ReviewWorld.labels()
    let before = try world.backend.queue(from: 0, limit: 10, for: world.session("anna"))
    #expect(before["total"] == 3)
    #expect(before["counts"]?["left"] == 3)
    #expect(before["items"]?.elements?.map { $0["label"] } == ["happy", "sad", "happy"])
    let service = CorrectionService(catalog: world.catalog, ledger: world.ledger)
    let samples = try world.catalog.samples(in: world.catalog.resolve("set"))
    _ = try service.save(
      CorrectionSave(
        uuid: UUID().uuidString.lowercased(), visit: UUID().uuidString.lowercased(),
        sample: samples[1], author: "bert", tool: "command line", done: true,
        change: .label("happy")))
    let after = try world.backend.queue(from: 0, limit: 10, for: world.session("anna"))
    #expect(after["counts"]?["left"] == 2)
    #expect(after["counts"]?["done"] == 1)
    #expect(after["items"]?.elements?.map { $0["label"] } == ["happy", "happy", "happy"])
    #expect(after["items"]?.elements?[1]["status"] == "done")
    #expect(try world.backend.status()["sequence"] == 1)
  }

  @Test("A label is changed, taken from the run, and the sample left out with a reason")
  func labels() throws {
    let world = try ReviewWorld.labels()
    let json = try world.backend.sample(world.ids[0], for: world.session("anna"))
    #expect(json["label"] == "happy")
    #expect(json["run"]?["label"] == "sad")
    #expect(json["run"]?["confidence"] == 0.75)
    #expect(json["run"]?["scores"]?.elements?.count == 2)
    let taken = try world.backend.save(
      world.save(["kind": "take", "run": "r1", "category": .null], match: "none"),
      to: world.ids[0], wantsState: true)
    #expect(taken.json["state"]?["label"] == "sad")
    let left = try world.backend.save(
      world.save(["kind": "reject", "reason": "two faces"], match: "\"1\""), to: world.ids[0],
      wantsState: true)
    #expect(left.json["status"] == "left_out")
    #expect(left.json["state"]?["left_out"] == "two faces")
    let noted = try world.backend.save(
      world.save(["kind": "note", "note": "<b>=1+1</b>"], match: "\"2\""), to: world.ids[0],
      wantsState: true)
    #expect(noted.json["state"]?["note"] == "<b>=1+1</b>")
    #expect(
      try world.backend.queue(from: 0, limit: 5, for: world.session("anna"))["counts"]?["left_out"]
        == 1)
  }
}
