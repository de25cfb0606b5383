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
    let shown = outcome.kinds.map { kind in
      Array(outcome.findings(of: kind).prefix(CheckReport.findingLimit))
    }
    let ids = Set(shown.joined().flatMap { $0.samples.prefix(CheckReport.pictureLimit) })
    let samples = ids.sorted().compactMap { outcome.samples[$0] }
    let rasters = try pictures(
      of: samples, from: SampleImages(catalog: catalog, dataset: dataset))
    let groups = zip(outcome.kinds, shown).map { kind, findings in
      CheckReport.Group(
        kind: kind, findings: outcome.findings(of: kind).count,
        images: outcome.sampleCount(of: kind),
        shown: findings.map { finding in
          CheckReport.Finding(
            message: finding.message, count: finding.samples.count,
            pictures: finding.samples.prefix(CheckReport.pictureLimit).map { id in
              CheckReport.Picture(
                key: outcome.samples[id]?.key ?? "", raster: rasters[id],
                caption: [outcome.splits[id], outcome.labels[id]].compactMap(\.self)
                  .joined(separator: ", "))
            })
        })
    }
    let request = outcome.request
    let report = CheckReport(
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
          ] + (request.run.map { [.init("run", $0)] } ?? [])),
        FactGroup(
          "Thresholds",
          outcome.kinds.compactMap { kind in
            kind.row.threshold.map { .init(kind.row.title, $0) }
          }),
      ], notes: outcome.notes)
    return try report.render(workers: workers)
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
