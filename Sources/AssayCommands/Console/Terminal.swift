import AssayCore
import Foundation

/// The properties of the output's destination.
package struct Terminal: Sendable {
  /// The number of columns to use: at least 40; 100 if the output is not a terminal.
  package var width: Int
  /// True if lines are broken at ``width``: on a terminal, or if `COLUMNS` specifies the width.
  /// Otherwise lines are not broken, for `grep` and similar tools.
  package var folds: Bool
  /// True if color is used: only on a terminal, and not under `NO_COLOR`.
  package var hasColor: Bool

  package init(width: Int = 100, folds: Bool = false, hasColor: Bool = false) {
    self.width = max(40, width)
    self.folds = folds
    self.hasColor = hasColor
  }

  /// The terminal behind a file descriptor (1 is standard output, 2 standard error).
  package static func attached(to descriptor: Int32) -> Terminal {
    let environment = ProcessInfo.processInfo.environment
    guard isatty(descriptor) == 1 else {
      let columns = environment["COLUMNS"].flatMap { Int($0) }
      return Terminal(width: columns ?? 100, folds: columns != nil)
    }
    var size = winsize()
    let known = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    return Terminal(
      width: known ? Int(size.ws_col) : 80, folds: true,
      hasColor: (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb")
  }

  /// The text in the color for correct values (blue); unchanged without color.
  package func right(_ text: String) -> String { hasColor ? "\u{1B}[34m\(text)\u{1B}[0m" : text }

  /// The text in the color for wrong values (orange, the terminal's yellow-red); unchanged without
  /// color.
  package func wrong(_ text: String) -> String {
    hasColor ? "\u{1B}[38;5;166m\(text)\u{1B}[0m" : text
  }

  /// A text from a file made safe to print: control characters, including the escape that starts a
  /// terminal command and those that reorder text, become `\u{…}`.
  package static func safe(_ text: String) -> String {
    var out = ""
    for scalar in text.unicodeScalars {
      if scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
        || scalar.reordersText
      {
        out += scalar.visible
      } else {
        out.unicodeScalars.append(scalar)
      }
    }
    return out
  }
}
