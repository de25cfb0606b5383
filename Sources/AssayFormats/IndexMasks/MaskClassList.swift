package import AssayCore

/// The values of index masks and their classes, as lists state them.
package enum MaskClassList {
  /// The classes of the values by a list in a folder (`classes.txt`); `nil` without a list.
  ///
  /// - Parameter first: the value of the first name; `nil` for 0 if it is called background, else 1.
  /// - Throws: ``FormatError/classList(_:problem:)``; any error that the tree throws.
  package static func find(_ tree: any SourceTree, first: Int?) throws -> [Int: String]? {
    try ClassNames.find(try tree.files(), in: tree, first: first, isWide: { true })
      .map { widened($0.names) }
  }

  /// The classes of the values by a list of names.
  package static func values(of names: [String], first: Int?) -> [Int: String] {
    widened(ClassNames(names, first: first, isWide: true).names)
  }

  private static func widened(_ names: [UInt16: String]) -> [Int: String] {
    Dictionary(uniqueKeysWithValues: names.map { (Int($0.key), $0.value) })
  }
}
