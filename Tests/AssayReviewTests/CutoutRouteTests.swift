import AssayCore
import AssayImaging
import Foundation
import Synchronization
import Testing

@testable import AssayReview

/// Cut-outs: limits, malformed requests, cancellation, and the image of a sample.
@Suite("Cut-outs of the review server")
struct CutoutRouteTests {
  /// More time than any machine needs: what ends these requests is another request or a cancellation.
  private static let endless = Duration.seconds(86_400)

  private static func body(_ text: String) -> [UInt8] { Array(text.utf8) }

  private func answer(
    _ text: String, _ bench: Bench, sample: Int = 1, session: String? = nil
  ) async throws -> (code: Int, json: JSONValue) {
    let response = await bench.send(
      .post, "/api/samples/\(sample)/cutout", session: session ?? bench.session(),
      body: Self.body(text))
    return (response.code, try await response.json())
  }

  @Test("A mask is proposed, and nothing is saved")
  func proposal() async throws {
    let bench = try Bench()
    let (code, json) = try await answer(#"{"box":[1,1,3,2]}"#, bench)
    #expect(code == 200)
    #expect(json["area"] == 6 && json["factor"] == 1 && json["size"] == [4, 6])
    let mask = Mask(
      box: Box(x: 1, y: 1, width: 3, height: 2), size: ImageSize(width: 6, height: 4))
    #expect(json["counts"]?.text == String(decoding: mask.compressed, as: UTF8.self))
    #expect(bench.review.lastSequence() == 0)
    #expect(bench.responder.cutouts.count == 0)
  }

  @Test("Malformed requests are refused with a reason")
  func malformed() async throws {
    let bench = try Bench()
    let strokes = [
      "7", "{}", "[7]", "[{}]", #"[{"object":true,"radius":2}]"#,
      #"[{"object":1,"radius":2,"points":[1,1]}]"#,
      #"[{"object":true,"radius":-1,"points":[1,1]}]"#,
      #"[{"object":true,"radius":1001,"points":[1,1]}]"#,
      #"[{"object":true,"radius":1e400,"points":[1,1]}]"#,
      #"[{"object":true,"radius":2,"points":[]}]"#, #"[{"object":true,"radius":2,"points":[1]}]"#,
      #"[{"object":true,"radius":2,"points":[1,"x"]}]"#,
      #"[{"object":true,"radius":2,"points":[1,null]}]"#,
      #"[{"object":true,"radius":2,"points":[1e9,1]}]"#,
    ].map { #"{"box":[1,1,3,2],"strokes":\#($0)}"# }
    let bodies =
      [
        "{}", #"{"box":null}"#, #"{"box":[1,1,3]}"#, #"{"box":[1,1,3,-2]}"#,
        #"{"box":[1,1,1e9,2]}"#, #"{"box":["1",1,3,2]}"#, #"{"polygons":[[1,1,2,2,3,1]]}"#,
        #"{"box":[1,1,3,2],"polygons":[[1,1,2,2,3,1]]}"#, #"{"box":[1,1,3,2],"counts":"0"}"#,
        #"{"box":[1,1,3,2],"counts":"zz","size":[4,6]}"#,
        #"{"box":[1,1,3,2],"counts":7,"size":[4,6]}"#,
        #"{"box":[1,1,3,2],"counts":"0","size":[-4,6]}"#, "[]", "7", "{", "",
      ] + strokes
    for body in bodies {
      let (code, json) = try await answer(body, bench)
      #expect(code == 422 || code == 400, "\(body)")
      #expect(json["message"]?.text?.isEmpty == false, "\(body)")
    }
    let (missing, _) = try await answer(#"{"box":[1,1,3,2]}"#, bench, sample: 9)
    #expect(missing == 404)
  }

  @Test("Strokes, points and bytes have limits")
  func limits() async throws {
    let bench = try Bench()
    func strokes(_ count: Int, points: Int) -> String {
      let numbers = Array(repeating: "1,2", count: points).joined(separator: ",")
      let one = #"{"object":true,"radius":1,"points":[\#(numbers)]}"#
      let list = Array(repeating: one, count: count).joined(separator: ",")
      return #"{"box":[1,1,3,2],"strokes":[\#(list)]}"#
    }
    let most = try await answer(strokes(CutoutRequest.strokeLimit, points: 2), bench)
    #expect(most.code == 200)
    let more = try await answer(strokes(CutoutRequest.strokeLimit + 1, points: 2), bench)
    #expect(more.code == 422)
    let long = try await answer(strokes(1, points: CutoutRequest.pointLimit), bench)
    #expect(long.code == 200)
    let longer = try await answer(strokes(2, points: CutoutRequest.pointLimit / 2 + 1), bench)
    #expect(longer.code == 422)
    let large = try await answer(
      #"{"box":[1,1,3,2],"x":""# + String(repeating: "x", count: CutoutRequest.limit) + #""}"#,
      bench)
    #expect(large.code == 413)
  }

  @Test("A later request of a person ends the one before, and no request of others")
  func superseded() async throws {
    let (started, release) = AsyncStream.makeStream(of: Void.self)
    let count = Mutex(0)
    let bench = try Bench(
      FakeReview(onCutout: { isCanceled in
        let number = count.withLock { count in
          count += 1
          return count
        }
        release.yield()
        // The first one works until it is asked to stop.
        if number == 1 { while !isCanceled() { usleep(1_000) } }
      }), cutoutPatience: Self.endless)
    let anna = bench.session()
    var turns = started.makeAsyncIterator()
    async let first = answer(#"{"box":[1,1,3,2]}"#, bench, session: anna)
    await turns.next()
    let other = try await answer(
      #"{"box":[1,1,2,2]}"#, bench, session: bench.session(author: "ben"))
    #expect(other.code == 200 && bench.responder.cutouts.count == 1)
    let second = try await answer(#"{"box":[1,1,1,1]}"#, bench, session: anna)
    #expect(second.code == 200)
    let ended = try await first
    #expect(ended.code == 409 && ended.json["error"] == "superseded")
    #expect(bench.responder.cutouts.count == 0)
  }

  @Test("A canceled request ends its work")
  func canceled() async throws {
    let (started, release) = AsyncStream.makeStream(of: Void.self)
    let bench = try Bench(
      FakeReview(onCutout: { isCanceled in
        release.yield()
        while !isCanceled() { usleep(1_000) }
      }), cutoutPatience: Self.endless)
    let task = Task { try await answer(#"{"box":[1,1,3,2]}"#, bench) }
    var turns = started.makeAsyncIterator()
    await turns.next()
    task.cancel()
    #expect(try await task.value.code == 409)
  }

  @Test("A request that takes longer than the server waits is ended")
  func patience() async throws {
    let bench = try Bench(
      FakeReview(onCutout: { isCanceled in while !isCanceled() { usleep(1_000) } }),
      cutoutPatience: .zero)
    let (code, json) = try await answer(#"{"box":[1,1,3,2]}"#, bench)
    #expect(code == 422 && json["error"] == "tooLong")
    #expect(bench.responder.cutouts.count == 0)
  }

  @Test("The reason why nothing is cut out is passed on")
  func reasons() async throws {
    let bench = try Bench(FakeReview(onCutout: { _ in throw ImageCutoutError.noBackground }))
    let (code, json) = try await answer(#"{"box":[1,1,3,2]}"#, bench)
    #expect(code == 422 && json["error"] == "noCutout")
    #expect(json["message"]?.text == "\(ImageCutoutError.noBackground)")
  }

  @Test("The image of the sample is used, in its size")
  func image() throws {
    let world = try ReviewWorld.masks()
    func cutout(_ text: String, _ sample: Int) throws -> ImageCutout.Outcome {
      try world.backend.cutout(
        CutoutRequest(JSONBody.object(Self.body(text))), of: world.ids[sample]
      ) { false }
    }
    let found = try cutout(#"{"box":[1,0,4,4]}"#, 0)
    #expect(found.mask.size == ReviewWorld.size && found.factor == 1)
    #expect(throws: RequestRefusal.self) {
      try cutout(#"{"box":[1,0,4,4],"counts":"n0","size":[5,6]}"#, 0)
    }
    do {
      _ = try cutout(#"{"box":[1,0,4,4]}"#, 2)
      Issue.record("the file is damaged")
    } catch {
      #expect((error as? RequestRefusal)?.code == "imageUnreadable")
    }
    // The fourth sample is not part of the review.
    #expect(throws: RequestRefusal.self) { try cutout(#"{"box":[1,0,4,4]}"#, 3) }
  }

  @Test("Decoded images are kept within a limit, the last used ones")
  func rasters() {
    let cache = RasterCache(limit: 100)
    var made: [String] = []
    func ask(_ name: String, bytes: Int = 40) {
      _ = cache.raster(name) {
        made.append(name)
        return Raster(repeating: 0, width: bytes, height: 1)
      }
    }
    for name in ["a", "b", "a", "c", "a", "b"] { ask(name) }
    #expect(made == ["a", "b", "c", "b"])
    #expect(cache.bytes == 80)
    ask("large", bytes: 101)
    ask("large", bytes: 101)
    #expect(made.suffix(2) == ["large", "large"] && cache.bytes == 80)
  }
}
