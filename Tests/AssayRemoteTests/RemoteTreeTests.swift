import AssayCore
import AssayTestSupport
import Foundation
import Synchronization
import Testing

@testable import AssayRemote

@Suite("Files that are fetched when they are read")
struct RemoteTreeTests {
  private let folder: TemporaryFolder
  private let server = FakeServer()
  private let address = RemoteAddress(service: .s3(bucket: "data"), path: "set", isFolder: true)

  init() throws { folder = try TemporaryFolder() }

  private func session(limit: Int = 1 << 30, check: @escaping @Sendable () throws -> Void = {})
    -> RemoteSession
  {
    RemoteSession(
      client: server, cache: RemoteCache(folder: folder.path("cache"), limit: limit),
      account: .success(S3Account(keys: nil)), pause: 0, check: check)
  }

  private func listing(_ count: Int, size: Int = 10) -> RemoteListing {
    let entries = (0..<count).map { index in
      let name = String(1_000 + index) + ".png"
      let text = String(repeating: "x", count: size - 4) + String(1_000 + index)
      server.put("set/" + name, text, tag: "\"tag\(index)\"")
      return RemoteEntry(path: name, size: size, modified: 0, tag: "\"tag\(index)\"")
    }
    return RemoteListing(address: address, isSingleFile: false, entries: entries)
  }

  private func text(_ tree: RemoteTree, _ path: String) throws -> String {
    String(decoding: try tree.readAll(path, limit: 1 << 30), as: UTF8.self)
  }

  @Test("A file is fetched once, also for another tree of the same cache")
  func once() throws {
    let listing = listing(3)
    let tree = RemoteTree(listing, session: session())
    #expect(try text(tree, "1001.png") == "xxxxxx1001")
    #expect(try text(tree, "1001.png") == "xxxxxx1001")
    #expect(server.requests == 1)
    #expect(tree.fetched.files == 1)
    let other = RemoteTree(listing, session: session())
    #expect(try text(other, "1001.png") == "xxxxxx1001")
    #expect(server.requests == 1)
    #expect(throws: RemoteError.self) { try text(tree, "../1001.png") }
  }

  @Test(
    "Files that are read in order, or near others, are fetched together, in few calls; far ones alone"
  )
  func window() throws {
    let tree = RemoteTree(listing(300), session: session())
    for index in 0..<300 {
      #expect(try text(tree, "\(1_000 + index).png").hasSuffix("\(1_000 + index)"))
    }
    #expect(server.requests == 300)
    #expect(server.state.withLock { $0.calls.count } < 10)
    // Four threads that read a part each.
    _ = tree.cache.clear()
    let calls = server.state.withLock { $0.calls.count }
    let parts = RemoteTree(listing(400), session: session())
    for index in 0..<100 {
      for part in 0..<4 { _ = try text(parts, "\(1_000 + 100 * part + index).png") }
    }
    #expect(server.state.withLock { $0.calls.count } < calls + 16)
    let far = RemoteTree(listing(8_000), session: session())
    _ = far.cache.clear()
    let before = server.requests
    for index in [6_000, 20, 3_000] { _ = try text(far, "\(1_000 + index).png") }
    #expect(server.requests == before + 3)
  }

  @Test("Files that are known to be needed are fetched in one call")
  func prefetch() throws {
    let tree = RemoteTree(listing(300), session: session())
    try tree.prefetch(["1200.png", "1020.png", "1250.png", "none.png"])
    #expect(server.state.withLock { $0.calls.map(\.count) } == [3])
    #expect(try text(tree, "1250.png").hasSuffix("1250"))
    #expect(server.requests == 3)
  }

  @Test("A changed, removed or grown file is told, and others are still read")
  func changes() throws {
    let tree = RemoteTree(listing(4), session: session())
    server.put("set/1001.png", "xxxxxx1001", tag: "\"other\"")
    server.put("set/1002.png", "xxxxxx1002 more", tag: "\"tag2\"")
    server.state.withLock { $0.objects["set/1003.png"] = nil }
    #expect(
      throws: RemoteError.changed("s3://data/set/1001.png", what: "its ETag is no longer \"tag1\"")
    ) { try text(tree, "1001.png") }
    #expect(
      throws: RemoteError.changed("s3://data/set/1002.png", what: "it has 15 bytes, and had 10")
    ) { try text(tree, "1002.png") }
    #expect(throws: RemoteError.gone("s3://data/set/1003.png")) { try text(tree, "1003.png") }
    #expect(try text(tree, "1000.png") == "xxxxxx1000")
    #expect(tree.cache.usage().files == 1)
  }

  @Test("A failing server is asked again; if it goes on, the failure stays known")
  func failures() throws {
    let session = session()
    let tree = RemoteTree(listing(2), session: session)
    server.state.withLock { $0.answers = [(503, 22), (0, 28), (200, 18)] }
    #expect(try text(tree, "1000.png") == "xxxxxx1000")
    try session.checkTrouble()
    server.state.withLock { $0.answers = Array(repeating: (0, 7), count: 4) }
    #expect(throws: RemoteError.self) { try text(tree, "1001.png") }
    #expect(throws: RemoteError.self) { try session.checkTrouble() }
  }

  @Test("Access denied is asked once and is no finding about a file")
  func denied() throws {
    let tree = RemoteTree(listing(2), session: session())
    server.state.withLock { $0.answers = [(403, 22)] }
    do {
      _ = try text(tree, "1000.png")
      Issue.record("it was read")
    } catch {
      let failure = try #require(error as? RemoteError)
      #expect(!failure.isOfOneObject && !failure.isTransient)
    }
    #expect(server.requests == 1)
  }

  @Test("The cache keeps its limit; what was read last stays")
  func eviction() throws {
    let listing = listing(20, size: 100_000)
    let tree = RemoteTree(listing, session: session(limit: 1 << 20))
    for index in 0..<20 { #expect(try text(tree, "\(1_000 + index).png").count == 100_000) }
    #expect(tree.cache.usage().bytes <= 1 << 20)
    #expect(tree.cache.usage().files >= 8)
    let before = server.requests
    #expect(try text(tree, "1019.png").hasSuffix("1019"))
    #expect(server.requests == before)
    #expect(try text(tree, "1000.png").hasSuffix("1000"))
    #expect(server.requests > before)
  }

  @Test("A file over the limit is refused with the variable that allows more")
  func tooLarge() throws {
    let entry = RemoteEntry(path: "a.tar", size: 3 << 30, modified: 1, tag: "\"t\"")
    let tree = RemoteTree(
      RemoteListing(address: address, isSingleFile: false, entries: [entry]), session: session())
    do {
      _ = try text(tree, "a.tar")
      Issue.record("it was read")
    } catch {
      #expect("\(error)".contains("ASSAY_CACHE_SIZE=7G"))
    }
    #expect(server.requests == 0)
  }

  @Test("A large file that was cut is continued, and by another process after an interrupt")
  func resume() throws {
    let size = RemoteFetch.large + 1_000
    let listing = listing(1, size: size)
    let tree = RemoteTree(listing, session: session())
    server.state.withLock { $0.cut = 5_000_000 }
    #expect(try text(tree, "1000.png").count == size)
    #expect(server.state.withLock { $0.calls.last?.first?.hasSuffix("from 5000000") } == true)
    _ = tree.cache.clear()
    // An interrupt between the attempts.
    struct Stop: Error {}
    let calls = Atomic<Int>(0)
    server.state.withLock { $0.cut = 4_000_000 }
    let stopped = RemoteSession(
      client: server, cache: RemoteCache(folder: folder.path("cache"), limit: 1 << 30),
      account: .success(S3Account(keys: nil)), pause: 0.01,
      check: { if calls.add(1, ordering: .relaxed).newValue > 1 { throw Stop() } })
    #expect(throws: Stop.self) { try text(RemoteTree(listing, session: stopped), "1000.png") }
    #expect(try text(RemoteTree(listing, session: session()), "1000.png").count == size)
    #expect(server.state.withLock { $0.calls.last?.first?.hasSuffix("from 4000000") } == true)
  }

  @Test("Damage in the cache is not read: a file of another size is fetched again")
  func damage() throws {
    let listing = listing(1)
    let tree = RemoteTree(listing, session: session())
    _ = try text(tree, "1000.png")
    let path = tree.cache.path(
      of: RemoteCache.identity(address.appending("1000.png"), listing.entries[0]))
    try Data("xx".utf8).write(to: URL(fileURLWithPath: path))
    #expect(try text(tree, "1000.png") == "xxxxxx1000")
  }

  @Test("Several threads read the same files")
  func threads() async throws {
    let tree = RemoteTree(listing(200), session: session())
    await withTaskGroup(of: Int.self) { group in
      for start in 0..<8 {
        group.addTask {
          (0..<200).count { index in
            let number = 1_000 + (index + start) % 200
            return (try? text(tree, "\(number).png"))?.hasSuffix("\(number)") == true
          }
        }
      }
      for await count in group { #expect(count == 200) }
    }
    #expect(server.requests == 200)
  }

  @Test("Only files of the cache are removed")
  func clear() throws {
    let tree = RemoteTree(listing(2), session: session())
    _ = try text(tree, "1000.png")
    try folder.write("cache/files/mine.txt", "x")
    try tree.cache.keep(tree.listing)
    #expect(tree.cache.listing(tree.listing.hash, address)?.entries == tree.listing.entries)
    #expect(tree.cache.clear().files == 1)
    #expect(folder.has("cache/files/mine.txt"))
    #expect(tree.cache.usage().files == 0)
    #expect(tree.cache.listing(tree.listing.hash, address) == nil)
  }

  @Test(
    "The cache's folder and limit come from the environment",
    arguments: [
      (["ASSAY_CACHE": "/c", "HOME": "/h"], "/c", 20 << 30),
      (["XDG_CACHE_HOME": "/x", "HOME": "/h"], "/x/assay", 20 << 30),
      (["HOME": "/h", "ASSAY_CACHE_SIZE": "500M"], "/h/.cache/assay", 500 << 20), ([:], nil, 0),
      (["HOME": "/h", "ASSAY_CACHE_SIZE": "much"], nil, 0), (["ASSAY_CACHE": "/c\nx"], nil, 0),
    ] as [([String: String], String?, Int)])
  func environment(environment: [String: String], path: String?, limit: Int) {
    let cache = try? RemoteCache(environment: environment)
    #expect(cache?.folder == path)
    if let cache { #expect(cache.limit == limit) }
  }
}

@Suite("Listing a bucket")
struct RemoteListerTests {
  private let folder: TemporaryFolder
  private let server = FakeServer()

  init() throws { folder = try TemporaryFolder() }

  private func list(_ text: String, _ pages: String..., account: S3Account = S3Account(keys: nil))
    throws -> RemoteListing
  {
    server.state.withLock { $0.pages = pages }
    let session = RemoteSession(
      client: server, cache: RemoteCache(folder: folder.path("cache"), limit: 1 << 30),
      account: .success(account), pause: 0, now: { 1_795_876_521 })
    return try RemoteLister(session).list(RemoteAddress(text))
  }

  private func page(_ keys: [String], next: String? = nil) -> String {
    "<ListBucketResult><IsTruncated>\(next != nil)</IsTruncated>"
      + (next.map { "<NextContinuationToken>\($0)</NextContinuationToken>" } ?? "")
      + keys.map { "<Contents><Key>\($0)</Key><Size>1</Size><ETag>\"e\"</ETag></Contents>" }
      .joined()
      + "</ListBucketResult>"
  }

  @Test("Pages are joined; empty objects for folders are no files")
  func pages() throws {
    let listing = try list(
      "s3://data/set/", page(["set/a", "set/b"], next: "t/1"), page(["set/c"]))
    #expect(listing.entries.map(\.path) == ["a", "b", "c"])
    #expect(server.state.withLock { $0.calls[1][0] }.contains("&continuation-token=t%2F1"))
  }

  @Test("A key is a file; otherwise it is a folder")
  func kinds() throws {
    let file = try list("s3://data/x.tar", page(["x.tar"]))
    #expect(file.isSingleFile && file.entries.map(\.path) == ["x.tar"])
    let other = try list("s3://data/x", page(["x.tar"]), page(["x/1.png"]))
    #expect(!other.isSingleFile && other.entries.map(\.path) == ["1.png"])
    #expect(throws: RemoteError.nothing("s3://data/x")) {
      try list("s3://data/x", page([]), page([]))
    }
  }

  @Test("A list that never ends, or repeats itself, is refused")
  func endless() throws {
    #expect(throws: RemoteError.self) {
      try list("s3://data/", page(["a"], next: "1"), page(["a"], next: "2"))
    }
    #expect(throws: RemoteError.self) {
      try list("s3://data/", page(["a"], next: "1"), page(["b"], next: "1"))
    }
    #expect(throws: RemoteError.self) { try list("s3://data/set/", page(["other/a"])) }
    #expect(throws: RemoteError.self) {
      server.state.withLock { $0.pages = (0..<200).map { page([], next: "\($0)") } }
      let session = RemoteSession(
        client: server, cache: RemoteCache(folder: folder.path("cache"), limit: 1 << 30),
        account: .success(S3Account(keys: nil)), pause: 0)
      _ = try RemoteLister(session).list(RemoteAddress("s3://data/"))
    }
    #expect(server.requests < 120)
  }

  @Test("Requests are signed, and neither the secret nor the token is in an address")
  func signed() throws {
    let keys = S3Account.Keys(identifier: "AKID", secret: "hunter2", token: "session")
    _ = try list("s3://data/", page(["a"]), account: S3Account(keys: keys))
    let (calls, headers) = server.state.withLock { ($0.calls, $0.headers) }
    #expect(
      headers.contains {
        $0.name == "Authorization" && $0.value.contains("Credential=AKID/20261128/us-east-1/s3/")
      })
    #expect(!"\(calls)".contains("hunter2") && !"\(calls)".contains("session"))
    #expect(!"\(headers)".contains("hunter2"))
  }
}
