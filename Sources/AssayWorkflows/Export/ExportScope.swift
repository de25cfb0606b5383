import AssayCore
package import AssayStore

/// The samples that an export writes, and what people corrected in them.
package struct ExportScope: Sendable {
  /// As typed.
  package let view: String
  package let dataset: DatasetRecord
  /// In the order of the catalog.
  package let samples: [SampleRecord]
  /// `nil` where the truth is the imported one.
  package let corrections: ExportCorrections?

  /// The samples of a view by the truth that the catalog gives.
  ///
  /// - Throws: ``ExportError/noSamples(view:)``, `StoreError`.
  package init(_ view: String, in catalog: Catalog) throws {
    let selection = try catalog.resolve(view)
    self.view = view
    dataset = selection.dataset
    samples = try catalog.samples(in: selection)
    corrections = nil
    guard !samples.isEmpty else { throw ExportError.noSamples(view: view) }
  }

  init(
    view: String, dataset: DatasetRecord, samples: [SampleRecord], corrections: ExportCorrections
  ) {
    self.view = view
    self.dataset = dataset
    self.samples = samples
    self.corrections = corrections
  }

  /// Warnings about training with these samples, one sentence each.
  package var warnings: [String] { corrections?.warnings(on: samples) ?? [] }

  /// The correction of a sample; `nil` if there is none, or if it does not matter.
  func correction(of sample: SampleRecord) -> SampleCorrection? {
    corrections?.samples[sample.id]
  }

  /// The training weight of a sample: 1, or the requested one if it was corrected.
  func weight(of sample: SampleRecord) -> Double {
    correction(of: sample) == nil ? 1 : corrections?.request.weight ?? 1
  }
}

/// The options of an export of corrected samples.
package struct CorrectedExportRequest: Hashable, Sendable {
  /// Only samples whose truth was corrected.
  package var onlyCorrected = false
  /// Only samples whose truth was changed by an entry after this one.
  package var since: Int64?
  /// The weight of corrected samples in the manifest; that of others is 1.
  package var weight = 1.0

  package init() {}
}

/// The corrections behind an export.
package struct ExportCorrections: Sendable {
  /// The ledger, and its entry up to which the truth goes.
  package struct LedgerState: Hashable, Sendable {
    package var uuid: String
    package var sequence: Int64
    /// Of that entry, hexadecimal; empty where there is none.
    package var hash: String

    package init(uuid: String, sequence: Int64, hash: String) {
      self.uuid = uuid
      self.sequence = sequence
      self.hash = hash
    }
  }

  package var request: CorrectedExportRequest
  /// `nil` where nobody has corrected anything yet.
  package var ledger: LedgerState?
  /// The corrected samples that are written, by id.
  package var samples: [Int64: SampleCorrection]
  /// Samples of the view that people left out, and why.
  package var leftOut: [LeftOutSample]
  /// Samples of the view that are not written as nothing, or nothing since then, was corrected.
  package var uncorrected = 0

  package init(
    request: CorrectedExportRequest, ledger: LedgerState?, samples: [Int64: SampleCorrection],
    leftOut: [LeftOutSample]
  ) {
    self.request = request
    self.ledger = ledger
    self.samples = samples
    self.leftOut = leftOut
  }

  /// Warnings about training with these samples, one sentence each.
  ///
  /// A correction in a split that models are chosen or judged by changes what earlier numbers meant.
  func warnings(on samples: [SampleRecord]) -> [String] {
    var counts: [String: Int] = [:]
    for sample in samples where self.samples[sample.id] != nil {
      if let split = sample.split, SplitName.isHeldOut(split) { counts[split, default: 0] += 1 }
    }
    return counts.keys.sorted(by: SplitName.precedes).map { split in
      let count = counts[split] ?? 0
      return """
        \(count) corrected \(count == 1 ? "sample is" : "samples are") in the split \(split): numbers \
        from before the corrections do not compare with numbers from after them, and training with \
        \(count == 1 ? "it" : "them") spoils that split
        """
    }
  }
}
