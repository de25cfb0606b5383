/// One section of a report; it fills a template.
protocol ReportSection: Sendable {
  /// The anchor on the page.
  var id: String { get }
  /// The stem of its template's file name; the anchor by default.
  var template: String { get }
  /// The heading, also used in the table of contents.
  var title: String { get }
  /// True if its images take only the part of ``PictureLimits/bytes`` that
  /// the other sections leave.
  var takesWhatIsLeft: Bool { get }
  /// Returns the template's values; `nil` omits the section.
  ///
  /// Every key that the template uses must be present: a missing key would be looked up
  /// in the enclosing context.
  func values(_ builder: PageBuilder) throws(ReportError) -> [String: Any]?
}

extension ReportSection {
  var template: String { id }
  var takesWhatIsLeft: Bool { false }
}
