import AssayCore
import Foundation

/// A JSON value and the proof that a holder of the ledger's secret wrote it: `PAYLOAD.MAC`, both in
/// the base64url alphabet of RFC 4648, section 5, without padding.
///
/// The MAC is HMAC-SHA-256 with a separate key for each purpose, so a link's token is not
/// valid as a session's.
struct SignedToken: Sendable {
  /// The purpose of a token.
  enum Purpose: String, Sendable {
    case link
    case session
    /// The address of one image.
    case picture
  }

  /// The maximum length of a sealed text; longer texts are rejected.
  static let longestText = 2048

  private let key: AuthenticationKey

  /// - Parameter secret: 32 bytes.
  init(secret: [UInt8], purpose: Purpose) {
    key = AuthenticationKey(secret: secret, purpose: "assay review \(purpose.rawValue)")
  }

  func sealed(_ value: JSONValue) -> String {
    let payload = Data(value.canonicalText.utf8)
    let code = key.code(of: payload)
    return Self.letters(payload) + "." + Self.letters(code)
  }

  /// Returns the value of a text that this secret sealed for this purpose; `nil`
  /// for any other text.
  ///
  /// The comparison takes constant time for wrong and correct codes.
  func opened(_ text: String) -> JSONValue? {
    guard text.utf8.count <= Self.longestText else { return nil }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, let payload = Self.bytes(parts[0]), let code = Self.bytes(parts[1]),
      key.isCode(code, of: payload)
    else { return nil }
    return try? JSONValue(parsing: String(decoding: payload, as: UTF8.self))
  }

  /// Returns the value that a token claims, without verification: it must not be trusted.
  static func claimed(_ text: String) -> JSONValue? {
    guard text.utf8.count <= longestText, let payload = text.split(separator: ".").first,
      let data = bytes(payload)
    else { return nil }
    return try? JSONValue(parsing: String(decoding: data, as: UTF8.self))
  }

  /// Returns the code of a text that is not sealed itself, in the alphabet of a sealed text.
  func code(of text: String) -> String {
    Self.letters(key.code(of: text.utf8))
  }

  /// Returns whether a code belongs to a text. The comparison takes constant time for
  /// wrong and correct codes.
  func isCode(_ code: Substring, of text: String) -> Bool {
    guard let bytes = Self.bytes(code) else { return false }
    return key.isCode(bytes, of: text.utf8)
  }

  private static func letters(_ data: some Sequence<UInt8>) -> String {
    let text = Base64.text(of: Array(data)).utf8.prefix { $0 != UInt8(ascii: "=") }
    return String(
      decoding: text.map { letter in
        switch letter {
        case UInt8(ascii: "+"): UInt8(ascii: "-")
        case UInt8(ascii: "/"): UInt8(ascii: "_")
        default: letter
        }
      }, as: UTF8.self)
  }

  /// Returns the bytes that a text encodes; `nil` if ``letters(_:)`` would encode them differently:
  /// the last letter can have unused bits, and a token must not have several spellings.
  private static func bytes(_ text: Substring) -> Data? {
    let standard = text.utf8.map { letter in
      switch letter {
      case UInt8(ascii: "-"): UInt8(ascii: "+")
      case UInt8(ascii: "_"): UInt8(ascii: "/")
      default: letter
      }
    }
    let padding = [UInt8](repeating: UInt8(ascii: "="), count: (4 - standard.count % 4) % 4)
    guard let data = Data(base64Encoded: Data(standard + padding)), letters(data) == text else {
      return nil
    }
    return data
  }
}
