import Foundation
import Synchronization

/// The curl of this system, searched for when the first request is made: what is in the cache needs none.
package final class InstalledCurl: RemoteClient {
  private let environment: [String: String]
  private let found = Mutex<CurlClient?>(nil)

  package init(environment: [String: String]) { self.environment = environment }

  package func run(
    _ transfers: [Transfer], limit: Int, certificates: String?,
    check: @Sendable () throws -> Void
  ) throws -> [TransferResult] {
    try client().run(transfers, limit: limit, certificates: certificates, check: check)
  }

  private func client() throws(RemoteError) -> CurlClient {
    if let client = found.withLock(\.self) { return client }
    guard let client = CurlClient(environment: environment) else { throw .noClient(version: nil) }
    guard let version = client.version, CurlClient.isSupported(version) else {
      throw .noClient(version: client.version ?? "?")
    }
    found.withLock { $0 = client }
    return client
  }
}
