/// One part of a report: it fills a template.
protocol ReportSection: Sendable {
  /// The anchor on the page.
  var id: String { get }
  /// The stem of its template's file name; the anchor unless told.
  var template: String { get }
  /// The heading, in the table of contents too.
  var title: String { get }
  /// True if its images may take only the space that the other sections leave of ``PictureLimits/bytes``.
  var takesWhatIsLeft: Bool { get }
  /// The template's values; `nil` leaves the section out.
  ///
  /// Every key that the template asks for must be there: a missing one would be looked up further out.
  func values(_ builder: PageBuilder) throws(ReportError) -> [String: Any]?
}

extension ReportSection {
  var template: String { id }
  var takesWhatIsLeft: Bool { false }
}
