import AssayTestSupport
import AssayWorkflows
import Foundation
import Testing

@testable import AssayReview

/// Tests that a ledger has only one server, and how others find it.
struct ServerLockTests {
  private func server(_ author: String = "anna", port: Int = 31_337) -> RunningServer {
    RunningServer(
      process: ProcessID.own, host: "127.0.0.1", port: port, base: "http://127.0.0.1:\(port)",
      author: author, review: "rev", since: "2026-11-21T14:40:05Z", ledger: FakeReview.uuid)
  }

  @Test("The second server learns who has the ledger; after the first has gone it may")
  func second() throws {
    let folder = try TemporaryFolder()
    let ledger = folder.path + "/x.ledger.db"
    #expect(try RunningServer.find(ledger: ledger) == nil)
    var lock: ServerLock? = try ServerLock(ledger: ledger, server: server())
    #expect(try RunningServer.find(ledger: ledger) == server())
    #expect(throws: ReviewServerError.running(server(), ledger: ledger)) {
      try ServerLock(ledger: ledger, server: server("bert"))
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["x.ledger.server"])
    withExtendedLifetime(lock) {}
    lock = nil
    #expect(try RunningServer.find(ledger: ledger) == nil)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    let next = try ServerLock(ledger: ledger, server: server("bert"))
    #expect(try RunningServer.find(ledger: ledger)?.author == "bert")
    withExtendedLifetime(next) {}
  }

  @Test("What a killed server left behind does not count")
  func stale() throws {
    let folder = try TemporaryFolder()
    let ledger = folder.path + "/x.ledger.db"
    for text in [server("ghost").json.text(), "", "{", "\u{0}\u{0}"] {
      try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path + "/x.ledger.server"))
      #expect(try RunningServer.find(ledger: ledger) == nil)
      let lock = try ServerLock(ledger: ledger, server: server())
      #expect(try RunningServer.find(ledger: ledger) == server())
      withExtendedLifetime(lock) {}
    }
  }

  @Test("A pipe or a foreign file in the lock's place is not believed; nothing waits")
  func planted() throws {
    let folder = try TemporaryFolder()
    let ledger = folder.path + "/x.ledger.db"
    let path = folder.path + "/x.ledger.server"
    func expectRefused(_ reason: String) {
      let error = ReviewServerError.lock(path: path, reason: reason)
      #expect(throws: error) { try RunningServer.find(ledger: ledger) }
      #expect(throws: error) { try ReviewLink.mint(ledger: ledger, author: "bert") }
      #expect(throws: error) { try ServerLock(ledger: ledger, server: server()) }
    }
    #expect(mkfifo(path, 0o600) == 0)
    expectRefused("it is not a regular file")
    unlink(path)
    let lock = try ServerLock(ledger: ledger, server: server())
    chmod(path, 0o666)
    expectRefused("other users can write to it (mode 666)")
    chmod(path, 0o600)
    #expect(try RunningServer.find(ledger: ledger) == server())
    if geteuid() == 0 {
      #expect(chown(path, 65_534, 65_534) == 0)
      expectRefused("it belongs to another user")
    }
    withExtendedLifetime(lock) {}
  }

  @Test("A link leads only to this computer, whatever the lock file says")
  func elsewhere() throws {
    let folder = try TemporaryFolder()
    let ledger = folder.path + "/x.ledger.db"
    for (host, base) in [
      ("evil.example", "http://evil.example"), ("192.0.2.1", "http://192.0.2.1:31337"),
      ("127.0.0.1", "http://evil.example"), ("127.0.0.1", "http://127.0.0.1:31338"),
      ("127.0.0.1", "http://127.0.0.1:31337@evil.example"),
    ] {
      var forged = server()
      (forged.host, forged.base) = (host, base)
      let lock = try ServerLock(ledger: ledger, server: forged)
      #expect(throws: ReviewServerError.self, "\(base)") {
        try ReviewLink.mint(ledger: ledger, author: "bert")
      }
      withExtendedLifetime(lock) {}
    }
    #expect(ListenAddresses(host: "localhost", port: 1, allowed: []).isHere)
    #expect(ListenAddresses(host: "0.0.0.0", port: 1, allowed: []).isHere)
    for address in ListenAddresses(host: "0.0.0.0", port: 1, allowed: []).addresses {
      #expect(ListenAddresses(host: address, port: 1, allowed: []).isHere, "\(address)")
    }
  }

  @Test("Those who only ask never keep a server from starting")
  func asking() async throws {
    let folder = try TemporaryFolder()
    let ledger = folder.path + "/x.ledger.db"
    let stop = StopFlag()
    try await withThrowingTaskGroup(of: Void.self) { tasks in
      tasks.addTask {
        while !stop.isSet {
          _ = try RunningServer.find(ledger: ledger)
          await Task.yield()
        }
      }
      for number in 0..<50 {
        let lock = try ServerLock(ledger: ledger, server: server(port: 20_000 + number))
        withExtendedLifetime(lock) {}
        await Task.yield()
      }
      stop.set()
      try await tasks.waitForAll()
    }
  }

  @Test("Of many that start at a time one gets the ledger")
  func race() async throws {
    let folder = try TemporaryFolder()
    let ledger = folder.path + "/x.ledger.db"
    let locks = await withTaskGroup(of: ServerLock?.self) { tasks in
      for number in 0..<12 {
        tasks.addTask { try? ServerLock(ledger: ledger, server: server(port: 20_000 + number)) }
      }
      return await tasks.reduce(into: [ServerLock]()) { if let lock = $1 { $0.append(lock) } }
    }
    #expect(locks.count == 1)
  }

  @Test("A folder that cannot be written is said")
  func unwritable() throws {
    #expect(throws: ReviewServerError.self) {
      try ServerLock(ledger: "/nowhere/at/all/x.ledger.db", server: server())
    }
  }

  @Test("A link is minted only for a server that runs")
  func links() throws {
    let folder = try TemporaryFolder()
    let ledger = folder.path + "/x.ledger.db"
    #expect(throws: ReviewServerError.notRunning(ledger: ledger)) {
      try ReviewLink.mint(ledger: ledger, author: "bert")
    }
    let lock = try ServerLock(ledger: ledger, server: server())
    let sessionIssuer = try SessionIssuer(
      ledger: FakeReview.uuid, path: LedgerSecret.path(ofLedger: ledger))
    let link = try ReviewLink.mint(ledger: ledger, author: " bert ")
    #expect(link.author == "bert")
    let parts = link.url.components(separatedBy: "#token=")
    #expect(parts.first == "http://127.0.0.1:31337/")
    #expect(try sessionIssuer.exchange(token: parts.last ?? "")?.author == "bert")
    let start = BrowseStart(
      view: "coco/val", runs: ["a,b", "c"], expression: "width > 1", isCorrected: true)
    let shown = try ReviewLink.mint(ledger: ledger, author: "bert", start: start)
    #expect(
      shown.url.hasSuffix(
        "&view=coco%2Fval&where=width%20%3E%201&truth=corrected&runs=a%252Cb%2Cc"))
    let usual = try ReviewLink.mint(ledger: ledger, author: "bert", start: BrowseStart())
    #expect(usual.url.hasSuffix("&browse=1"))
    withExtendedLifetime(lock) {}
  }
}

/// Tests the port on which a server listens.
struct ReviewPortTests {
  @Test(
    "The port is the ledger's own: its uuid modulo 20,000, above 20,000 and below 32,768",
    arguments: [
      // Python: p = 20000 + uuid.UUID(text).int % 20000; p if p < 32768 else p - 12768
      ("00000000-0000-0000-0000-000000000000", 20_000),
      ("00000000-0000-0000-0000-000000004e1f", 27_231),
      ("00000000-0000-0000-0000-0000000031df", 32_767),
      ("00000000-0000-0000-0000-0000000031e0", 20_000),
      ("00000000-0000-0000-0000-000000004e20", 20_000),
      ("0f8f2f3a-1111-4222-8333-444455556666", 21_766),
      ("ffffffff-ffff-ffff-ffff-ffffffffffff", 31_455),
    ])
  func own(_ uuid: String, _ port: Int) {
    #expect(ReviewPort.own(of: uuid) == port)
    #expect(ReviewPort.own(of: uuid.uppercased()) == port)
  }

  @Test("No ledger's port is one that the system gives to outgoing connections")
  func range() throws {
    for _ in 0..<10_000 {
      let port = try #require(ReviewPort.own(of: UUID().uuidString))
      #expect((20_000..<32_768).contains(port))
    }
  }

  @Test("A text that is no uuid has no port")
  func none() {
    for text in ["", "x", "0f8f2f3a-1111-4222-8333-44445555666", "../../etc"] {
      #expect(ReviewPort.own(of: text) == nil)
    }
  }

  @Test(
    "Who listens at a port can be found out",
    .enabled(if: FileManager.default.fileExists(atPath: "/proc/net/tcp"), "needs Linux's /proc"))
  func owner() async throws {
    try await LiveServer.with { server in
      let owner = try #require(ReviewPort.owner(of: server.port))
      #expect(owner.hasSuffix("(process \(ProcessID.own))"))
    }
    let port = try ReservedPort()
    #expect(ReviewPort.owner(of: port.number) == nil)
  }

  @Test("Listening beyond this computer says what that shows; the loopback says nothing")
  func exposure() {
    for host in ["127.0.0.1", "::1", "localhost", "127.1.2.3"] {
      #expect(ListenAddresses(host: host, port: 1, allowed: []).warning == nil)
    }
    for host in ["0.0.0.0", "::", "192.168.1.5", "example.org", "127.evil.example"] {
      let warning = ListenAddresses(host: host, port: 31_337, allowed: []).warning
      #expect(warning?.contains("every computer that can reach this one") == true, "\(host)")
      #expect(warning?.contains("ssh -L 31337:127.0.0.1:31337") == true)
    }
    let tunnel = ListenAddresses(host: "127.0.0.1", port: 1, allowed: ["review.example"])
    #expect(tunnel.warning?.contains("review.example") == true)
    #expect(ListenAddresses(host: "0.0.0.0", port: 8, allowed: []).base == "http://127.0.0.1:8")
    #expect(ListenAddresses(host: "::1", port: 8, allowed: []).base == "http://[::1]:8")
  }

  @Test(
    "Names for a tunnel are names",
    arguments: ["", "a b", "http://x", "x/y", "x:0", "x:99999", "x:y", "x,y", "x@y", "*"])
  func names(_ name: String) throws {
    #expect(throws: ReviewServerError.badHost(name)) {
      try HostList(port: 1, allowed: [name])
    }
  }

  @Test("A tunnel's name answers under its own port, by https too")
  func tunnels() throws {
    let hosts = try HostList(
      port: 31_337, allowed: ["Review.Example", "x.example:8443", "[::2]:9"])
    for host in [
      "review.example", "review.example:31337", "x.example:8443", "[::2]:9", "127.0.0.1:31337",
    ] {
      #expect(hosts.allows(host: host), "\(host)")
      #expect(hosts.allows(origin: "http://\(host)", host: host))
    }
    for host in ["x.example", "review.example:8443", "y.review.example", "example"] {
      #expect(!hosts.allows(host: host), "\(host)")
    }
    #expect(hosts.allows(origin: "https://review.example", host: "review.example"))
    #expect(!hosts.allows(origin: "https://127.0.0.1:31337", host: "127.0.0.1:31337"))
    #expect(!hosts.allows(origin: "http://review.example", host: "127.0.0.1:31337"))
  }
}
