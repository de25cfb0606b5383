import AssayCore
import HTTPTypes

/// A body that must be JSON, read within limits.
enum JSONBody {
  /// The maximum number of values in a body.
  static let valueLimit = 2_000

  /// Returns whether the headers announce uncompressed JSON in UTF-8. Forms and plain text, which a
  /// page of another site could send without a preflight request, are not accepted.
  static func isAnnounced(_ headers: HTTPFields) -> Bool {
    guard headers[.contentEncoding] == nil, let type = headers[.contentType] else { return false }
    let parts = type.lowercased().split(separator: ";").map { part in
      String(part.filter { $0 != " " && $0 != "\t" })
    }
    guard parts.first == "application/json" else { return false }
    return parts.dropFirst().allSatisfy { $0 == "charset=utf-8" || $0 == "charset=\"utf-8\"" }
  }

  /// Returns the object in a body.
  ///
  /// - Parameter valueLimit: the maximum number of values.
  /// - Throws: ``RequestRefusal/badJSON(_:)``, also for deep nesting, too many values, and any
  ///   value other than an object.
  static func object(
    _ bytes: [UInt8], valueLimit: Int = valueLimit
  ) throws(RequestRefusal) -> JSONValue {
    guard separators(in: bytes) <= valueLimit else { throw .badJSON("it has too many values") }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .badJSON("it is not UTF-8")
    }
    let value: JSONValue
    do {
      value = try JSONValue(parsing: text)
    } catch {
      throw .badJSON("\(error)")
    }
    guard case .object = value else { throw .badJSON("it must be an object") }
    return value
  }

  /// Returns the number of commas and colons outside strings, before the body is parsed.
  private static func separators(in bytes: [UInt8]) -> Int {
    var count = 0
    var isText = false
    var isEscaped = false
    for byte in bytes {
      if isText {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isText = false
        }
      } else if byte == UInt8(ascii: "\"") {
        isText = true
      } else if byte == UInt8(ascii: ",") || byte == UInt8(ascii: ":") {
        count += 1
      }
    }
    return count
  }
}
