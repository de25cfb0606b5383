/// The reasons why a review cannot be served.
package enum ReviewServerError: Error, Hashable {
  /// No server has the ledger.
  case notRunning(ledger: String)
  /// Another server has it.
  case running(RunningServer, ledger: String)
  /// The lock file cannot be made or read.
  case lock(path: String, reason: String)
  /// The port is in use, and by whom where that can be found out; whether it is the ledger's own.
  case portTaken(port: Int, by: String?, isOwn: Bool)
  /// The address cannot be listened at.
  case cannotListen(host: String, port: Int, reason: String)
  /// A port outside 1...65535.
  case badPort(Int)
  /// An `--allow-host` that is no name.
  case badHost(String)
  /// An author's name that is empty, too long or has control characters.
  case badAuthor(String)
  /// The secret file may be read by others.
  case secretExposed(path: String, mode: Int)
  /// The secret file cannot be read or made.
  case secret(path: String, reason: String)
  /// The ledger's uuid is none, so that it has no port.
  case badLedger(uuid: String)
  /// The system allows fewer threads than the server needs.
  case threads(needed: Int, possible: Int, reason: String)
}

extension ReviewServerError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notRunning(let ledger):
      "no review's server runs on \(ledger); start one with `assay review VIEW`"
    case .running(let server, let ledger):
      """
      \(server.author) has the ledger \(ledger) already: process \(server.process) serves the review \
      \(server.review) at \(server.base) since \(server.since); \
      `assay review link --author NAME` lets you in too, or stop that one with Ctrl-C
      """
    case .lock(let path, let reason):
      "the lock file \(path) cannot be used: \(reason); its folder must be writable, and where the file itself "
        + "is wrong remove it"
    case .portTaken(let port, let owner, let isOwn):
      "port \(port) is in use" + (owner.map { " by \($0)" } ?? " by another program")
        + (isOwn
          ? """
          ; it is this ledger's own, for what a browser has not yet sent lies under it. Stop that \
          program, or choose another with --port if nothing is waiting in a browser
          """ : "; stop that program or choose another with --port")
    case .cannotListen(let host, let port, let reason):
      "cannot listen at \(host), port \(port): \(reason); --host takes an address of this computer"
    case .badPort(let port): "--port is \(port); it must be in 1...65535"
    case .badHost(let name):
      "--allow-host is “\(name)”; it must be a name or NAME:PORT, as it stands in the address bar"
    case .badAuthor(let name):
      """
      the author is “\(SystemText.visible(name))”; it must have 1 to \(ReviewAuthor.longestName) \
      characters that can be seen: --author NAME
      """
    case .secretExposed(let path, let mode):
      """
      others may read the secret \(path) (mode \(String(mode, radix: 8))), and could sign in as \
      anybody; remove it (everybody needs a new link then), or if nobody has read it: chmod 600 \(path)
      """
    case .secret(let path, let reason):
      """
      the secret \(path) cannot be used: \(reason); its folder must be writable, and where the file itself \
      is wrong remove it (everybody needs a new link then)
      """
    case .threads(let needed, let possible, let reason):
      """
      the server needs \(needed) threads and can start only \(possible) (\(reason)); raise the limit on \
      processes (ulimit -u, or pids.max of the control group) or end other programs, then start it again
      """
    case .badLedger(let uuid): "the ledger's uuid “\(SystemText.visible(uuid))” is none"
    }
  }
}
