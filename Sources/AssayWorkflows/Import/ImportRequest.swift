package import AssayCore
package import AssayFormats

/// A request to import a source.
package struct ImportRequest: Hashable, Sendable {
  /// The source's path as typed, without a format behind it.
  package var path: String
  /// The format that was asked for; found out where `nil`.
  package var format: DatasetFormat?
  /// The dataset's name; after the source's where `nil`.
  package var name: String?
  /// The split of samples that the source gives none.
  package var split: String?
  /// Names of the labels 0, 1, 2, …; of a multi-label source all its classes.
  package var classes: [String]?
  /// The size of embedded pixels, where it cannot be found out.
  package var size: ImageSize?
  /// The separator between the labels of one image, if a source lists them in one field; detected if `nil`.
  package var labelSeparator: LabelSeparator?
  /// The folder of the images, where it is another place than the source.
  package var images: String?
  /// True if every listed image is decoded.
  package var checksImages = false
  /// True if files with labels that the format's importer does not read may be dropped; needs
  /// ``format``.
  package var ignoresCompanions = false
  /// True if any issue refuses the import.
  package var strict = false
  /// True if a dataset of the name is imported anew.
  package var replace = false

  /// - Parameter source: `PATH` or `PATH:FORMAT`; what is behind the last colon counts only if it
  ///   is a known format.
  package init(_ source: String) {
    path = source
    if let colon = source.lastIndex(of: ":"), colon != source.startIndex,
      let format = DatasetFormat(rawValue: String(source[source.index(after: colon)...]))
    {
      self.format = format
      path = String(source[..<colon])
    }
  }

  /// Takes what separates labels as it is typed: `space` or the sign itself.
  ///
  /// - Returns: false for what cannot separate labels.
  package mutating func setLabelSeparator(_ text: String) -> Bool {
    labelSeparator = text == " " ? .space : LabelSeparator(rawValue: text)
    return labelSeparator != nil
  }

  /// A dataset's name after its source's: without `.csv`, `.json`, `.gz` and such, other characters than a
  /// name may have as `-`; `nil` where nothing is left.
  package static func defaultName(for source: String) -> String? {
    var stem = source[...]
    for suffix in [".gz", ".csv", ".txt", ".tsv", ".json"] where stem.lowercased().hasSuffix(suffix)
    {
      stem = stem.dropLast(suffix.count)
    }
    let letters = stem.unicodeScalars.map { scalar -> Character in
      scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
        || "._-".unicodeScalars.contains(scalar) ? Character(scalar) : "-"
    }
    let name = String(letters).drop { "._-".contains($0) }.prefix(100)
    return name.isEmpty ? nil : String(name)
  }
}
