/// The ledger's identifier of a sample. It is not a row number, because the sample must be found
/// again after its dataset is removed and imported again.
package struct SampleIdentity: Hashable, Sendable {
  /// The dataset's name.
  package var dataset: String
  /// The sample's key, unique in the dataset.
  package var key: String
  /// SHA-256 of the encoded image file, or of `gray8 W H` and the bytes of embedded pixels; hexadecimal.
  package var contentHash: String

  package init(dataset: String, key: String, contentHash: String) {
    self.dataset = dataset
    self.key = key
    self.contentHash = contentHash
  }
}
