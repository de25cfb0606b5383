import AssayCore
import Foundation
import Testing

/// The server as a process: how it starts, how a start is rejected, how it stops.
@Suite("assay review, the server's process", .serialized)
struct ServerProcessTests {
  private let visit = UUID().uuidString

  private func save(
    _ client: ServerClient, _ sample: Int64, match: String, uuid: String = UUID().uuidString,
    label: String = "sad", ledger: String
  ) throws -> ServerClient.Answer {
    let body: JSONValue = [
      "ledger": .string(ledger), "author": "anna", "uuid": .string(uuid),
      "visit": .string(visit), "kind": "label", "category": .string(label),
      "done": true,
    ]
    return try client.ask(
      "POST", "/api/samples/\(sample)/corrections", body.text(), match: match)
  }

  @Test(
    "Killed and started again it knows its sessions and its used links, and has every entry once")
  func killed() throws {
    let house = try ReviewProgram()
    let first = try ServerProcess(["r1", "--author", "anna"], in: house.program)
    let token = try first.token()
    let client = try ServerClient(port: first.port, token: token)
    let session = try client.ask("GET", "/api/session").json
    let ledger = try #require(session["ledger"]?.text)
    #expect(session["author"] == "anna")
    let items = try #require(client.ask("GET", "/api/queue").json["items"]?.elements)
    guard case .integer(let sample)? = items.first?["sample"] else {
      Issue.record("no sample: \(items)")
      return
    }
    let uuid = UUID().uuidString
    #expect(try save(client, sample, match: "none", uuid: uuid, ledger: ledger).status == 201)
    first.murder()
    #expect(throws: ServerGone.self) { try client.ask("GET", "/api/session") }
    // Its lock file still exists, but has no effect.
    #expect(
      FileManager.default.fileExists(atPath: house.program.folder.path + "/assay.ledger.server"))
    #expect(try house.run("review", "link", "--author", "bea").status == 2)

    let second = try ServerProcess(["r1", "--author", "anna"], port: first.port, in: house.program)
    let fresh = try second.token()
    #expect(try client.ask("GET", "/api/session").json["author"] == "anna")
    let again = try client.ask("POST", "/api/session", "{\"token\":\"\(token)\"}")
    #expect(again.status == 401)
    #expect(again.json["next"] == "assay review link --author NAME")
    // The outbox resends requests that were not answered.
    let repeated = try save(client, sample, match: "none", uuid: uuid, ledger: ledger)
    #expect(repeated.status == 200)
    #expect(repeated.json["sequence"] == 1)
    #expect(
      try ServerClient(port: second.port, token: fresh).ask("GET", "/api/status").status == 200)
    #expect(second.interrupt() == 0)
    #expect(second.out.contains("the ledger ends at entry 1"))
    #expect(second.err == "1 correction exists, not used (--corrected uses it)\n")
    #expect(try house.run("corrections", "verify").status == 0)
    #expect(
      !FileManager.default.fileExists(atPath: house.program.folder.path + "/assay.ledger.server"))
  }

  @Test("The command line writes beside it: both see each other's entries")
  func beside() throws {
    let house = try ReviewProgram()
    let server = try ServerProcess(["r1", "--author", "anna"], in: house.program)
    let client = try ServerClient(port: server.port, token: server.token())
    let ledger = try #require(client.ask("GET", "/api/session").json["ledger"]?.text)
    let add = try house.run(
      "corrections", "add", "--sample", "faces:2", "--label", "sad", "--author", "bea")
    #expect(add.status == 0, "\(add.stderr)")
    let queue = try client.ask("GET", "/api/queue").json
    #expect(queue["counts"]?["done"] == 1)
    let item = try #require(queue["items"]?.elements?.first { $0["key"] == "2" })
    #expect(item["label"] == "sad")
    guard case .integer(let sample)? = item["sample"] else {
      Issue.record("no sample: \(item)")
      return
    }
    // Based on the state that anna saw before: kept next to bea's.
    let stale = try save(client, sample, match: "none", label: "angry", ledger: ledger)
    #expect(stale.status == 409)
    #expect(stale.json["kept"] == true)
    #expect(stale.json["state"]?["label"] == "sad")
    let list = try house.run("corrections", "ls", "--json")
    #expect(list.status == 0, "\(list.stderr)")
    #expect(server.interrupt() == 0)
    #expect(server.out.contains("1 change was saved, 1 of them in conflict"))
  }

  @Test("A port that is taken is refused, with who has it and what to do, and no other is tried")
  func port() throws {
    let house = try ReviewProgram()
    let listener = try PortListener(port: 0)
    let outcome = try house.run("review", "r1", "--author", "anna", "--port", "\(listener.port)")
    #expect(outcome.status == 2)
    #expect(outcome.stderr.contains("port \(listener.port) is in use by"))
    #expect(outcome.stderr.contains("(process \(ProcessInfo.processInfo.processIdentifier))"))
    #expect(outcome.stderr.contains("--port"))
    #expect(!outcome.stdout.contains("#token="))
    #expect(try house.run("review", "link", "--author", "bea").status == 2)
  }

  @Test("A secret that others may read is refused, with the command that helps")
  func secret() throws {
    let house = try ReviewProgram()
    let first = try ServerProcess(["r1", "--author", "anna"], in: house.program)
    _ = try first.token()
    #expect(first.interrupt() == 0)
    let path = house.program.folder.path + "/assay.ledger.secret"
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    let outcome = try house.run(
      "review", "r1", "--author", "anna", "--port", "\(ServerProcess.freePort())")
    #expect(outcome.status == 2)
    #expect(outcome.stderr.contains("(mode 644)"))
    #expect(outcome.stderr.contains("chmod 600"))
  }

  @Test("Invalid names and addresses are rejected before anything listens")
  func options() throws {
    let house = try ReviewProgram()
    for (arguments, word) in [
      (["--allow-host", "http://x"], "--allow-host"), (["--host", "203.0.113.9"], "cannot listen"),
      (["--host", "no.such.host.invalid"], "--host must be an address of this computer"),
      (["--author", ""], "--author"),
    ] {
      let outcome = try house.program.run(
        ["review", "r1", "--port", "\(ServerProcess.freePort())"]
          + (arguments.contains("--author") ? [] : ["--author", "anna"]) + arguments)
      let isUsage = arguments.contains("--author")
      #expect(outcome.status == (isUsage ? 64 : 2), "\(arguments): \(outcome.stdout)")
      #expect(outcome.stderr.contains(word), "\(outcome.stderr)")
    }
  }
}
