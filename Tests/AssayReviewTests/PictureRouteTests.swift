import AssayCore
import HTTPTypes
import Testing

@testable import AssayReview

/// Images, their ETags, and the cache.
struct PictureRouteTests {
  @Test("A picture is asked for again only where it is another one")
  func tags() async throws {
    let bench = try Bench()
    let first = await bench.send(.get, "/api/samples/1/image", session: bench.session())
    #expect(try await first.bytes() == [1, 2, 3])
    #expect(first.headers[.cacheControl] == "private, no-cache")
    let tag = try #require(first.headers[.eTag])
    for held in [tag, "W/\(tag)", "\"other\", \(tag)"] {
      let again = await bench.send(
        .get, "/api/samples/1/image", session: bench.session(), fields: ["If-None-Match": held])
      #expect(again.code == 304)
      #expect(try await again.bytes().isEmpty)
      #expect(again.headers[.eTag] == tag)
    }
    let other = await bench.send(
      .get, "/api/samples/2/image", session: bench.session(), fields: ["If-None-Match": tag])
    #expect(other.code == 200)
    // Without a session, not even "unchanged" is reported.
    let stranger = await bench.send(
      .get, "/api/samples/1/image", fields: ["If-None-Match": tag])
    #expect(stranger.code == 401)
  }

  @Test("A picture that cannot be decoded is an error in words")
  func broken() async throws {
    let bench = try Bench()
    let response = await bench.send(.get, "/api/samples/3/image", session: bench.session())
    #expect(response.code >= 400)
    let json = try await response.json()
    #expect(json["error"] == "imageUnreadable")
    #expect(json["message"] == "the PNG ends before its image does")
  }

  @Test("The cache keeps what was used last, within its bound")
  func bound() throws {
    let cache = ImageCache(limit: 1_000)
    var made: [Int] = []
    func ask(_ number: Int, bytes: Int = 100) {
      _ = cache.picture("\(number)") {
        made.append(number)
        return .init(bytes: [UInt8](repeating: 0, count: bytes), type: "", tag: "")
      }
    }
    // Ten of 100 bytes fill it. One more evicts the least recently used ones, 2 and 3, because 1
    // was requested again, down to 875 or less.
    for number in 1...10 { ask(number) }
    ask(1)
    ask(11)
    #expect(cache.bytes <= 1_000)
    ask(1)
    #expect(made == Array(1...11))
    ask(2)
    #expect(made == Array(1...11) + [2])
    // Images larger than a quarter of it are created each time.
    ask(20, bytes: 300)
    ask(20, bytes: 300)
    #expect(made.suffix(2) == [20, 20])
  }
}
