import AssayCore
import AssayStore
import AssayTestSupport
import Foundation
import Synchronization
import Testing

/// A client that saves one stroke after another like the page's outbox: in order, each until it is
/// acknowledged, with the same uuid.
private final class SavingClient: Sendable {
  struct State {
    /// The uuid and sequence number of each entry that the server acknowledged.
    var acknowledged: [(uuid: String, sequence: Int64)] = []
    var waiting: String?
    var sent = 0
    var repeats = 0
    /// Invalid answers.
    var wrong: [String] = []
  }

  let state = Mutex(State())
  private let client: ServerClient
  private let sample: Int64
  private let ledger: String
  private let visit = UUID().uuidString

  init(_ client: ServerClient, sample: Int64, ledger: String) {
    self.client = client
    self.sample = sample
    self.ledger = ledger
  }

  /// The number of saves that the server has acknowledged.
  var acknowledged: Int { state.withLock(\.acknowledged.count) }

  /// Saves until stopped; with `drains` until nothing is pending.
  func run(until stop: StopMark) {
    while !stop.isSet { step() }
  }

  func drain() {
    for _ in 0..<500 where state.withLock({ $0.waiting != nil }) { step() }
  }

  private func step() {
    let (uuid, parent, number) = state.withLock { state in
      let uuid = state.waiting ?? UUID().uuidString.lowercased()
      state.waiting = uuid
      state.sent += 1
      return (uuid, state.acknowledged.last?.uuid, state.sent)
    }
    let body: JSONValue = [
      "ledger": .string(ledger), "author": "anna", "uuid": .string(uuid),
      "visit": .string(visit), "kind": "note",
      "note": .string(String(repeating: "stroke \(uuid) ", count: 60)),
    ]
    let answer = try? client.ask(
      "POST", "/api/samples/\(sample)/corrections", body.text(),
      match: parent.map { "\"\($0)\"" } ?? "none")
    guard let answer else {
      usleep(5_000)
      return
    }
    // Every tenth answer is lost in transit.
    if number % 10 == 0 { return }
    state.withLock { state in
      guard [200, 201].contains(answer.status), answer.json["uuid"]?.text == uuid,
        case .integer(let sequence)? = answer.json["sequence"]
      else {
        // A server that is being killed may not have time for its complete answer.
        if answer.status != 0, answer.status < 500, answer.json != .null {
          state.wrong.append("\(answer.status) \(answer.json.text().prefix(200))")
        }
        return
      }
      if answer.status == 200 { state.repeats += 1 }
      state.acknowledged.append((uuid, sequence))
      state.waiting = nil
    }
  }
}

private final class StopMark: Sendable {
  private let flag = Atomic<Bool>(false)

  var isSet: Bool { flag.load(ordering: .acquiring) }

  func set() { flag.store(true, ordering: .releasing) }
}

/// A server that is killed repeatedly while clients save.
struct ServerTortureTests {
  @Test("Killed under four who save, it loses nothing that it acknowledged, and has nothing twice")
  func killed() throws {
    let isLong = LongTests.areOn
    let kills = isLong ? 2_000 : 8
    let house = try ReviewProgram()
    var random = SplitMix64(seed: 11)
    let first = try ServerProcess(["r1", "--author", "anna"], in: house.program)
    let signedIn = try ServerClient(port: first.port, token: first.token())
    let ledger = try #require(signedIn.ask("GET", "/api/session").json["ledger"]?.text)
    let samples = try #require(signedIn.ask("GET", "/api/queue").json["items"]?.elements)
      .compactMap { item -> Int64? in
        if case .integer(let id)? = item["sample"] { id } else { nil }
      }
    let clients = samples.prefix(4).map {
      SavingClient(
        ServerClient(port: first.port, session: signedIn.session), sample: $0, ledger: ledger)
    }
    #expect(clients.count == 4)
    let stop = StopMark()
    let done = DispatchGroup()
    for client in clients {
      done.enter()
      Thread.detachNewThread {
        client.run(until: stop)
        done.leave()
      }
    }
    var server: ServerProcess? = first
    for _ in 0..<kills {
      // Each client has saved at least one entry since the last kill, however slow the machine is.
      let before = clients.map(\.acknowledged)
      for (client, count) in zip(clients, before) {
        while client.acknowledged == count, client.state.withLock(\.wrong.isEmpty) {
          usleep(2_000)
        }
      }
      usleep(UInt32(random.next() % 100_000))
      server?.murder()
      server = try ServerProcess(["r1", "--author", "anna"], port: first.port, in: house.program)
      _ = try server?.token()
    }
    stop.set()
    done.wait()
    for client in clients { client.drain() }
    #expect(server?.interrupt() == 0)

    let kept = try Ledger.open(house.program.folder.path + "/assay.ledger.db", .readOnly)
    let entries = try kept.entries()
    let byUUID = Dictionary(entries.map { ($0.uuid, $0.sequence) }) { first, _ in first }
    #expect(byUUID.count == entries.count)
    var acknowledged = 0
    for client in clients {
      let state = client.state.withLock { $0 }
      #expect(state.wrong.isEmpty, "\(state.wrong.prefix(3))")
      #expect(state.waiting == nil)
      #expect(state.acknowledged.count >= kills)
      acknowledged += state.acknowledged.count
      for (uuid, sequence) in state.acknowledged { #expect(byUUID[uuid] == sequence) }
    }
    // Everything was sent until it was acknowledged, and there are no other entries.
    #expect(entries.count == acknowledged)
    #expect(try kept.verify().firstBad == nil)
  }
}
