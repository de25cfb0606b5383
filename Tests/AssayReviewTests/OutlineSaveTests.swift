import AssayCore
import AssayStore
import Foundation
import Testing

@testable import AssayReview

/// Objects with polygons and fields, as the page gets and saves them.
@Suite("Polygons and fields of objects on the page")
struct OutlineSaveTests {
  fileprivate func refusal(_ work: () throws -> Void) -> RequestRefusal? {
    do {
      try work()
      return nil
    } catch {
      return error as? RequestRefusal
    }
  }

  fileprivate func numbers(_ value: JSONValue?) -> [[Double]]? {
    value?.elements?.map { $0.elements?.compactMap(\.double) ?? [] }
  }

  @Test("The page learns whether the dataset has polygons")
  func session() throws {
    let polygons = try ReviewWorld.polygons()
    #expect(try polygons.backend.session(of: polygons.session("anna"))["polygons"] == true)
    let masks = try ReviewWorld.masks()
    #expect(try masks.backend.session(of: masks.session("anna"))["polygons"] == false)
  }

  @Test("Objects come with the vertices of the source, if a correction can replace them")
  func sample() throws {
    let world = try ReviewWorld.polygons()
    let json = try world.backend.sample(world.ids[0], for: world.session("anna"))
    let objects = try #require(json["objects"]?.elements)
    #expect(numbers(objects[0]["polygons"]) == [[0.125, 0, 3, 0, 3, 2.3333333333333335, 0, 2]])
    #expect(numbers(objects[1]["polygons"]) == [[4, 0, 6, 0, 6, 2], [4, 3, 6, 3, 6, 4, 4, 4]])
    // Two points are no polygon that can be saved again: the object is its pixels.
    #expect(objects[2]["polygons"] == .null)
    #expect(objects[2]["shape"] == "polygon")
    let masks = try ReviewWorld.masks()
    let other = try masks.backend.sample(masks.ids[0], for: masks.session("anna"))
    #expect(other["objects"]?.elements?.map { $0["polygons"] } == [.null, .null])
  }

  @Test("Vertices are saved with their exact numbers, and the pixels follow from them")
  func save() throws {
    let world = try ReviewWorld.polygons()
    let sample = try world.backend.sample(world.ids[0], for: world.session("anna"))
    let target = try #require(sample["objects"]?.elements?.first?["target"])
    let rings: JSONValue = [[0.125, 0, 5, 0, 3, 2.3333333333333335, 0, 2]]
    let request = try world.save(
      ["kind": "outline", "target": target, "polygons": rings], match: "none")
    let saved = try world.backend.save(request, to: world.ids[0], wantsState: true)
    let object = try #require(saved.json["state"]?["objects"]?.elements?.first)
    #expect(numbers(object["polygons"]) == [[0.125, 0, 5, 0, 3, 2.3333333333333335, 0, 2]])
    let mask = Mask(
      polygons: [[0.125, 0, 5, 0, 3, 2.3333333333333335, 0, 2]], size: ReviewWorld.size)
    #expect(object["counts"]?.text == String(decoding: mask.compressed, as: UTF8.self))
    #expect(object["changed"] == true)
    let again = try world.backend.save(request, to: world.ids[0], wantsState: false)
    #expect(again.isRepeat)
    let drawn = try world.backend.save(
      world.save(
        ["kind": "add", "category": "person", "polygons": [[0, 3, 2, 3, 2, 4]]], match: "\"1\""),
      to: world.ids[0], wantsState: true)
    let made = try #require(drawn.json["state"]?["objects"]?.elements?.last)
    #expect(made["shape"] == "polygon")
    #expect(numbers(made["polygons"]) == [[0, 3, 2, 3, 2, 4]])
  }

  @Test("A stroke makes an object a mask without vertices, and undo gives them back")
  func stroke() throws {
    let world = try ReviewWorld.polygons()
    let sample = try world.backend.sample(world.ids[0], for: world.session("anna"))
    let target = try #require(sample["objects"]?.elements?.first?["target"])
    let after = ReviewWorld.mask(["##....", "##....", "......", "......"])
    var members = ReviewWorld.members(of: after)
    members["target"] = target
    let saved = try world.backend.save(
      world.save(members, match: "none"), to: world.ids[0], wantsState: true)
    let object = try #require(saved.json["state"]?["objects"]?.elements?.first)
    #expect(object["shape"] == "mask" && object["polygons"] == .null)
    let undone = try world.backend.save(
      world.save(["kind": "undo"], match: "\"1\""), to: world.ids[0], wantsState: true)
    #expect(
      undone.json["state"]?["objects"]?.elements?.first?["polygons"]
        == sample["objects"]?.elements?.first?["polygons"])
  }

  @Test("What is no polygon is refused with a reason, and nothing is saved")
  func refusals() throws {
    let world = try ReviewWorld.polygons()
    let sample = try world.backend.sample(world.ids[0], for: world.session("anna"))
    let target = try #require(sample["objects"]?.elements?.first?["target"])
    for text in [
      "[]", "[[]]", "[[0,0,1,1]]", "[[0,0,1,1,2]]", "[[0,0,1,1,2,\"x\"]]", "[[0,0,1,1,2,null]]",
      "[[0,0,1e9,1,2,2]]", "[[0,0,1e400,1,2,2]]", "[[0,0,NaN,1,2,2]]", "7", "[7]",
    ] {
      let found = refusal {
        let body = """
          {"kind":"outline","target":\(target.text().isEmpty ? "" : target.text()),"polygons":\(text),
          "uuid":"\(UUID().uuidString)","visit":"\(UUID().uuidString)","ledger":"\(world.ledger.uuid)",
          "author":"anna"}
          """
        let bytes = Array(body.utf8)
        _ = try world.backend.save(
          SaveRequest(body: JSONBody.object(bytes), size: bytes.count, match: "none"),
          to: world.ids[0], wantsState: false)
      }
      #expect(found?.status == 422 || found?.status == 400, "\(text)")
    }
    let outside = refusal {
      _ = try world.backend.save(
        world.save(
          ["kind": "outline", "target": target, "polygons": [[7, 0, 9, 0, 9, 3]]], match: "none"),
        to: world.ids[0], wantsState: false)
    }
    #expect(outside?.code == "emptyObject")
    #expect(try world.backend.lastSequence() == 0)
  }

  @Test("A body has room for the points of an object, and not for more")
  func many() throws {
    let world = try ReviewWorld.polygons()
    let sample = try world.backend.sample(world.ids[0], for: world.session("anna"))
    let target = try #require(sample["objects"]?.elements?.first?["target"])
    func body(points: Int) -> [UInt8] {
      var ring: [JSONValue] = []
      for point in 0..<points {
        ring.append(.number(Double(point % 6) + 0.123456))
        ring.append(.number(Double(point / 6 % 4) + 0.5))
      }
      return Bench.save([
        "kind": "outline", "target": target, "ledger": .string(world.ledger.uuid),
        "polygons": .array([.array(ring)]),
      ])
    }
    func request(_ body: [UInt8]) throws -> SaveRequest {
      try SaveRequest(
        body: JSONBody.object(body, valueLimit: SaveRequest.valueLimit), size: body.count,
        match: "none")
    }
    let largest = body(points: ObjectOutline.pointLimit)
    #expect(largest.count < SaveRequest.maskLimit)
    let saved = try world.backend.save(request(largest), to: world.ids[0], wantsState: true)
    #expect(
      numbers(saved.json["state"]?["objects"]?.elements?.first?["polygons"])?.first?.count
        == 2 * ObjectOutline.pointLimit)
    #expect(refusal { _ = try request(body(points: ObjectOutline.pointLimit + 1)) } != nil)
  }
}

extension OutlineSaveTests {
  @Test("The page learns the skeletons of the classes and the fields of the objects")
  func facts() throws {
    let world = try ReviewWorld.polygons()
    let session = try world.backend.session(of: world.session("anna"))
    #expect(session["skeletons"]?.members?.map(\.name) == ["person"])
    #expect(session["skeletons"]?["person"]?["names"] == ["nose", "ear", "ear"])
    #expect(session["skeletons"]?["person"]?["edges"] == [[0, 1], [1, 2]])
    let fields = try #require(session["fields"])
    #expect(fields["occluded"]?["type"] == "boolean")
    #expect(fields["pose"] == ["type": "text", "values": ["front", "left"]])
    #expect(fields["track"]?["type"] == "number" && fields["track"]?["values"] == [])
    #expect(fields["keypoints"] == nil && fields["parts"] == nil)
  }

  @Test("Keypoints and fields are saved, and a number of labeled points follows")
  func attributes() throws {
    let world = try ReviewWorld.polygons()
    let sample = try world.backend.sample(world.ids[0], for: world.session("anna"))
    let object = try #require(sample["objects"]?.elements?.first)
    #expect(object["attributes"]?["keypoints"] == [1, 1, 2, 2, 1.5, 1, 0, 0, 0])
    #expect(sample["objects"]?.elements?.last?["attributes"] == .null)
    let saved = try world.backend.save(
      world.save(
        [
          "kind": "attributes", "target": object["target"] ?? .null,
          "attributes": [
            "keypoints": [1, 2.25, 2, 2, 1.5, 1, 4, 1, 2], "pose": "right", "track": .null,
          ],
        ], match: "none"), to: world.ids[0], wantsState: true)
    let now = try #require(saved.json["state"]?["objects"]?.elements?.first?["attributes"])
    #expect(now["keypoints"] == [1, 2.25, 2, 2, 1.5, 1, 4, 1, 2])
    #expect(now["num_keypoints"] == 3)
    #expect(now["pose"] == "right" && now["track"] == nil && now["occluded"] == false)
    let refused = refusal {
      _ = try world.backend.save(
        world.save(
          [
            "kind": "attributes", "target": object["target"] ?? .null,
            "attributes": ["keypoints": [1, 2, 3]],
          ], match: "\"1\""), to: world.ids[0], wantsState: false)
    }
    #expect(refused?.code == "badField")
  }
}
