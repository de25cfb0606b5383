package import AssayCore
package import AssayFormats

/// A request to import a source.
package struct ImportRequest: Hashable, Sendable {
  /// The source's path as typed, without a format suffix.
  package var path: String
  /// The requested format; `nil` to detect it.
  package var format: DatasetFormat?
  /// The dataset's name; `nil` to derive it from the source's.
  package var name: String?
  /// The split of samples without a split in the source.
  package var split: String?
  /// The names of the labels 0, 1, 2, …; for a multi-label source, all of its classes.
  package var classes: [String]?
  /// The paths of the files that ``classes`` were read from, as typed.
  package var classFiles: [String] = []
  /// The task that the images are labeled for, if the source has no annotations; `nil` if it is not stated.
  package var task: ModelTask?
  /// The size of embedded pixels if it cannot be detected.
  package var size: ImageSize?
  /// The separator between the labels of one image, if a source lists them in one field; detected if `nil`.
  package var labelSeparator: LabelSeparator?
  /// The meaning of the columns in a table of boxes; `nil` if its header tells.
  package var columns: BoxTableColumns?
  /// The unit of the coordinates in a table of boxes.
  package var coordinates: BoxCoordinates?
  /// The person whose annotations are the labels, for sources with several annotators.
  package var annotator: String?
  /// The path of FER+'s table of votes, which replace the labels of FER-2013's CSV.
  package var votes: String?
  /// The rule that makes labels of votes; used with ``votes``.
  package var voteRule = VoteRule.majority
  /// The frames per second: of frames without times, the rate at which they were taken; of a video file, how many
  /// are taken. `nil` if it is not given.
  package var frameRate: Double?
  /// The step between the frames that are taken of a film, at least 1.
  package var every = 1
  /// The maximum number of frames that are taken of a film; `nil` for all.
  package var frameLimit: Int?
  /// The folder with the parts of a scan of the images, which are not read again.
  package var scan: String?
  /// The folder of the images if it differs from the source.
  package var images: String?
  /// True to decode every listed image.
  package var checksImages = false
  /// True to allow ignoring label files that the format's importer does not read; requires
  /// ``format``.
  package var ignoresCompanions = false
  /// True to follow links that leave the source's folder.
  package var followsLinks = false
  /// True to reject the import if there is any issue.
  package var strict = false
  /// True to replace a dataset of the same name.
  package var replace = false

  /// - Parameter source: `PATH` or `PATH:FORMAT`; the part after the last colon is used as a format
  ///   only if it is a known one.
  package init(_ source: String) {
    path = source
    if let colon = source.lastIndex(of: ":"), colon != source.startIndex,
      let format = DatasetFormat(rawValue: String(source[source.index(after: colon)...]))
    {
      self.format = format
      path = String(source[..<colon])
    }
  }

  /// Sets the label separator as typed: `space` or the character itself.
  ///
  /// - Returns: false if the text cannot separate labels.
  package mutating func setLabelSeparator(_ text: String) -> Bool {
    labelSeparator = text == " " ? .space : LabelSeparator(rawValue: text)
    return labelSeparator != nil
  }

  /// Sets the rule that makes labels of votes as typed: `majority`, `probability` or `multi-target`.
  ///
  /// - Returns: false for another text.
  package mutating func setVoteRule(_ text: String) -> Bool {
    guard let rule = VoteRule(rawValue: text) else { return false }
    voteRule = rule
    return true
  }

  /// Sets the columns of a table of boxes as typed: `image=file,label=class,box=xmin:ymin:xmax:ymax`.
  ///
  /// - Throws: an error whose description says what is wrong with the text.
  package mutating func setColumns(_ text: String) throws {
    columns = try BoxTableColumns(parsing: text)
  }

  /// Sets the unit of coordinates as typed: `pixels` or `relative`.
  ///
  /// - Returns: false for another text.
  package mutating func setCoordinates(_ text: String) -> Bool {
    coordinates = BoxCoordinates(rawValue: text)
    return coordinates != nil
  }

  /// The default dataset name for a source: without `.csv`, `.json`, `.zip` and the like, and with
  /// `-` for characters that are not allowed in names; `nil` if nothing is left.
  package static func defaultName(for source: String) -> String? {
    var stem = source[...]
    for suffix in [
      ".zip", ".tgz", ".gz", ".tar", ".csv", ".txt", ".tsv", ".json", ".parquet", ".tfrecord",
      ".mov", ".mp4", ".m4v", ".mkv", ".webm", ".avi", ".ts", ".mpg", ".flv", ".ogv", ".wmv",
      ".gif",
      ".mjpeg", ".mjpg", ".y4m",
    ] where stem.lowercased().hasSuffix(suffix) {
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
