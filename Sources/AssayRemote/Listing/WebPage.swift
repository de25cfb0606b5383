import Foundation

/// A list of files that a web server makes of a folder: Apache, nginx, lighttpd, Python's `http.server`.
package struct WebPage: Equatable {
  /// The names of the files, decoded.
  package var files: [String] = []
  /// The names of the folders, decoded, without a slash.
  package var folders: [String] = []
  /// The number of links that lead elsewhere and were passed over.
  package var others = 0

  /// Reads a page.
  ///
  /// - Parameter path: the decoded path of the page on its server, which ends with a slash.
  /// - Throws: ``PageProblem`` for another page.
  package init(_ bytes: [UInt8], path: String) throws(PageProblem) {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw PageProblem("it is not UTF-8 text")
    }
    let head = String(text.prefix(4_096)).lowercased()
    guard head.contains("<html") || head.contains("<!doctype html") || head.contains("<title")
    else {
      throw PageProblem("it is no web page")
    }
    guard
      ["<title>index of", "<h1>index of", "<title>directory listing for", "<h2>index of"]
        .contains(where: { head.contains($0) })
    else { throw PageProblem("it is a web page of another kind") }
    var seen = Set<String>()
    var rest = text[...]
    while let start = rest.firstRange(of: #/(?i)<a\s[^>]*?href\s*=\s*/#) {
      rest = rest[start.upperBound...]
      guard let quote = rest.first, quote == "\"" || quote == "'",
        let end = rest.dropFirst().firstIndex(of: quote)
      else { continue }
      let link = Self.unescaped(rest[rest.index(after: rest.startIndex)..<end])
      rest = rest[end...]
      guard let name = Self.name(link, below: path) else {
        if !link.hasPrefix("?") { others += 1 }
        continue
      }
      guard seen.insert(name).inserted else { continue }
      if name.hasSuffix("/") {
        folders.append(String(name.dropLast()))
      } else {
        files.append(name)
      }
    }
  }

  /// The name that a link has in the folder; `nil` if it leads elsewhere.
  static func name(_ link: String, below path: String) -> String? {
    guard !link.contains("?"), !link.contains("#"), let decoded = PercentEncoding.decoded(link)
    else {
      return nil
    }
    var name = decoded[...]
    if name.hasPrefix("/") {
      guard name.hasPrefix(path) else { return nil }
      name = name.dropFirst(path.count)
    } else if name.hasPrefix("./") {
      name = name.dropFirst(2)
    } else if link.prefix(while: { $0 != "/" }).contains(":") {
      // A scheme, as of mailto: and https:. Names with a colon are escaped or start with ./
      return nil
    }
    let inner = name.hasSuffix("/") ? name.dropLast() : name
    guard !inner.isEmpty, !inner.contains("/"), inner != ".", inner != ".." else { return nil }
    return String(name)
  }

  /// A value of an attribute without the escapes that servers use.
  private static func unescaped(_ text: Substring) -> String {
    guard text.contains("&") else { return String(text) }
    var plain = String(text)
    for (escape, sign) in [
      ("&quot;", "\""), ("&#34;", "\""), ("&#39;", "'"), ("&#x27;", "'"), ("&lt;", "<"),
      ("&gt;", ">"),
      ("&amp;", "&"),
    ] { plain = plain.replacing(escape, with: sign) }
    return plain
  }
}
