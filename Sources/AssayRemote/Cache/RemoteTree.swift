package import AssayCore
import Foundation
import Synchronization

/// The files at an address as importers see those on a disk. Thread-safe.
///
/// A file that is read and not in the cache is fetched, as a whole, together with those that follow it in the listing
/// if the files are read in about this order.
package final class RemoteTree: SourceTree {
  package let listing: RemoteListing
  private let session: RemoteSession
  private let state = Mutex(State())
  /// Held while files are fetched: who waits for it usually finds its file fetched.
  private let fetching = Mutex(())

  private struct State {
    /// The ends of the ranges that were fetched last: several threads read a part each.
    var ends: [Int] = []
    /// The failures of single files.
    var failures: [Int: RemoteError] = [:]
    var fetched = Fetched()
  }

  /// The numbers of files and bytes that were fetched.
  package struct Fetched: Equatable, Sendable {
    package var files = 0
    package var bytes = 0

    package init() {}
  }

  /// The greatest number of files, and of their bytes, that are fetched at a time.
  private static let windowLimit = 64
  private static let byteLimit = 64 << 20
  /// The same for a file that is near others that were read: it may be the first of a range.
  private static let nearLimit = 16
  private static let nearBytes = 2 << 20
  /// The number of ranges that are remembered, and how far from them a file is near.
  private static let rangeLimit = 16
  private static let nearness = 1_024

  package init(_ listing: RemoteListing, session: RemoteSession) {
    self.listing = listing
    self.session = session
  }

  package var name: String { listing.address.name }
  package var isSingleFile: Bool { listing.isSingleFile }
  package var cache: RemoteCache { session.cache }
  package var fetched: Fetched { state.withLock { $0.fetched } }

  package func files() throws -> [SourceFile] {
    var files = listing.entries.map { entry in
      SourceFile(
        path: entry.path, size: entry.size,
        modified: Int64(
          clamping: entry.modified.multipliedReportingOverflow(by: 1_000_000_000).partialValue))
    }
    files.composePaths()
    return files
  }

  package func issues() throws -> [Issue] { listing.issues }

  /// A text that changes with a file's content; `nil` if there is no such file.
  package func version(of path: String) -> (file: SourceFile, identity: String)? {
    guard let place = listing.index(of: path) else { return nil }
    let entry = listing.entries[place]
    return (
      SourceFile(
        path: path, size: entry.size, modified: Int64(clamping: entry.modified) &* 1_000_000_000),
      RemoteCache.identity(listing.address(of: entry), entry)
    )
  }

  package func read(
    _ path: String, at offset: Int, into buffer: UnsafeMutableRawBufferPointer
  ) throws -> Int {
    guard let place = listing.index(of: path) else {
      throw RemoteError.gone("\(listing.address.text)/\(path)")
    }
    let entry = listing.entries[place]
    if entry.size == 0 || offset >= entry.size { return 0 }
    let address = listing.address(of: entry)
    let identity = RemoteCache.identity(address, entry)
    for _ in 0..<4 {
      let file = session.cache.open(identity, size: entry.size)
      guard file >= 0 else {
        try fetch(place, identity)
        continue
      }
      defer { close(file) }
      var done = 0
      while done < buffer.count {
        let count = pread(
          file, buffer.baseAddress?.advanced(by: done), buffer.count - done, off_t(offset + done))
        if count < 0, errno == EINTR { continue }
        guard count >= 0 else {
          throw RemoteError.cache(
            path: session.cache.path(of: identity), reason: String(cString: strerror(errno)))
        }
        if count == 0 { break }
        done += count
      }
      return done
    }
    throw RemoteError.evicted(address.text, limit: session.cache.limit)
  }

  /// Fetches files that will be read soon, several at a time.
  ///
  /// - Throws: ``RemoteError`` that is not about one file.
  package func prefetch(_ paths: [String]) throws {
    let places = paths.compactMap { listing.index(of: $0) }.filter { place in
      let entry = listing.entries[place]
      return !session.cache.contains(
        RemoteCache.identity(listing.address(of: entry), entry), size: entry.size)
    }
    guard places.count > 1 else { return }
    try fetching.withLock { _ in
      var part: [Int] = []
      var bytes = 0
      for place in places {
        part.append(place)
        bytes += listing.entries[place].size
        guard part.count >= Self.windowLimit || bytes >= byteLimit else { continue }
        try run(part)
        (part, bytes) = ([], 0)
      }
      try run(part)
    }
  }

  private var byteLimit: Int { min(Self.byteLimit, session.cache.limit / 4) }

  /// Fetches a file, and more if files are read in the order of the listing.
  private func fetch(_ place: Int, _ identity: String) throws {
    try fetching.withLock { _ in
      let entry = listing.entries[place]
      guard !session.cache.contains(identity, size: entry.size) else { return }
      let window = state.withLock { state in
        if let range = state.ends.firstIndex(where: { place >= $0 && place < $0 + Self.nearLimit })
        {
          state.ends.remove(at: range)
          return (files: Self.windowLimit, bytes: byteLimit)
        }
        let isNear = state.ends.contains { abs(place - $0) <= Self.nearness }
        return isNear ? (Self.nearLimit, min(Self.nearBytes, byteLimit)) : (1, 0)
      }
      var places = [place]
      var bytes = entry.size
      var next = place + 1
      while places.count < window.files, next < listing.entries.count {
        let other = listing.entries[next]
        bytes += other.size
        guard bytes <= window.bytes, other.size < RemoteFetch.large else { break }
        let isKnown = state.withLock { $0.failures[next] != nil }
        if !isKnown { places.append(next) }
        next += 1
      }
      state.withLock { state in
        state.ends.append(next)
        if state.ends.count > Self.rangeLimit { state.ends.removeFirst() }
      }
      try run(places)
      if let failure = state.withLock({ $0.failures[place] }) { throw failure }
    }
  }

  private func run(_ places: [Int]) throws {
    guard !places.isEmpty else { return }
    do {
      let outcome = try RemoteFetch(session: session, listing: listing).run(places)
      state.withLock { state in
        state.fetched.files += outcome.files
        state.fetched.bytes += outcome.bytes
        for place in places { state.failures[place] = outcome.failures[place] }
      }
    } catch {
      if let failure = error as? RemoteError { session.note(failure) }
      throw error
    }
  }
}
