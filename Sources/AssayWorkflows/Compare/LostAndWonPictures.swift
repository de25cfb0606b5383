/// The samples that were lost and won between two runs, as sheets of pictures.
package protocol LostAndWonPictures {
  /// The PNG of the lost samples and of the won ones; `nil` where there are none.
  func sheets() throws -> (lost: [UInt8]?, won: [UInt8]?)

  /// The PNG of both, lost ones first.
  func together() throws -> [UInt8]
}
