import AssayCore
package import AssayRemote
import AssayStore
import Foundation
import Synchronization

/// The sources that are not local which this process has opened.
package enum RemoteSources {
  /// The member of a dataset's options with the hash of the listing that was imported.
  static let member = "remote"

  private static let opened = Mutex<[String: RemoteTree]>([:])
  private static let made = Mutex<RemoteSession?>(nil)
  private static let sink = Mutex<(any ProgressSink)?>(nil)

  /// Tells about listing and fetching while some work is done.
  static func reporting<Value>(to progress: any ProgressSink, _ work: () throws -> Value) rethrows
    -> Value
  {
    sink.withLock { $0 = progress }
    defer { sink.withLock { $0 = nil } }
    return try work()
  }

  private static func session() throws -> RemoteSession {
    try made.withLock { made in
      if let made { return made }
      let environment = ProcessInfo.processInfo.environment
      let session = RemoteSession(
        client: InstalledCurl(environment: environment),
        cache: try RemoteCache(environment: environment),
        account: Result { () throws(RemoteError) in try S3Account(environment: environment) },
        check: {
          try Interruption.check(
            "what was fetched is kept in the cache; run the same command to continue")
        },
        report: { text in sink.withLock(\.self)?.report(0, text) })
      made = session
      return session
    }
  }

  /// The files at an address now.
  ///
  /// - Throws: `RemoteError`; ``Interrupted``.
  static func fresh(_ address: RemoteAddress) throws -> RemoteTree {
    if let tree = opened.withLock({ $0[address.text] }) { return tree }
    let session = try session()
    let listing = try RemoteLister(session).list(address)
    try session.cache.keep(listing)
    let tree = RemoteTree(listing, session: session)
    opened.withLock { opened in
      opened[address.text] = tree
      opened[listing.address.text + " " + listing.hash] = tree
    }
    return tree
  }

  /// The files at an address as they were imported.
  ///
  /// - Parameter hash: the hash of the imported listing; `nil` for the files that are there now.
  /// - Throws: `RemoteError`, also if the cache no longer has the listing and the files are others now; ``Interrupted``.
  static func tree(_ address: RemoteAddress, listing hash: String?) throws -> RemoteTree {
    guard let hash else { return try fresh(address) }
    let key = address.text + " " + hash
    if let tree = opened.withLock({ $0[key] }) { return tree }
    let session = try session()
    if let listing = session.cache.listing(hash, address) {
      let tree = RemoteTree(listing, session: session)
      opened.withLock { $0[key] = $0[key] ?? tree }
      return opened.withLock { $0[key] } ?? tree
    }
    let tree = try fresh(address)
    guard tree.listing.hash == hash else { throw RemoteError.otherListing(address.text) }
    opened.withLock { $0[key] = tree }
    return tree
  }

  /// The hash of the listing that was imported; `nil` for a dataset that is local.
  static func listing(of dataset: DatasetRecord) -> String? {
    guard dataset.options.contains("\"\(member)\""),
      let options = try? JSONValue(parsing: dataset.options)
    else { return nil }
    return options[member]?.text
  }

  /// - Throws: the first failure of a server in this process, after which files may have been taken for missing.
  static func checkTrouble() throws { try made.withLock(\.self)?.checkTrouble() }

  /// The number of files that this process has fetched, and of their bytes.
  package static var fetched: RemoteTree.Fetched {
    let trees = opened.withLock { opened in
      Dictionary(
        opened.values.map { (ObjectIdentifier($0), $0) }, uniquingKeysWith: { first, _ in first })
    }
    return trees.values.reduce(into: RemoteTree.Fetched()) { sum, tree in
      let fetched = tree.fetched
      sum.files += fetched.files
      sum.bytes += fetched.bytes
    }
  }

  /// Returns whether an error is about a server as a whole: other files cannot be read either, so that they must not be
  /// taken for damaged.
  static func isTrouble(_ error: any Error) -> Bool {
    if error is Interrupted { return true }
    guard let error = error as? RemoteError else { return false }
    return !error.isOfOneObject
  }
}
