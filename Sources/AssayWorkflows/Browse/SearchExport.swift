package import AssayCore
import AssayFormats
import AssayStore

extension SampleBrowser {
  /// The number of samples that are read at a time.
  private static let step = 10_000

  /// The samples of a search as a CSV file for spreadsheets, in its order; several labels are separated by `|`.
  ///
  /// - Throws: `StoreError` for an unknown view or an invalid expression; ``BrowseError/noCorrections``.
  package func table(_ search: Search) throws -> [UInt8] {
    let found = try find(search)
    let catalog = try catalog(corrected: search.isCorrected)
    let classes = try catalog.taxonomy(of: found.selection.dataset.id).names
    var text = "key,width,height,split,label\n"
    for start in stride(from: 0, to: found.ids.count, by: Self.step) {
      let ids = Array(found.ids[start..<min(start + Self.step, found.ids.count)])
      for sample in try catalog.samples(ids: ids) {
        let labels = (sample.category.map { [$0] } ?? []) + sample.categories
        let cells: [String?] = [
          sample.key, sample.size.map { "\($0.width)" }, sample.size.map { "\($0.height)" },
          sample.split,
          labels.filter(classes.indices.contains).map { classes[$0] }.joined(separator: "|"),
        ]
        text += cells.map(Self.cell).joined(separator: ",") + "\n"
      }
    }
    return Array(text.utf8)
  }

  private static func cell(_ text: String?) -> String {
    text.map { $0.isEmpty ? "" : CSVText.harmless(CSVText.printable($0)) } ?? ""
  }

  /// The `assay query` command for a search, and the statement for `assay sql`, without an order; no statement if its
  /// values cannot be written as text. The statement for the corrected ground truth reads the catalog's mirror of the
  /// ledger.
  ///
  /// - Throws: `StoreError` for an unknown view or an invalid expression; ``BrowseError/noCorrections``.
  package func command(_ search: Search) throws -> (command: String, statement: String?) {
    let selection = try find(search).selection
    var words = ["assay query"] + (search.condition.map { [ShellText.quoted($0)] } ?? [])
    words.append("--in " + ShellText.quoted(search.view))
    if case .field(let field, let isDescending) = search.order {
      words.append("--sort " + ShellText.quoted(field) + (isDescending ? " --descending" : ""))
    }
    if case .random(let seed) = search.order { words.append("--sort random --seed \(seed)") }
    if search.isCorrected { words.append("--corrected") }
    return (
      words.joined(separator: " "),
      try catalog(corrected: search.isCorrected)
        .statement(for: selection, where: search.condition)
    )
  }
}
