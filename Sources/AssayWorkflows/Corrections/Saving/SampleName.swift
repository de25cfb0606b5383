/// `DATASET:KEY` on the command line. A dataset's name has no colon, a key may have.
package struct SampleName: Hashable, Sendable {
  package var dataset: String
  package var key: String

  /// - Returns: `nil` where there is no colon, or nothing on one side of it.
  package init?(_ text: String) {
    guard let colon = text.firstIndex(of: ":") else { return nil }
    dataset = String(text[..<colon])
    key = String(text[text.index(after: colon)...])
    guard !dataset.isEmpty, !key.isEmpty else { return nil }
  }
}
