/// A number with its noun: `1 class`, `80 classes`.
package enum Counted {
  package static func text(_ count: Int, _ one: String, _ many: String) -> String {
    "\(count) \(count == 1 ? one : many)"
  }
}
