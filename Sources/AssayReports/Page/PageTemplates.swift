import Mustache

/// The built-in templates, parsed once a page.
///
/// Two braces escape; three are for what this program made itself: charts, pictures, finished sections.
struct PageTemplates: Sendable {
  private let library: MustacheLibrary

  /// - Throws: ``ReportError/template(name:reason:)``.
  init() throws(ReportError) {
    MarkupContent.register()
    let pragma = "{{% CONTENT_TYPE:\(MarkupContent.name)}}"
    var library = MustacheLibrary()
    for (name, bytes) in Self.sources {
      do {
        var text = String(decoding: bytes, as: UTF8.self)
        // A part in the middle of a line must not bring its file's last line feed along.
        if text.hasSuffix("\n") { text.removeLast() }
        try library.register(pragma + text, named: name)
      } catch {
        throw .template(name: name, reason: "\(error)")
      }
    }
    self.library = library
  }

  /// A template filled with values.
  ///
  /// - Throws: ``ReportError/template(name:reason:)`` where there is none of that name.
  func render(_ name: String, _ values: [String: Any]) throws(ReportError) -> String {
    guard let text = library.render(values, withTemplate: name) else {
      throw .template(name: name, reason: "there is none")
    }
    return text
  }

  private static var sources: [(String, [UInt8])] {
    [
      ("page", PackageResources.page_mustache),
      ("picture", PackageResources.picture_mustache),
      ("number", PackageResources.number_mustache),
      ("term", PackageResources.term_mustache),
      ("definitions", PackageResources.definitions_mustache),
      ("answer", PackageResources.answer_mustache),
      ("confusions", PackageResources.confusions_mustache),
      ("matrix", PackageResources.matrix_mustache),
      ("counts", PackageResources.counts_mustache),
      ("mistakes", PackageResources.mistakes_mustache),
      ("inputs", PackageResources.inputs_mustache),
      ("means", PackageResources.means_mustache),
      ("reliability", PackageResources.reliability_mustache),
      ("risk", PackageResources.risk_mustache),
      ("classes", PackageResources.classes_mustache),
      ("chart", PackageResources.chart_mustache),
      ("sample", PackageResources.sample_mustache),
      ("mask-key", PackageResources.mask_key_mustache),
      ("mask-answer", PackageResources.mask_answer_mustache),
      ("mask-worst", PackageResources.mask_worst_mustache),
      ("mask-samples", PackageResources.mask_samples_mustache),
      ("mask-doubt", PackageResources.mask_doubt_mustache),
      ("mask-classes", PackageResources.mask_classes_mustache),
      ("mask-table", PackageResources.mask_table_mustache),
      ("object", PackageResources.object_mustache),
      ("object-errors", PackageResources.object_errors_mustache),
      ("object-curves", PackageResources.object_curves_mustache),
      ("object-confusion", PackageResources.object_confusion_mustache),
      ("object-classes", PackageResources.object_classes_mustache),
      ("object-numbers", PackageResources.object_numbers_mustache),
      ("tables", PackageResources.tables_mustache),
      ("label-samples", PackageResources.label_samples_mustache),
      ("predictions", PackageResources.predictions_mustache),
      ("provenance", PackageResources.provenance_mustache),
    ]
  }
}
