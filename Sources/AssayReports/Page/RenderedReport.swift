/// A finished report: files for one folder.
package struct RenderedReport: Sendable, Equatable {
  /// A chart for slides and papers.
  package struct ChartFile: Sendable, Equatable {
    /// `confusion.png`.
    package var name: String
    package var png: [UInt8]
  }

  /// The name of the page in its folder.
  package static let pageName = "report.html"

  /// `report.html`: UTF-8, self-contained.
  package var html: [UInt8]
  /// The charts in the order of the page; empty where there is no font to write on them.
  package var charts: [ChartFile]
  /// The notes on what could not be done, a sentence each.
  package var notes: [String]
}
