import HTTPTypes
import Logging

/// Writes one line per request to standard error, if requested. Text from outside is escaped, and
/// lines contain neither tokens nor signatures.
struct RequestLog: Sendable {
  let logger: Logger?

  /// Returns a request's target in a form that is safe to log.
  static func visible(_ target: String) -> String {
    let plain = target.replacing(#/signature=[^&]*/#, with: "signature=…")
    return SystemText.visible(String(plain.prefix(200)))
  }

  func tell(_ head: HTTPRequest, status: Int, author: String?, took: Duration) {
    guard let logger else { return }
    let milliseconds =
      took.components.seconds * 1000 + took.components.attoseconds / 1_000_000_000_000_000
    let path = Self.visible(head.path ?? "")
    let who = author.map { " \(SystemText.visible($0))" } ?? ""
    logger.info("\(head.method.rawValue) \(path) \(status) \(milliseconds) ms\(who)")
  }
}

extension Logger {
  /// Logs to standard error, one line per message.
  static var toStandardError: Logger { Logger(label: "assay.review") { _ in StandardErrorLog() } }

  /// Logs nothing.
  static var silent: Logger { Logger(label: "assay.review") { _ in SwiftLogNoOpLogHandler() } }
}

/// Writes messages to standard error with only the time of day.
private struct StandardErrorLog: LogHandler {
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.info

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    _ = SystemText.write(
      "\(ReviewClock.timeOfDay()) \(SystemText.visible(event.message.description))\n", to: 2)
  }
}
