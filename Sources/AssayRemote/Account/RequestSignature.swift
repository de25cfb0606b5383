import AssayCore
import Foundation

/// The signature of a request to S3: AWS Signature Version 4 for a request without a body.
package struct RequestSignature {
  let keys: S3Account.Keys
  let region: String

  package init(keys: S3Account.Keys, region: String) {
    self.keys = keys
    self.region = region
  }

  /// The SHA-256 of no bytes.
  private static let emptyBody = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

  /// The headers that sign a request.
  ///
  /// - Parameters:
  ///   - host: the value of the header `Host`.
  ///   - path: the escaped path, with its first slash.
  ///   - query: the escaped names and values.
  ///   - seconds: the time of the request, in seconds since 1970.
  package func headers(
    method: String, host: String, path: String, query: [(name: String, value: String)],
    seconds: Int
  ) -> [(name: String, value: String)] {
    let time = TimeText.basic(seconds)
    let day = String(time.prefix(8))
    var signed: [(name: String, value: String)] = [
      ("host", host), ("x-amz-content-sha256", Self.emptyBody), ("x-amz-date", time),
    ]
    if let token = keys.token { signed.append(("x-amz-security-token", token)) }
    let names = signed.map(\.name).joined(separator: ";")
    let sorted = query.sorted { ($0.name, $0.value) < ($1.name, $1.value) }
    let request = [
      method, path.isEmpty ? "/" : path,
      sorted.map { "\($0.name)=\($0.value)" }.joined(separator: "&"),
      signed.map { "\($0.name):\($0.value)\n" }.joined(), names, Self.emptyBody,
    ].joined(separator: "\n")
    let scope = "\(day)/\(region)/s3/aws4_request"
    let text = "AWS4-HMAC-SHA256\n\(time)\n\(scope)\n\(ContentHash.of(Array(request.utf8)))"
    var key = Array("AWS4\(keys.secret)".utf8)
    for part in [day, region, "s3", "aws4_request"] { key = Self.code(key, part) }
    let signature = ContentHash.hexadecimal(Self.code(key, text))
    var headers = Array(signed.dropFirst())
    headers.append(
      (
        "Authorization",
        "AWS4-HMAC-SHA256 Credential=\(keys.identifier)/\(scope), SignedHeaders=\(names), Signature=\(signature)"
      ))
    return headers
  }

  private static func code(_ key: [UInt8], _ text: String) -> [UInt8] {
    AuthenticationKey(key: key).code(of: Array(text.utf8))
  }
}

/// Times of the formats that servers write, without a locale.
package enum TimeText {
  /// A time such as `20261128T143521Z`.
  static func basic(_ seconds: Int) -> String {
    var time = time_t(seconds)
    var parts = tm()
    gmtime_r(&time, &parts)
    func two(_ value: Int32) -> String { (value < 10 ? "0" : "") + "\(value)" }
    return "\(parts.tm_year + 1900)\(two(parts.tm_mon + 1))\(two(parts.tm_mday))T"
      + "\(two(parts.tm_hour))\(two(parts.tm_min))\(two(parts.tm_sec))Z"
  }

  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]

  /// Reads `2026-11-28T14:35:21.000Z` or `Sat, 28 Nov 2026 14:35:21 GMT`; the seconds since 1970, `nil` for other
  /// text.
  package static func seconds(_ text: String) -> Int? {
    guard text.utf8.count <= 64 else { return nil }
    let numbers = text.split { !($0.isASCII && $0.isNumber) }.compactMap { Int($0) }
    if text.contains("T"), text.hasSuffix("Z"), numbers.count >= 6 {
      return seconds(numbers[0], numbers[1], numbers[2], Array(numbers[3..<6]))
    }
    guard text.hasSuffix("GMT"), numbers.count == 5 else { return nil }
    let words = text.lowercased().split(separator: " ")
    guard let month = months.firstIndex(where: { name in words.contains { $0 == name } }) else {
      return nil
    }
    return seconds(numbers[1], month + 1, numbers[0], Array(numbers[2..<5]))
  }

  private static func seconds(_ year: Int, _ month: Int, _ day: Int, _ clock: [Int]) -> Int? {
    guard (1_970...9_999).contains(year), (1...12).contains(month), (1...31).contains(day),
      (0...23).contains(clock[0]), (0...59).contains(clock[1]), (0...60).contains(clock[2])
    else { return nil }
    var parts = tm()
    parts.tm_year = Int32(year - 1_900)
    parts.tm_mon = Int32(month - 1)
    parts.tm_mday = Int32(day)
    (parts.tm_hour, parts.tm_min, parts.tm_sec) = (
      Int32(clock[0]), Int32(clock[1]), Int32(clock[2])
    )
    return Int(timegm(&parts))
  }
}
