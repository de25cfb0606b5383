import AssayCore
import AssayStore
import AssayWorkflows

/// A review opened by a command, with the ledger and the states of independent versions.
struct OpenedReview {
  var queue: ReviewQueue
  var desk: CorrectionService

  /// - Parameter create: whether to create a missing ledger.
  /// - Throws: `StoreError`, `LedgerError`.
  init(
    _ name: String?, in path: String, _ access: Catalog.Access, create: Bool = false,
    reportingTo progress: any ProgressSink
  ) throws {
    let catalog = try CorrectedCatalog.open(path, access, reportingTo: progress).catalog
    let reviews = try catalog.reviews()
    let review: ReviewRecord
    if let name {
      review = try catalog.review(named: name)
    } else if let only = reviews.first, reviews.count == 1 {
      review = only
    } else {
      throw ReviewError.noSubject(datasets: [], reviews: reviews.map(\.name))
    }
    let ledger = try catalog.openLedger(create ? .create : .readWrite)
    desk = CorrectionService(catalog: catalog, ledger: ledger)
    queue = try ReviewQueue(catalog: catalog, review: review)
    try queue.loadVersions(desk)
  }
}

extension PersonPart {
  /// The table of the parts of people.
  static func table(
    _ parts: [PersonPart], agreement: AgreementReport? = nil
  ) -> TextTable {
    let headlines = parts.map { agreement?.headline(of: $0.author) }
    let key = headlines.compactMap { $0?.key }.first
    var table = TextTable(
      [
        ("person", .left), ("assigned", .right), ("shared", .right), ("left", .right),
        ("done", .right), ("set aside", .right),
      ] + (key.map { [($0.words, .right)] } ?? []))
    for (part, headline) in zip(parts, headlines) {
      let counts = part.counts
      table.add(
        [
          part.author, "\(counts.total)", "\(part.shared)", "\(counts.left)", "\(counts.done)",
          "\(counts.skipped + counts.unsure + counts.leftOut)",
        ] + (key == nil ? [] : [Fixed.text(headline?.value)]))
    }
    return table
  }
}

extension AgreementReport.Key {
  /// The name in tables and sentences.
  var words: String {
    switch self {
    case .observed: "observed agreement"
    case .kappa: "Cohen's kappa"
    case .fleiss: "Fleiss' kappa"
    case .alpha: "Krippendorff's alpha"
    case .meanIoU: "mean IoU"
    case .f1: "F1 at IoU 0.5"
    case .matchedIoU: "matched IoU"
    }
  }
}
