/// A queue of work items that serves clients in turn, one item each, however many
/// items a client has.
///
/// So a client with hundreds of requests delays each of the others by only one item per turn. Items
/// of one client are served in the order in which they came.
struct RoundRobinQueue<Work> {
  /// The clients with waiting work, the next one first.
  private var order: [String?] = []
  private var waiting: [String?: [Work]] = [:]

  /// The number of waiting items.
  private(set) var count = 0

  init() {}

  /// Appends an item after the client's other items.
  mutating func append(of client: String?, _ work: Work) {
    if waiting[client, default: []].isEmpty { order.append(client) }
    waiting[client, default: []].append(work)
    count += 1
  }

  /// Removes and returns the next item; `nil` if the queue is empty.
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
