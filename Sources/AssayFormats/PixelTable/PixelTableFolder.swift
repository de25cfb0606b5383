import AssayCore

/// CSV files of pixels in a folder, one for each split: `mnist_train.csv` and `mnist_test.csv`.
struct PixelTableFolder {
  struct Table {
    var file: SourceFile
    /// The split that the file's name states; `nil` if it states none.
    var split: String?
    /// The beginning of the keys of its samples: the file's path without suffix.
    var stem: String
  }

  private(set) var tables: [Table] = []

  /// - Returns: the tables, or the reason why the files are no dataset.
  /// - Throws: any error that the tree throws.
  static func find(in tree: any SourceTree) throws -> Result<PixelTableFolder, Mismatch> {
    func refusal(_ reason: String) -> Result<PixelTableFolder, Mismatch> {
      .failure(Mismatch(reason: reason))
    }
    let files = try tree.files()
    var folder = PixelTableFolder()
    for file in files {
      switch FileNameKind(file.path) {
      case .harmless: continue
      case .image, .otherMedia: return refusal("it holds images, which are no rows of a CSV")
      case .unknown: break
      }
      let name = file.path.lowercased()
      guard name.hasSuffix(".csv") || name.hasSuffix(".csv.gz") else {
        return refusal("it holds other files than CSV files, such as \(file.path)")
      }
      guard folder.tables.count < FolderTables.opened else {
        return refusal("it holds more than \(FolderTables.opened) CSV files")
      }
      let view = SubtreeView(tree, file: file.path)
      guard try !FERImporter().probe(view).isMatch else {
        return refusal("\(file.path) holds FER-2013's faces")
      }
      let probe = try PixelCSVImporter().probe(view)
      guard probe.isMatch else { return refusal("\(file.path): \(probe.reason)") }
      guard try isOfPixels(TableHead.read(tree, file)) else {
        return refusal("\(file.path) may be any table of numbers: name the file to import it")
      }
      folder.tables.append(table(file))
    }
    guard !folder.tables.isEmpty else { return refusal("it is a folder without a CSV") }
    guard folder.tables.count > 1 else { return .success(folder) }
    var seen: [String: String] = [:]
    for table in folder.tables {
      guard let split = table.split else {
        return refusal(
          "it holds \(folder.tables.count) tables of pixels, and the name of "
            + "\(table.file.path) states no split: import one of them")
      }
      if let other = seen.updateValue(table.file.path, forKey: split) {
        return refusal("\(other) and \(table.file.path) are both of the split \(split): import one")
      }
    }
    return .success(folder)
  }

  /// The reason why a folder has not this layout, one clause.
  struct Mismatch: Error, Hashable {
    var reason: String
  }

  /// Returns whether the columns are surely pixels: their names say so, or they are many.
  static func isOfPixels(_ head: TableHead) -> Bool {
    let names = head.firstFields.map { $0.lowercased() }
    return names.count > 64 || names.contains { ["pixels", "pixel0", "1x1"].contains($0) }
  }

  private static func table(_ file: SourceFile) -> Table {
    var path = file.path
    for suffix in [".gz", ".csv"] where path.lowercased().hasSuffix(suffix) {
      path.removeLast(suffix.count)
    }
    let words = path.split { "/-_. ".contains($0) }.map(String.init)
    return Table(file: file, split: words.last(where: SplitName.isKnown), stem: path)
  }
}

/// The classes of several tables of pixels as one list.
struct PixelTableClasses {
  private(set) var names: [String] = []
  private var places: [String: Int] = [:]
  /// The index in ``names`` of each class of the current table.
  private var current: [Int] = []

  /// Begins the next table.
  mutating func beginTable() { current = [] }

  /// Changes a batch of the current table to the list of all: its classes that are new, and the classes of
  /// its samples.
  mutating func join(_ batch: inout ImportedBatch) {
    var new: [Category] = []
    for category in batch.newCategories {
      if let place = places[category.name] {
        current.append(place)
        continue
      }
      places[category.name] = names.count
      current.append(names.count)
      names.append(category.name)
      new.append(category)
    }
    batch.newCategories = new
    for index in batch.samples.indices {
      if let place = batch.samples[index].category {
        batch.samples[index].category = current[place]
      }
    }
  }
}
