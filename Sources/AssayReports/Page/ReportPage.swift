import AssayCore

/// The frame that every task's report shares: head, contents, sections in order, style and script.
struct ReportPage: Sendable {
  let title: String
  /// A line beneath the title: which run and evaluation.
  let subtitle: String
  /// In reading order.
  let sections: [any ReportSection]

  /// The page and its charts.
  ///
  /// - Throws: ``ReportError``.
  func render(workers: Int) throws(ReportError) -> RenderedReport {
    let templates = try PageTemplates()
    let builder = PageBuilder(workers: workers)
    var bodies: [String?] = Array(repeating: nil, count: sections.count)
    // The greedy section comes last, so that the limit never costs another one its pictures.
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
    let style = Ink.styleSheet + String(decoding: PackageResources.style_css, as: UTF8.self)
    let script = String(decoding: PackageResources.script_js, as: UTF8.self)
    let html = try templates.render(
      "page",
      [
        "title": title, "subtitle": subtitle, "sections": parts, "style": style, "script": script,
        "policy": ContentPolicy(style: style, script: script).text,
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
