/// Pieces of work that wait, of which each client has one done in turn, however many it has there.
///
/// A client with hundreds of requests so costs each of the others one piece of work a turn. Those of one
/// client are done in the order in which they came.
struct RoundRobinQueue<Work> {
  /// Clients that have work waiting, the next one first.
  private var order: [String?] = []
  private var waiting: [String?: [Work]] = [:]

  /// The number of waiting items.
  private(set) var count = 0

  init() {}

  /// Puts a piece of work behind the client's others.
  mutating func append(of client: String?, _ work: Work) {
    if waiting[client, default: []].isEmpty { order.append(client) }
    waiting[client, default: []].append(work)
    count += 1
  }

  /// Takes the next piece of work; `nil` where nothing waits.
  mutating func next() -> Work? {
    guard let client = order.first, var own = waiting[client], !own.isEmpty else { return nil }
    order.removeFirst()
    let work = own.removeFirst()
    count -= 1
    waiting[client] = own.isEmpty ? nil : own
    if !own.isEmpty { order.append(client) }
    return work
  }
}
