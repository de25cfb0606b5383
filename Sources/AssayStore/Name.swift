/// The rule for names of datasets, views, partitions, parts, models, runs and evaluations.
package enum Name {
  /// The maximum number of characters in a name.
  package static let lengthLimit = 200

  /// Returns whether a text is `[A-Za-z0-9][A-Za-z0-9._-]*` and not too long.
  package static func isValid(_ name: String) -> Bool {
    let bytes = name.utf8
    guard let first = bytes.first, isAlphanumeric(first), bytes.count <= lengthLimit else {
      return false
    }
    return bytes.allSatisfy { isAlphanumeric($0) || $0 == 0x2E || $0 == 0x5F || $0 == 0x2D }
  }

  /// Returns the name if it is valid.
  ///
  /// - Throws: ``StoreError/badName(_:)``.
  @discardableResult
  package static func checked(_ name: String) throws -> String {
    guard isValid(name) else { throw StoreError.badName(name) }
    return name
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: false
    }
  }
}
