import AssayCore

/// The projects of VIA 3 in a source.
enum VIAProjects {
  /// The maximum size of a project.
  static let limit = 256 << 20

  /// The projects of a source.
  ///
  /// - Parameter isComplete: whether all JSON files are opened, or some of them.
  static func files(in tree: any SourceTree, isComplete: Bool) throws -> [SourceFile] {
    let files = try JSONImageFiles.candidates(in: tree)
    let opened = isComplete ? files : JSONImageFiles.spread(files, JSONImageFiles.opened)
    return opened.filter { file in
      JSONSample(tree, file).map(VIAProject.isProject) ?? false
    }
  }

  /// The source with projects as objects with one member per image.
  ///
  /// - Throws: ``FormatError`` if a project is too large, or a single file and broken; any error that
  ///   the tree throws.
  static func asImages(
    _ tree: any SourceTree, _ projects: [SourceFile]
  ) throws -> ReplacedTextTree {
    var texts: [String: [UInt8]] = [:]
    for file in projects {
      guard file.size <= limit else {
        throw FormatError.mismatch(
          name: tree.name, format: .via,
          reason: "\(file.path) is larger than \(limit >> 20) MiB, the limit of a VIA 3 project")
      }
      var reading = JSONReading()
      reading.takesNotFinite = true
      do {
        let bytes = try tree.readAll(file.path, limit: limit)
        texts[file.path] = Array(
          VIAProject(try JSONValue(parsing: bytes, reading)).asImages.text().utf8)
      } catch let error as JSONError {
        guard tree.isSingleFile else { continue }
        throw FormatError.badJSON(file.path, offset: error.offset, problem: error.message)
      }
    }
    return ReplacedTextTree(tree, texts)
  }
}
