import AssayCore

/// The page layout that all report types share: head, table of contents, sections in
/// order, style and script.
struct ReportPage: Sendable {
  let title: String
  /// The line below the title: the run and the evaluation.
  let subtitle: String
  /// The sections in reading order.
  let sections: [any ReportSection]
  /// The file of rules that this page adds to the common style; `nil` for none.
  var addedStyle: String?
  /// The script that this page adds to the common one; `nil` for none.
  var addedScript: String?
  /// The facts of the evaluation, of which the head shows the most important ones.
  var facts: [FactGroup] = []

  /// The facts that the head shows: the group and the name of each, and its name there.
  private static let headFacts = [
    ("Data", "Dataset", "Dataset"), ("Data", "View", "View"), ("Data", "Split", "Split"),
    ("Data", "Samples evaluated", "Samples"), ("Data", "Samples predicted", "Samples"),
    ("Run", "Date", "Date of the run"), ("Evaluation", "Date", "Date of the evaluation"),
    ("Gate", "Gate", "Gate"),
  ]

  /// The most important facts, in a fixed order; facts that are not there are left out.
  private var head: [[String: Any]] {
    Self.headFacts.compactMap { group, name, title in
      facts.first { $0.title == group }?.facts.first { $0.name == name }.map {
        ["name": title, "value": $0.value, "verdict": $0.verdict.templateValue]
      }
    }
  }

  /// Renders the page and its charts.
  ///
  /// - Throws: ``ReportError``.
  func render(workers: Int) throws(ReportError) -> RenderedReport {
    let templates = try PageTemplates()
    let builder = PageBuilder(workers: workers)
    var bodies: [String?] = Array(repeating: nil, count: sections.count)
    // The section that takes the remaining space comes last, so that the limit never removes
    // images of another section.
    let order = sections.indices.sorted {
      (sections[$0].takesWhatIsLeft ? 1 : 0, $0) < (sections[$1].takesWhatIsLeft ? 1 : 0, $1)
    }
    for index in order {
      guard let values = try sections[index].values(builder) else { continue }
      bodies[index] = try templates.render(sections[index].template, values)
    }
    let parts = zip(sections, bodies).compactMap { section, body -> [String: Any]? in
      body.map { ["id": section.id, "title": section.title, "body": $0] }
    }
    let style =
      Ink.styleSheet + PageTemplates.text(of: "style.css")
      + (addedStyle.map(PageTemplates.text) ?? "")
    let script =
      PageTemplates.text(of: "script.js") + (addedScript.map(PageTemplates.text) ?? "")
    let html = try templates.render(
      "page",
      [
        "title": title, "subtitle": subtitle, "sections": parts, "style": style, "script": script,
        "policy": ContentPolicy(style: style, script: script).text,
        "facts": head, "hasFacts": !head.isEmpty,
      ])
    let (charts, notes) = try drawn(builder.charts, workers: workers)
    return RenderedReport(html: Array(html.utf8), charts: charts, notes: notes)
  }

  private func drawn(
    _ charts: [any Chart], workers: Int
  ) throws(ReportError) -> ([RenderedReport.ChartFile], [String]) {
    var files: [RenderedReport.ChartFile] = []
    var remaining = charts[...]
    do {
      try OrderedWorkers(workers: workers).run(
        next: { remaining.popFirst() },
        transform: { _, chart in
          RenderedReport.ChartFile(name: chart.name + ".png", png: try chart.png())
        },
        deliver: { files.append($0) })
    } catch ReportError.noFont {
      return ([], ["no charts as PNG: \(ReportError.noFont)"])
    } catch let error as ReportError {
      throw error
    } catch {
      throw .drawing("\(error)")
    }
    return (files.sorted { $0.name < $1.name }, [])
  }
}

/// The Content-Security-Policy of a page that can run only its own style and script.
struct ContentPolicy: Sendable {
  /// The exact text between the style tags.
  let style: String
  /// The exact text between the script tags.
  let script: String

  /// The policy as the content of the meta tag.
  var text: String {
    "default-src 'none'; img-src data:; style-src '\(Self.source(style))'; "
      + "script-src '\(Self.source(script))'; base-uri 'none'; form-action 'none'"
  }

  /// Returns `sha256-` followed by the digest in Base64.
  static func source(_ text: String) -> String {
    var hash = ContentHash()
    hash.update(text)
    return "sha256-" + Base64.text(of: hash.digest())
  }
}
