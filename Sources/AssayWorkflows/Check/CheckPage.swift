import AssayCore
import AssayImaging
import AssayReports
import AssayStore

extension CheckWorkflow {
  /// The report of a check as one HTML page.
  ///
  /// - Throws: `ReportError`, ``Interrupted``, `StoreError`.
  package func page(_ outcome: CheckOutcome) throws -> [UInt8] {
    let dataset = try catalog.dataset(named: outcome.dataset)
    let drawing = try FindingDrawing(
      catalog: catalog, dataset: dataset, classes: try catalog.taxonomy(of: dataset.id).names,
      run: try outcome.request.run.map { try RunReference($0, in: catalog) })
    let shown = outcome.kinds.map { kind in
      Array(outcome.findings(of: kind).prefix(CheckReport.findingLimit))
    }
    let drawn = try drawn(shown.flatMap(\.self), of: outcome, drawing)
    let ids = Set(shown.joined().flatMap { Self.pictured($0, of: outcome) })
    let samples = ids.sorted().compactMap { outcome.samples[$0] }
    let rasters = try pictures(of: samples, from: drawing.images)
    let groups = zip(outcome.kinds, shown).map { kind, findings in
      var group = CheckReport.Group(
        kind: kind, findings: outcome.findings(of: kind).count,
        images: outcome.sampleCount(of: kind),
        shown: findings.map { finding in
          let ids = Self.pictured(finding, of: outcome)
          return CheckReport.Finding(
            message: finding.message, count: finding.samples.count,
            samples: finding.samples.prefix(CheckReport.pictureLimit).map {
              outcome.samples[$0]?.key ?? ""
            },
            pictures: ids.enumerated().map { place, id in
              let role =
                kind == .outlier ? (place < finding.samples.count ? "outlier" : "neighbor") : nil
              return Self.picture(
                of: id, role, outcome, rasters[id], role == nil ? drawn[kind]?[id] : nil)
            })
        })
      group.legend = drawing.legend(of: kind)
      return group
    }
    return try report(outcome, dataset, groups).render(workers: workers)
  }

  /// - Parameter role: what the image is in its finding: an outlier or a neighbor; `nil` if all images
  ///   are the same in it.
  private static func picture(
    of sample: Int64, _ role: String?, _ outcome: CheckOutcome, _ raster: Raster<UInt8>?,
    _ drawn: FindingDrawing.Drawn?
  ) -> CheckReport.Picture {
    let label = drawn.flatMap { $0.caption.isEmpty ? nil : $0.caption } ?? outcome.labels[sample]
    var picture = CheckReport.Picture(
      key: outcome.samples[sample]?.key ?? "", raster: drawn?.raster ?? raster,
      caption: [role, outcome.splits[sample], label].compactMap(\.self).joined(separator: ", "))
    guard let drawn else { return picture }
    picture.cutouts = drawn.cutouts
    picture.frame = drawn.frame
    if drawn.raster != nil { picture.longest = CheckReport.drawnLongest }
    return picture
  }

  private func report(
    _ outcome: CheckOutcome, _ dataset: DatasetRecord, _ groups: [CheckReport.Group]
  ) -> CheckReport {
    let request = outcome.request
    return CheckReport(
      view: request.view, count: outcome.count, groups: groups,
      matrix: outcome.leakage.map {
        CheckReport.Matrix(splits: $0.splits, totals: $0.totals, counts: $0.counts)
      },
      facts: [
        FactGroup(
          "Data",
          [
            .init("dataset", outcome.dataset), .init("source", dataset.root),
            .init("format", dataset.formatText),
            .init("splits", request.partition.map { "parts of \($0)" } ?? "of the source"),
          ] + (request.run.map { [.init("run", $0)] } ?? [])
            + (request.features.map { [.init("features", $0)] } ?? [])),
        FactGroup(
          "Thresholds",
          outcome.kinds.compactMap { kind in
            kind.row.threshold.map { .init(kind.row.title, $0) }
          }),
      ], notes: outcome.notes)
  }

  /// The samples whose images are shown for a finding: its first ones, or its only one with its
  /// neighbors.
  private static func pictured(_ finding: FindingRecord, of outcome: CheckOutcome) -> [Int64] {
    let neighbors = outcome.evidence(of: finding)?.neighbors ?? []
    return finding.samples.prefix(CheckReport.pictureLimit) + neighbors
  }

  /// The drawings of the findings about one sample, by kind and the sample's row id.
  private func drawn(
    _ findings: [FindingRecord], of outcome: CheckOutcome, _ drawing: FindingDrawing
  ) throws -> [FindingKind: [Int64: FindingDrawing.Drawn]] {
    let findings = findings.filter { !drawing.isPlain($0.kind) && $0.samples.count == 1 }
    var drawn: [FindingKind: [Int64: FindingDrawing.Drawn]] = [:]
    var place = 0
    try OrderedWorkers(workers: workers).run(
      next: { () -> FindingRecord? in
        try Interruption.check("nothing was stored")
        guard place < findings.count else { return nil }
        defer { place += 1 }
        return findings[place]
      },
      transform: { _, finding in
        (
          finding,
          try outcome.samples[finding.samples[0]].flatMap {
            try drawing.drawn(finding.kind, $0, outcome.evidence(of: finding))
          }
        )
      },
      deliver: { finding, result in drawn[finding.kind, default: [:]][finding.samples[0]] = result }
    )
    return drawn
  }

  /// The images, reduced to the size of the page; those that cannot be read are missing.
  private func pictures(
    of samples: [SampleRecord], from images: SampleImages
  ) throws -> [Int64: Raster<UInt8>] {
    var rasters: [Int64: Raster<UInt8>] = [:]
    var start = 0
    let step = 8
    try OrderedWorkers(workers: workers).run(
      next: { () -> ArraySlice<SampleRecord>? in
        try Interruption.check("nothing was stored")
        guard start < samples.count else { return nil }
        defer { start += step }
        return samples[start..<min(start + step, samples.count)]
      },
      transform: { _, part in
        zip(part, try images.rasters(of: Array(part))).map { sample, raster in
          (
            sample.id,
            (try? raster.get()).map { raster in
              Resize.area(
                raster,
                to: Resize.fitting(
                  ImageSize(width: raster.width, height: raster.height),
                  into: ImageSize(width: CheckReport.longest, height: CheckReport.longest)))
            }
          )
        }
      },
      deliver: { part in for (id, raster) in part { rasters[id] = raster } })
    return rasters
  }
}
