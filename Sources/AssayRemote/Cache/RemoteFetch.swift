import AssayCore
import Foundation

/// Brings files of a listing into the cache.
struct RemoteFetch {
  let session: RemoteSession
  let listing: RemoteListing

  /// The size in bytes from which a file is fetched alone, and continued after an interrupt.
  static let large = 8 << 20

  /// The numbers of fetched files and bytes, and the failures.
  struct Outcome {
    var files = 0
    var bytes = 0
    /// The files that were not fetched because of themselves, by their number.
    var failures: [Int: RemoteError] = [:]
  }

  /// Fetches files that are not in the cache.
  ///
  /// - Parameter places: the numbers of the files in the listing.
  /// - Throws: ``RemoteError`` that is not about one file; what the session's check throws.
  func run(_ places: [Int]) throws -> Outcome {
    var outcome = Outcome()
    var small: [Int] = []
    for place in places {
      let entry = listing.entries[place]
      let cache = session.cache
      guard !cache.contains(identity(entry), size: entry.size) else { continue }
      if entry.size > cache.limit {
        outcome.failures[place] = .tooLarge(
          listing.address(of: entry).text, size: entry.size, limit: cache.limit)
      } else if !entry.hasStamp {
        outcome.failures[place] = .unstamped(listing.address(of: entry).text)
      } else if entry.size >= Self.large {
        try fetchLarge(place, &outcome)
      } else {
        small.append(place)
      }
    }
    try fetchSmall(small, &outcome)
    return outcome
  }

  private func identity(_ entry: RemoteEntry) -> String {
    RemoteCache.identity(listing.address(of: entry), entry)
  }

  /// The room for more than was listed: an answer beyond it ends the client.
  private static let slack = 1 << 20

  private func fetchSmall(_ places: [Int], _ outcome: inout Outcome) throws {
    guard !places.isEmpty else { return }
    let cache = session.cache
    let folder = try cache.temporaryFolder()
    let targets = places.map { _ in cache.temporaryFile(in: folder) }
    defer { for target in targets { unlink(target) } }
    // Empty files have no bytes to ask for, and curl writes no file for them.
    for (place, target) in zip(places, targets) where listing.entries[place].size == 0 {
      _ = FileManager.default.createFile(atPath: target, contents: Data())
    }
    let limit = (places.map { listing.entries[$0].size }.max() ?? 0) + Self.slack
    let results = try session.attempts(
      places.count, limit: limit, certificates: session.certificates(of: listing.address),
      targets: targets
    ) { index, target in
      let entry = listing.entries[places[index]]
      var transfer = try session.request(listing.address(of: entry), target: target)
      transfer.discardsErrors = true
      condition(&transfer, entry)
      return transfer
    }
    for ((place, target), result) in zip(zip(places, targets), results) {
      let entry = listing.entries[place]
      do {
        try check(entry, result, target)
        try cache.keep(target, as: identity(entry), size: entry.size)
        outcome.files += 1
        outcome.bytes += entry.size
      } catch {
        guard let failure = error as? RemoteError, failure.isOfOneObject else { throw error }
        outcome.failures[place] = failure
      }
    }
  }

  /// Asks for the listed version only. A weak ETag cannot be asked for.
  private func condition(_ transfer: inout Transfer, _ entry: RemoteEntry) {
    if entry.tag.hasPrefix("\"") { transfer.headers.append(("If-Match", entry.tag)) }
  }

  /// - Throws: ``RemoteError`` if the answer is not the whole file as it was listed.
  private func check(_ entry: RemoteEntry, _ result: TransferResult, _ path: String) throws {
    let address = listing.address(of: entry).text
    switch result.status {
    case 200, 206: break
    case 404, 410: throw RemoteError.gone(address)
    case 412: throw RemoteError.changed(address, what: "its ETag is no longer \(entry.tag)")
    default: throw session.refusal(listing.address(of: entry), result.status, nil, result.reason)
    }
    if result.isTransient { throw RemoteError.failed(address, reason: result.reason) }
    let now = RemoteEntry(
      path: entry.path, size: entry.size,
      modified: result.headers["last-modified"].flatMap { TimeText.seconds($0) } ?? 0,
      tag: result.headers["etag"] ?? "")
    if !entry.tag.isEmpty, now.tag != entry.tag {
      throw RemoteError.changed(
        address, what: "its ETag is \(now.tag.isEmpty ? "missing" : now.tag), and was \(entry.tag)")
    }
    if entry.tag.isEmpty, now.modified != entry.modified {
      throw RemoteError.changed(address, what: "it was written at another time")
    }
    var status = stat()
    let size = stat(path, &status) == 0 ? Int(status.st_size) : 0
    guard size == entry.size else {
      throw RemoteError.changed(address, what: "it has \(size) bytes, and had \(entry.size)")
    }
    guard result.code == 0 else { throw RemoteError.failed(address, reason: result.reason) }
  }

  /// Fetches one file. What an interrupted attempt has fetched is continued, by one process at a time.
  private func fetchLarge(_ place: Int, _ outcome: inout Outcome) throws {
    let entry = listing.entries[place]
    let address = listing.address(of: entry)
    let identity = identity(entry)
    let cache = session.cache
    let part = try cache.partialFile(identity)
    let file = open(part, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else {
      throw RemoteError.cache(path: part, reason: String(cString: strerror(errno)))
    }
    defer { close(file) }
    while flock(file, LOCK_EX | LOCK_NB) != 0 {
      session.report("waiting for another process that fetches \(address.text)")
      try session.wait(0.2)
    }
    // Another process may have finished it meanwhile.
    if cache.contains(identity, size: entry.size) {
      if unlinkIsSame(file, part) { unlink(part) }
      return
    }
    // Without a strong ETag the rest could be that of another version.
    let continues = entry.tag.hasPrefix("\"")
    session.report("fetching \(address.text)")
    var result = TransferResult()
    for attempt in 1...session.attempts {
      var status = stat()
      fstat(file, &status)
      var offset = Int(status.st_size)
      if !continues || offset >= entry.size || result.code == 33 {
        ftruncate(file, 0)
        offset = 0
      }
      var transfer = try session.request(address, target: part)
      transfer.discardsErrors = true
      transfer.offset = offset
      condition(&transfer, entry)
      result = try session.client.run(
        [transfer], limit: entry.size + Self.slack,
        certificates: session.certificates(of: address), check: session.check)[0]
      // 33: the server does not continue; the next attempt starts again.
      guard result.isTransient || result.code == 33, attempt < session.attempts else { break }
      try session.wait(session.pause * Double(1 << (attempt - 1)))
    }
    do {
      try check(entry, result, part)
    } catch {
      guard let failure = error as? RemoteError else { throw error }
      if !failure.isTransient { unlink(part) }
      guard failure.isOfOneObject else { throw error }
      outcome.failures[place] = failure
      return
    }
    try cache.keep(part, as: identity, size: entry.size)
    outcome.files += 1
    outcome.bytes += entry.size
  }

  /// Returns whether a path is still that of an open file.
  private func unlinkIsSame(_ file: Int32, _ path: String) -> Bool {
    var mine = stat()
    var there = stat()
    return fstat(file, &mine) == 0 && stat(path, &there) == 0 && mine.st_ino == there.st_ino
  }
}
