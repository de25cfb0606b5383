extension String {
  /// The text of a file, without the byte order mark that some editors write before it.
  ///
  /// - Parameter bytes: the whole file.
  /// - Returns: `nil` if they are not UTF-8.
  package init?(ofFile bytes: [UInt8]) {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    self.init(
      validating: bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...],
      as: UTF8.self)
  }
}
