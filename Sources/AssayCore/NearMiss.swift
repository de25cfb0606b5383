/// The spelling nearest to an unknown one, for "did you mean".
package enum NearMiss {
  private static let longestWord = 1024

  /// The candidate with the smallest edit distance to `word`, ignoring case; `nil` if none is
  /// within a third of the word's length (at least 1), or the word is longer than 1,024 bytes.
  ///
  /// - Complexity: O(*n* · *w* · *c*) for *n* candidates of length *c* and a word of length *w*.
  package static func suggestion(for word: String, among candidates: [String]) -> String? {
    guard word.utf8.count <= longestWord else { return nil }
    let wanted = Array(word.lowercased())
    let limit = max(1, word.count / 3)
    var best: (candidate: String, distance: Int)?
    for candidate in candidates {
      let distance = editDistance(wanted, Array(candidate.lowercased()))
      if distance <= limit, distance < (best?.distance ?? .max) {
        best = (candidate, distance)
      }
    }
    return best?.candidate
  }

  /// The number of insertions, deletions, replacements and swaps of neighbors that turn one into
  /// the other.
  ///
  /// Source: the optimal string alignment form of F. Damerau (1964), doi:10.1145/363958.363994.
  private static func editDistance(_ a: [Character], _ b: [Character]) -> Int {
    guard abs(a.count - b.count) <= max(a.count, b.count) / 2 + 1 else { return .max }
    var before = [Int](repeating: 0, count: b.count + 1)
    var row = Array(0...b.count)
    for i in a.indices {
      var next = [i + 1]
      for j in b.indices {
        var best = min(row[j] + (a[i] == b[j] ? 0 : 1), min(row[j + 1], next[j]) + 1)
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, before[j - 1] + 1) }
        next.append(best)
      }
      (before, row) = (row, next)
    }
    return row[b.count]
  }
}
