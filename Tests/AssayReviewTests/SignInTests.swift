import AssayCore
import AssayTestSupport
import Foundation
import HTTPTypes
import Testing

@testable import AssayReview

/// Tests links, sessions, and the secret that both are derived from.
struct SignInTests {
  private func signIn(_ bench: Bench, _ token: String) async -> (code: Int, session: String?) {
    let body = JSONValue.object([.init("token", .string(token))]).text()
    let response = await bench.send(.post, "/api/session", body: Array(body.utf8))
    return (response.code, (try? await response.json())?["session"]?.text)
  }

  @Test("A link lets its author in once; what it gives is for the page to send, not for a cookie")
  func once() async throws {
    let bench = try Bench()
    let token = bench.sessionIssuer.token(author: "anna").text
    let (code, session) = await signIn(bench, token)
    #expect(code == 200)
    let answer = await bench.send(.get, "/api/session", session: try #require(session))
    #expect(try await answer.json()["author"] == "anna")
    #expect(await signIn(bench, token).code == 401)
  }

  @Test("Of twenty who use one link at a time one gets in")
  func race() async throws {
    let bench = try Bench()
    let token = bench.sessionIssuer.token(author: "anna").text
    let codes = await withTaskGroup(of: Int.self) { tasks in
      for _ in 0..<20 { tasks.addTask { await signIn(bench, token).code } }
      return await tasks.reduce(into: []) { $0.append($1) }
    }
    #expect(codes.count { $0 == 200 } == 1)
    #expect(codes.count { $0 == 401 } == 19)
  }

  @Test("A used link stays used after a restart, and sessions hold")
  func restart() async throws {
    let bench = try Bench()
    let path = bench.folder.path + "/x.ledger.secret"
    let token = bench.sessionIssuer.token(author: "anna").text
    let unused = bench.sessionIssuer.token(author: "bert").text
    let session = try #require(try bench.sessionIssuer.exchange(token: token))
    let text = bench.sessionIssuer.token(of: session)
    let later = try SessionIssuer(
      ledger: FakeReview.uuid, path: path, now: { bench.clock.now + 60 })
    #expect(later.session(token: text) == session)
    #expect(try later.exchange(token: token) == nil)
    #expect(try later.exchange(token: unused)?.author == "bert")
  }

  @Test("A used link stays used when the clock was days ahead in between and somebody signed in")
  func clockAhead() throws {
    let bench = try Bench()
    let path = bench.folder.path + "/x.ledger.secret"
    let token = bench.sessionIssuer.token(author: "anna").text
    #expect(try bench.sessionIssuer.exchange(token: token) != nil)
    bench.clock.pass(2 * 86_400)
    let ahead = try SessionIssuer(ledger: FakeReview.uuid, path: path, now: { bench.clock.now })
    #expect(try ahead.exchange(token: ahead.token(author: "cleo").text) != nil)
    bench.clock.pass(-2 * 86_400)
    for keeper in [
      ahead, try SessionIssuer(ledger: FakeReview.uuid, path: path, now: { bench.clock.now }),
    ] {
      #expect(try keeper.exchange(token: token) == nil)
      #expect(try keeper.exchange(token: keeper.token(author: "bert").text)?.author == "bert")
    }
  }

  @Test("Only very many used links make room, and only those that have expired")
  func memory() throws {
    let folder = try TemporaryFolder()
    var secret = try LedgerSecret.open(path: folder.path + "/x.ledger.secret")
    let most = LedgerSecret.longestMemory
    for number in 0..<most { secret.use("old\(number)", expires: Int64(number), now: 0) }
    secret.use("new", expires: 1_000_000, now: 10)
    #expect(secret.used.count == most)
    #expect(secret.used["old0"] == nil)
    secret.use("newer", expires: 1_000_000, now: 0)
    #expect(secret.used.count == most + 1)
  }

  @Test("A link that is forged, expired, a session's token, or another ledger's is refused")
  func refused() async throws {
    let bench = try Bench()
    let good = bench.sessionIssuer.token(author: "anna").text
    let session = ReviewSession(
      author: "anna", ledger: FakeReview.uuid, expires: bench.clock.now + 100)
    let other = try SessionIssuer(
      ledger: "00000000-0000-4000-8000-000000000000",
      path: bench.folder.path + "/x.ledger.secret", now: { bench.clock.now })
    var altered = Array(good)
    altered[10] = altered[10] == "A" ? "B" : "A"
    for token in [
      "", ".", "a.b", String(good.dropLast()), good + "A", String(altered), good + ".",
      bench.sessionIssuer.token(of: session), other.token(author: "anna").text,
      try Bench().sessionIssuer.token(author: "anna").text,
      String(repeating: "A", count: 5_000) + "." + String(repeating: "A", count: 43),
    ] {
      #expect(await signIn(bench, token).code == 401, "\(token.prefix(40))")
    }
    bench.clock.pass(SessionIssuer.linkLifetime)
    #expect(await signIn(bench, good).code == 401)
  }

  @Test("A token and a signature have one spelling", arguments: ["anna", "bert1", "cleo12"])
  func spellings(_ author: String) async throws {
    let bench = try Bench()
    let token = bench.session(author: author)
    let link = bench.sessionIssuer.token(author: author).text
    let session = try #require(bench.sessionIssuer.session(token: token))
    let path = "/api/samples/1/thumbnail"
    let signature = try #require(
      bench.sessionIssuer.signed(path, for: session).split(separator: "=").last.map(String.init))
    #expect(bench.sessionIssuer.signer(of: signature, at: path) == session.id)
    for (text, isOpened) in [
      (token, { bench.sessionIssuer.session(token: $0) != nil }),
      (signature, { bench.sessionIssuer.signer(of: $0, at: path) != nil }),
    ] as [(String, (String) -> Bool)] {
      #expect(isOpened(text))
      // Every part's last letter has bits that can be unused.
      for end in text.indices where text[end...].dropFirst().first == "." || text[end...].count == 1
      {
        for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/="
        where letter != text[end] {
          var other = text
          other.replaceSubrange(end...end, with: String(letter))
          #expect(!isOpened(other), "\(other)")
        }
      }
      for other in [text + "=", "+" + text, "0" + text, " " + text, text + " "] {
        #expect(!isOpened(other), "\(other)")
      }
    }
    for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    where letter != link.last {
      #expect(await signIn(bench, link.dropLast() + String(letter)).code == 401)
    }
    #expect(await signIn(bench, link).code == 200)
  }

  @Test("Sign-in takes an object with a text, and little of it")
  func bodies() async throws {
    let bench = try Bench()
    for (body, code) in [
      ("", 400), ("{", 400), ("[]", 400), ("{}", 401), ("{\"token\":1}", 401),
      ("{\"token\":null}", 401), (String(repeating: " ", count: 20_000), 413),
    ] {
      let response = await bench.send(.post, "/api/session", body: Array(body.utf8))
      #expect(response.code == code, "\(body.prefix(20))")
    }
    for type in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""] {
      let response = await bench.send(
        .post, "/api/session", fields: ["Content-Type": type], body: Array("{}".utf8))
      #expect(response.code == 415)
    }
  }

  @Test("The secret is its owner's alone, made whole, and refused where others can read it")
  func secret() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/x.ledger.secret"
    let first = try LedgerSecret.open(path: path)
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect((attributes[.posixPermissions] as? Int) == 0o600)
    #expect(first.bytes.count == 32)
    #expect(try LedgerSecret.open(path: path) == first)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["x.ledger.secret"])
    for mode in [0o640, 0o604, 0o660, 0o644, 0o610] {
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
      #expect(throws: ReviewServerError.secretExposed(path: path, mode: mode)) {
        try LedgerSecret.open(path: path)
      }
    }
    try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: path)
    #expect(try LedgerSecret.open(path: path) == first)
  }

  @Test("A secret that is damaged, empty or a link is refused and left as it is")
  func damaged() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/x.ledger.secret"
    for text in ["", "{}", "{\"secret\":\"00\",\"used\":{}}", "{\"secret\":1,\"used\":{}}"] {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
      #expect(throws: ReviewServerError.self) { try LedgerSecret.open(path: path) }
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(text.utf8))
    }
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.createSymbolicLink(
      atPath: path, withDestinationPath: folder.path + "/elsewhere")
    #expect(throws: ReviewServerError.self) { try LedgerSecret.open(path: path) }
  }

  @Test("A pipe, a folder or a foreign file in the secret's place is refused; nothing waits")
  func planted() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/x.ledger.secret"
    #expect(mkfifo(path, 0o600) == 0)
    #expect(throws: ReviewServerError.secret(path: path, reason: "it is not a regular file")) {
      try LedgerSecret.open(path: path)
    }
    unlink(path)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    #expect(throws: ReviewServerError.secret(path: path, reason: "it is not a regular file")) {
      try LedgerSecret.open(path: path)
    }
    rmdir(path)
    guard geteuid() == 0 else { return }
    _ = try LedgerSecret.open(path: path)
    #expect(chown(path, 65_534, 65_534) == 0)
    #expect(throws: ReviewServerError.secret(path: path, reason: "it belongs to another user")) {
      try LedgerSecret.open(path: path)
    }
  }

  @Test("Of many that make the secret at a time all use one")
  func secretRace() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/x.ledger.secret"
    let secrets = try await withThrowingTaskGroup(of: LedgerSecret.self) { tasks in
      for _ in 0..<16 { tasks.addTask { try LedgerSecret.open(path: path) } }
      return try await tasks.reduce(into: Set<LedgerSecret>()) { $0.insert($1) }
    }
    #expect(secrets.count == 1)
  }

  @Test(
    "An author is a name that can be read",
    arguments: ["", "  ", "a\nb", "a\u{1B}[31m", "a\u{202E}b", String(repeating: "x", count: 81)])
  func authors(_ name: String) throws {
    #expect(throws: ReviewServerError.badAuthor(name)) { try ReviewAuthor.checked(name) }
  }

  @Test("Names of people are kept as they are, without blanks around them")
  func names() throws {
    for name in ["anna", "Åsa Öberg", "李小龍", "<b>bert</b>", "=cmd()"] {
      #expect(try ReviewAuthor.checked("  \(name) ") == name)
    }
  }
}
