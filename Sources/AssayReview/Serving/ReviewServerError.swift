/// The reasons why a review cannot be served.
package enum ReviewServerError: Error, Hashable {
  /// No server is running for the ledger.
  case notRunning(ledger: String)
  /// Another server is running for the ledger.
  case running(RunningServer, ledger: String)
  /// The lock file cannot be created or read.
  case lock(path: String, reason: String)
  /// The port is in use, with the process that uses it if known; `isOwn` is true for
  /// the ledger's own port.
  case portTaken(port: Int, by: String?, isOwn: Bool)
  /// The server cannot listen at the address.
  case cannotListen(host: String, port: Int, reason: String)
  /// A port outside 1...65535.
  case badPort(Int)
  /// An `--allow-host` that is not a valid host name.
  case badHost(String)
  /// An author's name that is empty, too long or contains control characters.
  case badAuthor(String)
  /// Other users can read the secret file.
  case secretExposed(path: String, mode: Int)
  /// The secret file cannot be read or created.
  case secret(path: String, reason: String)
  /// The ledger's uuid is invalid, so it has no port.
  case badLedger(uuid: String)
  /// The system allows fewer threads than the server needs.
  case threads(needed: Int, possible: Int, reason: String)
}

extension ReviewServerError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notRunning(let ledger):
      "no review server is running for \(ledger); start one with `assay review VIEW`"
    case .running(let server, let ledger):
      """
      \(server.author) already uses the ledger \(ledger): process \(server.process) has been \
      serving \(server.review.map { "the review \($0)" } ?? "the samples") at \(server.base) since \(server.since); \
      `assay review link --author NAME` lets you join, or stop that server with Ctrl-C
      """
    case .lock(let path, let reason):
      "the lock file \(path) cannot be used: \(reason); its folder must be writable; if the file itself "
        + "is damaged, remove it"
    case .portTaken(let port, let owner, let isOwn):
      "port \(port) is in use" + (owner.map { " by \($0)" } ?? " by another program")
        + (isOwn
          ? """
          ; this ledger always uses it, because browsers keep unsent changes under this address. Stop that \
          program, or choose another port with --port if no browser has unsent changes
          """ : "; stop that program or choose another port with --port")
    case .cannotListen(let host, let port, let reason):
      "cannot listen on \(host), port \(port): \(reason); "
        + "--host must be an address of this computer"
    case .badPort(let port): "invalid --port \(port): must be in 1...65535"
    case .badHost(let name):
      "invalid --allow-host “\(name)”: must be NAME or NAME:PORT, as shown in the address bar"
    case .badAuthor(let name):
      """
      invalid author “\(SystemText.visible(name))”: must have 1 to \(ReviewAuthor.longestName) \
      visible characters; use --author NAME
      """
    case .secretExposed(let path, let mode):
      """
      other users can read the secret \(path) (mode \(String(mode, radix: 8))) and could sign in as \
      any author; remove it (everyone then needs a new link), or, if nobody has read it: \
      chmod 600 \(path)
      """
    case .secret(let path, let reason):
      """
      the secret \(path) cannot be used: \(reason); its folder must be writable; if the file itself \
      is damaged, remove it (everyone then needs a new link)
      """
    case .threads(let needed, let possible, let reason):
      """
      the server needs \(needed) threads and can start only \(possible) (\(reason)); raise the limit on \
      processes (ulimit -u, or pids.max of the control group) or end other programs, then start it again
      """
    case .badLedger(let uuid): "invalid ledger uuid “\(SystemText.visible(uuid))”"
    }
  }
}
