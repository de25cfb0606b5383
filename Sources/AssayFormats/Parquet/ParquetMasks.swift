import AssayCore

/// Pairs of images and index masks in the rows of Parquet files.
enum ParquetMasks {
  /// The pairs of all rows, for ``IndexMaskPlan``.
  static func plan(
    _ layout: ParquetLayout, _ options: ImportOptions, in tree: any SourceTree
  ) -> IndexMaskPlan {
    var pairs: [MaskPair] = []
    for file in layout.files {
      guard let mask = file.mask else { continue }
      for row in 0..<file.table.footer.rows {
        func source(_ column: ParquetImageColumn) -> SourceFile {
          SourceFile(
            path: EmbeddedImagePlace.path(file.table, column.name, row), size: file.table.size,
            modified: file.table.modified)
        }
        pairs.append(MaskPair(image: source(file.image), mask: source(mask), split: file.split))
      }
    }
    let names = options.classes.map {
      ClassNames($0, isWide: { IndexMaskPlan.isWide(pairs, in: tree) })
    }
    let issues = layout.columns.ignored.map { column in
      Issue(
        .unsupportedField, .warning,
        at: IssueLocation(file: layout.files.first?.table.path ?? layout.name),
        "the column “\(column.prefix(60))” is not kept")
    }
    var plan = IndexMaskPlan(
      name: layout.name, pairs: pairs,
      classes: IndexClasses(
        names?.names ?? [:], hasBackground: names?.hasBackground ?? true,
        nameOf255: names?.nameOf255),
      issues: issues)
    let files = layout.files.reduce(into: [String: ParquetLayout.File]()) {
      $0[$1.table.path] = $1
    }
    plan.naming = { pair in
      guard let place = EmbeddedImagePlace(pair.image.path), let file = files[place.file] else {
        return pair
      }
      var pair = pair
      pair.image.path = file.image.location(file.table, row: place.row)
      return pair
    }
    return plan
  }
}
