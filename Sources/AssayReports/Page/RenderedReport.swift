/// A finished report: files for one folder.
package struct RenderedReport: Sendable, Equatable {
  /// A chart for slides and papers.
  package struct ChartFile: Sendable, Equatable {
    /// `confusion.png`.
    package var name: String
    package var png: [UInt8]
  }

  /// The file name of the page.
  package static let pageName = "report.html"

  /// `report.html`: UTF-8, self-contained.
  package var html: [UInt8]
  /// The charts in the order of the page; empty if there is no font to render text on them.
  package var charts: [ChartFile]
  /// The notes on steps that failed, one sentence each.
  package var notes: [String]
}
