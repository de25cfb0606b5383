import AssayCore
import AssayImaging
import Foundation
import Synchronization
import Testing

@testable import AssayReview

/// A promptable model whose features are the first pixel of the image, and whose mask is a box around the first point.
final class FakeEngine: PromptEngine {
  let name = "fake"
  let onEmbedding: @Sendable (Raster<UInt8>, () -> Bool) throws -> Void
  let byteCount: Int
  private let cancels = Atomic(0)

  init(
    values: Int = 1,
    onEmbedding: @escaping @Sendable (Raster<UInt8>, () -> Bool) throws -> Void = { _, _ in }
  ) {
    byteCount = values
    self.onEmbedding = onEmbedding
  }

  var cancelCount: Int { cancels.load(ordering: .relaxed) }

  func embedding(of image: Raster<UInt8>) throws -> ImageEmbedding {
    let before = cancelCount
    try onEmbedding(image) { self.cancelCount > before }
    if cancelCount > before { throw FakeEngineError.canceled }
    return ImageEmbedding(
      tensors: [
        .init(
          shape: [byteCount],
          values: Array(repeating: Float(image.elements[0]), count: byteCount))
      ], size: image.size)
  }

  func cancelEmbedding() { cancels.add(1, ordering: .relaxed) }

  func proposal(for prompt: ObjectPrompt, in embedding: ImageEmbedding) throws -> ObjectProposal {
    let box = prompt.box ?? Box(x: prompt.points[0].x, y: prompt.points[0].y, width: 2, height: 1)
    return ObjectProposal(
      mask: Mask(box: box, size: embedding.size), score: Double(embedding.tensors[0].values[0]))
  }
}

enum FakeEngineError: Error { case canceled, broken }

@Suite("A promptable model in the review server")
struct SegmentRouteTests {
  private func answer(
    _ text: String, _ bench: Bench, sample: Int = 1, session: String? = nil
  ) async throws -> (code: Int, json: JSONValue) {
    let response = await bench.send(
      .post, "/api/samples/\(sample)/segment", session: session ?? bench.session(),
      body: Array(text.utf8))
    return (response.code, try await response.json())
  }

  private static let click = #"{"points":[{"x":1,"y":2,"object":true}]}"#

  @Test("A mask is proposed, nothing is saved, and the features are computed once")
  func proposal() async throws {
    let service = SegmentService(FakeEngine())
    let bench = try Bench(segments: service)
    let (code, json) = try await answer(Self.click, bench)
    #expect(code == 200)
    #expect(json["area"] == 2 && json["size"] == [4, 6] && json["score"]?.double == 1)
    let (boxed, other) = try await answer(#"{"points":[],"box":[1,1,3,2]}"#, bench)
    #expect(boxed == 200 && other["area"] == 6)
    #expect(service.runs == 1 && service.turns.count == 0 && bench.review.lastSequence() == 0)
    let (second, told) = try await answer(Self.click, bench, sample: 2)
    #expect(second == 200 && told["score"]?.double == 2 && service.runs == 2)
    let session = try await bench.send(.get, "/api/session", session: bench.session()).json()
    #expect(session["segmenter"] == "fake")
  }

  @Test("Without a model the answer says how to add one")
  func missing() async throws {
    let bench = try Bench(segments: nil)
    let (code, json) = try await answer(Self.click, bench)
    #expect(code == 404 && json["message"]?.text?.contains("assay model add") == true)
    let session = try await bench.send(.get, "/api/session", session: bench.session()).json()
    #expect(session["segmenter"] == .null)
  }

  @Test("Malformed requests are refused with a reason")
  func malformed() async throws {
    let bench = try Bench()
    let point = #"{"x":1,"y":1,"object":true}"#
    let most = Array(repeating: point, count: SegmentBody.pointLimit + 1).joined(separator: ",")
    for body in [
      "{}", "[]", "7", "", #"{"points":7}"#, #"{"points":[7]}"#, #"{"points":[{"x":1,"y":1}]}"#,
      #"{"points":[{"x":1,"y":"1","object":true}]}"#, #"{"points":[{"x":1,"y":1,"object":1}]}"#,
      #"{"points":[{"x":1e400,"y":1,"object":true}]}"#,
      #"{"points":[{"x":1,"y":1,"object":false}]}"#, #"{"points":[{"x":7,"y":1,"object":true}]}"#,
      #"{"points":[{"x":-1,"y":1,"object":true}]}"#, #"{"points":[],"box":[1,1,9,2]}"#,
      #"{"points":[],"box":[1,1,3]}"#, #"{"points":[],"box":[1,1,-3,2]}"#,
      #"{"points":[],"polygons":[[1,1,2,2,3,1]]}"#, #"{"points":[\#(most)]}"#,
    ] {
      let (code, json) = try await answer(body, bench)
      #expect(code == 422 || code == 400, "\(body)")
      #expect(json["message"]?.text?.isEmpty == false, "\(body)")
    }
    let (unknown, _) = try await answer(Self.click, bench, sample: 9)
    #expect(unknown == 404)
    let (large, _) = try await answer(
      #"{"x":""# + String(repeating: "x", count: SegmentBody.limit) + #""}"#, bench)
    #expect(large == 413)
  }

  @Test("What the model fails with is said, and the next request tries again")
  func failure() async throws {
    let count = Mutex(0)
    let service = SegmentService(
      FakeEngine(onEmbedding: { _, _ in
        let isFirst = count.withLock { count in
          count += 1
          return count == 1
        }
        if isFirst { throw FakeEngineError.broken }
      }))
    let bench = try Bench(segments: service)
    let (code, json) = try await answer(Self.click, bench)
    #expect(code == 422 && json["error"] == "noAnswer")
    #expect(try await answer(Self.click, bench).code == 200)
  }

  @Test("A second click on an image waits for its features; they are not computed again")
  func joined() async throws {
    let (started, begin) = AsyncStream.makeStream(of: Void.self)
    let gate = DispatchSemaphore(value: 0)
    let service = SegmentService(
      FakeEngine(onEmbedding: { _, _ in
        begin.yield()
        gate.wait()
      }))
    let bench = try Bench(segments: service)
    let anna = bench.session()
    var turns = started.makeAsyncIterator()
    async let first = answer(Self.click, bench, session: anna)
    await turns.next()
    async let second = answer(#"{"points":[{"x":2,"y":2,"object":true}]}"#, bench, session: anna)
    while service.turns.count != 1 { await Task.yield() }
    gate.signal()
    let codes = (try await first.code, try await second.code)
    // The first one may have been answered before the second one came.
    #expect([200, 409].contains(codes.0) && codes.1 == 200)
    #expect(service.runs == 1)
  }

  @Test("An image that somebody needs ends the encoder of one that nobody waits for")
  func abandoned() async throws {
    let (started, begin) = AsyncStream.makeStream(of: Void.self)
    let engine = FakeEngine(onEmbedding: { image, isCanceled in
      begin.yield()
      // The first image works until it is canceled.
      if image.elements[0] == 1 { while !isCanceled() { usleep(1_000) } }
    })
    let service = SegmentService(engine)
    let bench = try Bench(segments: service)
    let anna = bench.session()
    var turns = started.makeAsyncIterator()
    async let first = answer(Self.click, bench, session: anna)
    await turns.next()
    let second = try await answer(Self.click, bench, sample: 2, session: anna)
    #expect(second.code == 200 && second.json["score"]?.double == 2)
    let ended = try await first
    #expect(ended.code == 409 && ended.json["error"] == "superseded")
    #expect(engine.cancelCount >= 1 && service.turns.count == 0)
  }

  @Test("Features are kept within a limit, the last used ones")
  func cache() async throws {
    let service = SegmentService(FakeEngine(values: 10), limit: 80)
    let bench = try Bench(segments: service)
    for sample in [1, 2, 1, 3, 1, 2] { _ = try await answer(Self.click, bench, sample: sample) }
    // 3 took the place of 2.
    #expect(service.runs == 4 && service.bytes == 80)
    let small = SegmentService(FakeEngine(values: 10), limit: 39)
    let other = try Bench(segments: small)
    for _ in 0..<2 { #expect(try await answer(Self.click, other).code == 200) }
    #expect(small.runs == 2 && small.bytes == 0)
  }
}
