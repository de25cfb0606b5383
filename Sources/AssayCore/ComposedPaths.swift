import Foundation

extension String {
  /// The text in Unicode's normalization form C: “é” as one scalar, as Linux and Windows write it. macOS
  /// writes file names decomposed, as “e” and an accent, so the name in an annotation and the one on the
  /// disk can differ although they look the same.
  package var composed: String {
    isASCII ? self : precomposedStringWithCanonicalMapping
  }

  /// The text in normalization form D: “e” and an accent.
  package var decomposed: String {
    isASCII ? self : decomposedStringWithCanonicalMapping
  }

  /// True if all of the text's bytes are below 128.
  package var isASCII: Bool { utf8.allSatisfy { $0 < 0x80 } }
}

extension [SourceFile] {
  /// Spells the paths in normalization form C, and leaves those alone that differ from another only by their
  /// form. The order is then no longer that of the bytes.
  package mutating func composePaths() {
    let places = indices.filter { !self[$0].path.isASCII }
    // Texts are equal in whichever form they are.
    var counts: [String: Int] = [:]
    for place in places { counts[self[place].path, default: 0] += 1 }
    for place in places where counts[self[place].path] == 1 {
      self[place].path = self[place].path.composed
    }
  }
}
