import NIOCore
import Synchronization

/// The open connections, and which of them give way if there are more than the server
/// serves at a time.
///
/// Connections that keep nobody waiting give way: first idle clients that are not signed in, then
/// idle clients that are signed in, then clients that neither send the body nor accept the answer
/// that the server waits for. A request that the server works on is always finished. All clients on
/// this computer have the same address, so only being signed in distinguishes them.
final class OpenConnections: Sendable {
  private struct Member {
    var standing: ConnectionState.Standing
    var giveWay: @Sendable () -> Void
  }

  private struct Members {
    var open: [ObjectIdentifier: Member] = [:]
    var signedIn: Set<ObjectIdentifier> = []
    var endings: [ObjectIdentifier: @Sendable () -> Void] = [:]
  }

  private let members = Mutex(Members())

  init() {}

  /// The connections that are open.
  var count: Int { members.withLock(\.open.count) }

  /// The number of connections whose phase satisfies a condition.
  func count(where isMeant: (ConnectionState.Standing) -> Bool) -> Int {
    members.withLock { members in members.open.values.count { isMeant($0.standing) } }
  }

  /// Records the phase of a connection.
  ///
  /// - Parameter giveWay: closes the connection unless it has started to work in the meantime.
  func update(
    _ connection: ObjectIdentifier, _ standing: ConnectionState.Standing,
    giveWay: @escaping @Sendable () -> Void
  ) {
    members.withLock { $0.open[connection] = Member(standing: standing, giveWay: giveWay) }
  }

  /// Records that the connection's client has sent a valid session.
  func signedIn(_ connection: ObjectIdentifier) {
    members.withLock { members in
      if members.open[connection] != nil { members.signedIn.insert(connection) }
    }
  }

  /// Records that the connection has ended.
  func remove(_ connection: ObjectIdentifier) {
    members.withLock { members in
      members.open[connection] = nil
      members.signedIn.remove(connection)
    }
    end(connection)
  }

  /// Records that the client of a connection sends nothing more.
  func end(_ connection: ObjectIdentifier) {
    members.withLock { $0.endings.removeValue(forKey: connection) }?()
  }

  /// Calls a closure if the client of a connection goes while a request is worked on, or has gone.
  ///
  /// - Parameters:
  ///   - connection: the connection of the request, which has one at a time.
  ///   - ending: called at most once, on any thread.
  func whileOpen<Value>(
    _ connection: ObjectIdentifier?, ending: @escaping @Sendable () -> Void,
    _ work: () async throws -> Value
  ) async rethrows -> Value {
    guard let connection else { return try await work() }
    let isOpen = members.withLock { members in
      guard members.open[connection] != nil else { return false }
      members.endings[connection] = ending
      return true
    }
    if !isOpen { ending() }
    defer { _ = members.withLock { $0.endings.removeValue(forKey: connection) } }
    return try await work()
  }

  /// Closes as many connections as there are above the limit, as far as enough of
  /// them can give way.
  func shed(_ limits: ConnectionLimits, now: NIODeadline) {
    let leaving = members.withLock { members -> [Member] in
      let surplus = members.open.count - limits.connections
      guard surplus > 0 else { return [] }
      let ranked = members.open.compactMap { id, member -> (id: ObjectIdentifier, rank: Rank)? in
        let isSignedIn = members.signedIn.contains(id)
        return Rank(member.standing, isSignedIn: isSignedIn, limits, now).map { (id, $0) }
      }
      return ranked.sorted { $0.rank < $1.rank }.prefix(surplus).compactMap { place in
        members.signedIn.remove(place.id)
        return members.open.removeValue(forKey: place.id)
      }
    }
    for member in leaving { member.giveWay() }
  }
}

/// The order in which connections give way.
private struct Rank: Comparable {
  private let group: Int
  private let since: NIODeadline

  /// - Returns: `nil` for a connection that does not give way.
  init?(
    _ standing: ConnectionState.Standing, isSignedIn: Bool, _ limits: ConnectionLimits,
    _ now: NIODeadline
  ) {
    switch standing {
    case .working: return nil
    case .idle(let since):
      (group, self.since) = (isSignedIn ? 1 : 0, since)
    case .new(let since):
      // A new client can be about to send a request.
      guard since + limits.patience <= now else { return nil }
      (group, self.since) = (0, since)
    case .reading(let since), .writing(let since):
      guard since + limits.patience <= now else { return nil }
      (group, self.since) = (isSignedIn ? 3 : 2, since)
    }
  }

  static func < (left: Rank, right: Rank) -> Bool {
    (left.group, left.since) < (right.group, right.since)
  }
}
