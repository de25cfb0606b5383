/// A scanner that knows just enough Swift to distinguish code from comments and literals.
enum SwiftCode {
  /// The text with all characters in comments, strings and extended regex literals replaced by
  /// blanks. Line feeds and the literals' delimiters are kept; code inside `\(…)` is blanked too.
  static func blanked(_ text: String) -> String {
    var scanner = Scanner(characters: Array(text.unicodeScalars))
    return scanner.run()
  }

  private struct Scanner {
    let characters: [Unicode.Scalar]
    var out = String.UnicodeScalarView()
    var at = 0

    init(characters: [Unicode.Scalar]) { self.characters = characters }

    mutating func run() -> String {
      while at < characters.count {
        if sees("//") {
          while at < characters.count, characters[at] != "\n" { blank() }
        } else if sees("/*") {
          comment()
        } else if let (hashes, quote) = opening() {
          literal(hashes: hashes, quote: quote)
        } else {
          keep()
        }
      }
      return String(out)
    }

    func sees(_ word: String) -> Bool {
      let word = Array(word.unicodeScalars)
      return at + word.count <= characters.count
        && characters[at..<at + word.count].elementsEqual(word)
    }

    mutating func keep(_ count: Int = 1) {
      for _ in 0..<count where at < characters.count {
        out.append(characters[at])
        at += 1
      }
    }

    mutating func blank(_ count: Int = 1) {
      for _ in 0..<count where at < characters.count {
        out.append(characters[at] == "\n" ? "\n" : " ")
        at += 1
      }
    }

    /// Block comments nest.
    mutating func comment() {
      var depth = 0
      repeat {
        if sees("/*") {
          depth += 1
          blank(2)
        } else if sees("*/") {
          depth -= 1
          blank(2)
        } else {
          blank()
        }
      } while depth > 0 && at < characters.count
    }

    /// The literal that starts here: the number of `#` before it, and its quote.
    func opening() -> (hashes: Int, quote: String)? {
      var hashes = 0
      while at + hashes < characters.count, characters[at + hashes] == "#" { hashes += 1 }
      var probe = self
      probe.at += hashes
      if probe.sees("\"\"\"") { return (hashes, "\"\"\"") }
      if probe.sees("\"") { return (hashes, "\"") }
      return hashes > 0 && probe.sees("/") ? (hashes, "/") : nil
    }

    mutating func literal(hashes: Int, quote: String) {
      let escape = "\\" + String(repeating: "#", count: hashes)
      let end = quote + String(repeating: "#", count: hashes)
      keep(hashes + quote.unicodeScalars.count)
      while at < characters.count, !sees(end) {
        if quote != "/", sees(escape + "(") {
          blank(escape.unicodeScalars.count)
          interpolation()
        } else if sees(escape) {
          blank(escape.unicodeScalars.count + 1)
        } else if quote == "\"", characters[at] == "\n" {
          return
        } else {
          blank()
        }
      }
      keep(end.unicodeScalars.count)
    }

    /// Skips `(…)` with its nested contents, including literals.
    mutating func interpolation() {
      var depth = 0
      repeat {
        if let (hashes, quote) = opening() {
          let mark = out.count
          literal(hashes: hashes, quote: quote)
          let added = out.count - mark
          let lines = out.suffix(added).map { $0 == "\n" ? $0 : " " }
          out.removeLast(added)
          out.append(contentsOf: lines)
          continue
        }
        if characters[at] == "(" { depth += 1 }
        if characters[at] == ")" { depth -= 1 }
        blank()
      } while depth > 0 && at < characters.count
    }
  }
}
