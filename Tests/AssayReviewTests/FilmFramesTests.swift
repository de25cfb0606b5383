import AssayCore
import AssayImaging
import AssayStore
import Foundation
import Testing

@testable import AssayReview
@testable import AssayWorkflows

/// Frames of videos: their order, their neighbors, and boxes between key frames.
@Suite("Frames of videos on the page")
struct FilmFramesTests {
  private func samples(_ keys: [String]) -> [SampleRecord] {
    keys.enumerated().map { SampleRecord(id: Int64($0 + 1), key: $1) }
  }

  @Test("Frames have the order of their numbers, whatever the order of the review")
  func fields() throws {
    let fields: [Int: [JSONValue.Member]] = [
      0: [.init("frame", 10), .init("time", 1.5), .init("track", "film")],
      1: [.init("frame", 2), .init("track", "film")],
      2: [.init("frame", 2), .init("track", "alone")],
      3: [.init("frame", "3"), .init("track", "film")], 4: [.init("frame", 4)],
      5: [.init("frame", 5), .init("track", 7)],
    ]
    let frames = FilmFrames(
      samples(["a", "b", "c", "d", "e", "f", "g"]), fields: fields, hasTracks: false)
    let place = try #require(frames.place(of: 1))
    #expect(place.film.name == "film" && place.index == 1)
    #expect(place.film.frames.map(\.sample) == [2, 1])
    #expect(place.film.frames.map(\.seconds) == [nil, 1.5])
    for other in 3...8 { #expect(frames.place(of: Int64(other)) == nil) }
    #expect(!frames.isEmpty)
  }

  @Test("Where objects have tracks, frames are told by the numbers of their names")
  func names() throws {
    let keys = [
      "a/frame_000010.png", "a/frame_000009.png", "b/frame_000009.png", "a/x.png", "a/frame_.png",
      "a/frame_99999999999999999999.png", "a/frame_000011",
    ]
    let frames = FilmFrames(samples(keys), fields: [:], hasTracks: true)
    let place = try #require(frames.place(of: 1))
    #expect(place.film.name == "a/frame_*" && place.film.frames.map(\.sample) == [2, 1, 7])
    #expect(frames.place(of: 3) == nil && frames.place(of: 6) == nil)
    #expect(FilmFrames(samples(keys), fields: [:], hasTracks: false).isEmpty)
    #expect(FilmFrames.numbered("7").map(\.name) == "*")
    #expect(FilmFrames.numbered("") == nil && FilmFrames.numbered("a.7/") == nil)
  }

  @Test("A frame comes with its neighbors, and the session says that there are films")
  func page() throws {
    let world = try ReviewWorld.film()
    let session = world.session("anna")
    #expect(try world.backend.session(of: session)["films"] == true)
    let film = try #require(try world.backend.sample(world.ids[1], for: session)["film"])
    #expect(film["name"] == "film" && film["frame"] == 10 && film["index"] == 1)
    #expect(film["count"] == 3 && film["time"] == 0.5)
    #expect(film["previous"] == ["sample": .integer(world.ids[0]), "frame": 0, "position": 0])
    #expect(film["next"]?["frame"] == 20)
    let last = try world.backend.sample(world.ids[2], for: session)["film"]
    #expect(last?["next"] == .null)
    let masks = try ReviewWorld.masks()
    #expect(try masks.backend.session(of: masks.session("anna"))["films"] == false)
    #expect(
      try masks.backend.sample(masks.ids[0], for: masks.session("anna"))["film"] == .null)
  }

  @Test("The key frame of a track is the last one before, with the frames in between")
  func keyframe() throws {
    let world = try ReviewWorld.film()
    let session = world.session("anna")
    func ask(_ sample: Int, _ track: JSONValue = 7, category: String = "person") throws -> JSONValue
    {
      try world.backend.keyframe(
        before: world.ids[sample], track: track, category: category, for: session)
    }
    let answer = try ask(2)
    #expect(answer["key"]?["box"] == [1.0, 1.0, 2.0, 2.0] && answer["key"]?["frame"] == 0)
    let between = try #require(answer["between"]?.elements)
    #expect(between.map { $0["sample"] } == [.integer(world.ids[1])])
    #expect(between[0]["head"] == .null && between[0]["held_by"] == .null)
    #expect(try ask(1)["between"] == [])
    for (sample, track, category) in [
      (0, 7, "person"), (2, 8, "person"), (2, "7", "person"), (2, 7, "car"),
    ] as [(Int, JSONValue, String)] {
      #expect(throws: RequestRefusal.self) { try ask(sample, track, category: category) }
    }
    // A box that somebody adds is the key frame, with its fields.
    let saved = try world.backend.save(
      world.save(
        [
          "kind": "add", "category": "person", "box": [3, 1, 2, 2],
          "attributes": ["track": 7, "keyframe": false],
        ], match: "none"), to: world.ids[1], wantsState: true)
    let made = try #require(saved.json["state"]?["objects"]?.elements?.last)
    #expect(made["shape"] == "box" && made["attributes"]?["track"] == 7)
    #expect(made["attributes"]?["keyframe"] == false)
    let now = try ask(2)
    #expect(now["key"]?["frame"] == 10 && now["between"] == [])
    // A frame that is left out has no part in it.
    _ = try world.backend.save(
      world.save(["kind": "reject", "reason": "blurred"], match: "\"1\""), to: world.ids[1],
      wantsState: false)
    #expect(try ask(2)["key"]?["frame"] == 0)
    #expect(try ask(2)["between"] == [])
  }

  @Test("A repeated save of an object with fields is one entry, and bad fields are refused")
  func fieldsOfNew() throws {
    let world = try ReviewWorld.film()
    let uuid = UUID().uuidString
    func add(_ fields: JSONValue, uuid: String = uuid) throws -> SaveReply {
      try world.backend.save(
        world.save(
          ["kind": "add", "category": "person", "box": [3, 1, 2, 2], "attributes": fields],
          match: "none", uuid: uuid), to: world.ids[1], wantsState: false)
    }
    #expect(try !add(["track": 9]).isRepeat)
    #expect(try add(["track": 9]).isRepeat)
    #expect(throws: RequestRefusal.self) { try add(["track": 8]) }
    for fields in [7, [1], ["": 1], ["keypoints": [1, 2, 3]]] as [JSONValue] {
      #expect(throws: RequestRefusal.self) { try add(fields, uuid: UUID().uuidString) }
    }
    #expect(try world.backend.lastSequence() == 1)
  }

  @Test("The route refuses tracks that are no number and no text")
  func route() async throws {
    let bench = try Bench()
    for query in [
      "", "?track=7", "?category=car", "?track=&category=car", "?track=%7B%7D&category=car",
      "?track=null&category=car", "?track=7&category=", "?track=x&category=car",
    ] {
      let response = await bench.send(
        .get, "/api/samples/1/keyframe" + query, session: bench.session())
      #expect(response.code == 422, "\(query)")
    }
    let good = await bench.send(
      .get, "/api/samples/1/keyframe?track=%227%22&category=car", session: bench.session())
    #expect(try await good.json()["track"] == "7")
  }
}
