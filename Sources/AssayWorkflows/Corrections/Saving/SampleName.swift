/// `DATASET:KEY` on the command line. A dataset name cannot contain a colon; a key can.
package struct SampleName: Hashable, Sendable {
  package var dataset: String
  package var key: String

  /// - Returns: `nil` if there is no colon, or if one side of it is empty.
  package init?(_ text: String) {
    guard let colon = text.firstIndex(of: ":") else { return nil }
    dataset = String(text[..<colon])
    key = String(text[text.index(after: colon)...])
    guard !dataset.isEmpty, !key.isEmpty else { return nil }
  }
}
