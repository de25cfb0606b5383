import AssayCore
import AssayWorkflows

/// The files that `assay compare` writes: a folder with all, one sheet, or nothing.
struct CompareOutput {
  private static let names = ["compare.json", "lost.png", "won.png"]

  private let folderPath: String
  private var folder: OutputFolder?
  private let sheetPath: String
  private var sheet: OutputFile?
  /// The files that were written.
  private(set) var written: [String] = []

  /// Refuses before any work is done what may not be overwritten.
  ///
  /// - Throws: `OutputError`.
  init(folder path: String?, sheet show: String?, force: Bool) throws(OutputError) {
    folderPath = path ?? ""
    sheetPath = show ?? ""
    if let path {
      let folder = try OutputFolder(path, force: force)
      try folder.check(Self.names)
      self.folder = folder
    }
    if let show { sheet = try OutputFile(show, force: force) }
  }

  /// Writes what was asked for.
  mutating func write(_ json: JSONValue, _ pictures: ComparisonPictures) throws {
    if folder != nil {
      let sheets = try pictures.sheets()
      let files = [
        ("compare.json", Array((json.text(indented: true) + "\n").utf8)),
        ("lost.png", sheets.lost), ("won.png", sheets.won),
      ].compactMap { name, bytes in bytes.map { (name: name, bytes: $0) } }
      try folder?.write(files)
      written += files.map { "\(folderPath)/\($0.name)" }
    }
    if sheet != nil {
      try sheet?.write(try pictures.together())
      written.append(sheetPath)
    }
  }
}
