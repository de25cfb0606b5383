/// Makes names different: a name that is already used gets `-2`, `-3`, …
package struct DistinctNames {
  /// True if names that differ only in case are the same, as on some file systems.
  private let ignoresCase: Bool
  private var used: Set<String>

  package init(ignoresCase: Bool, taken: Set<String> = []) {
    self.ignoresCase = ignoresCase
    used = ignoresCase ? Set(taken.map { $0.lowercased() }) : taken
  }

  /// The name, or the first one with a number that is not used; it is used from now on.
  package mutating func add(_ name: String) -> String {
    var candidate = name
    var number = 2
    while !used.insert(ignoresCase ? candidate.lowercased() : candidate).inserted {
      candidate = "\(name)-\(number)"
      number += 1
    }
    return candidate
  }
}
