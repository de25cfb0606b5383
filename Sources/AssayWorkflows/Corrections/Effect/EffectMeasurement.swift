import AssayCore
package import AssayMetrics
package import AssayStore

/// Judges a run by the imported truth, too, and says what the corrections did.
package struct EffectMeasurement {
  private let corrected: Catalog
  private let imported: Catalog
  private let progress: any ProgressSink

  /// - Parameter catalog: one that reads the corrected truth.
  /// - Throws: `StoreError`.
  package init(catalog: Catalog, progress: any ProgressSink = NoProgress()) throws {
    corrected = catalog
    imported = try catalog.readingImported()
    self.progress = progress
  }

  /// - Parameters:
  ///   - judged: by the corrected truth, with its tally.
  ///   - settings: as it was judged.
  /// - Throws: ``EvaluationError``, `MetricError`, `StoreError`.
  package func effect(
    on judged: JudgedRun, _ tally: ClassificationTally, _ settings: EvaluationSettings
  ) throws -> CorrectionEffect {
    var effect = try self.effect(on: judged.run, settings)
    var asked = settings
    // Samples of classes that the run has no scores for are no matter of the corrections.
    asked.ignoresMissing = true
    guard effect.isAny else { return unmoved(effect, judged.samples.count) }
    let before = try RunJudge(catalog: imported).judge(judged.run.name, asked)
    let pairs = try SamplePairs.places(
      (before.name, before.samples), (judged.name, judged.samples))
    effect.shared = pairs.count
    effect.gained = judged.samples.count - pairs.count
    effect.relabelled = pairs.count { before.truths[$0.0] != judged.truths[$0.1] }
    let measured = try TruthEffect(
      first: before.tally(of: pairs.map(\.0), classes: judged.join.classes),
      second: tally.selecting(pairs.map(\.1)), scoring(settings, pairs.count))
    let whole = try ClassificationScores(before.tally(), ScoringSettings(intervals: nil))
    effect.moved = moved([.accuracy], measured) { whole[$0].value }
    return effect
  }

  /// Of masks.
  ///
  /// - Throws: ``SegmentationError``, ``EvaluationError``, ``RunMasksError``, ``Interrupted``,
  ///   `MetricError`, `StoreError`.
  package func effect(
    on judged: SegmentedRun, _ settings: EvaluationSettings
  ) throws -> CorrectionEffect {
    var effect = try self.effect(on: judged.run, settings)
    let kinds: [MetricKind] =
      judged.classes.labels.isBinary ? [.meanIoU, .meanDice] : [.miou, .mdice]
    guard effect.isAny else { return unmoved(effect, judged.samples.count) }
    let before = try touched(settings) {
      try SegmentationJudge(catalog: imported, progress: progress)
        .judge(RunReference(run: judged.run), $0)
    }
    let merge = try ImportedSide(
      judged.samples, before?.samples ?? [], touched: touchedSamples(of: judged.run))
    effect.take(merge)
    func tally(_ places: [ImportedSide.Place]) throws -> SegmentationTally {
      var tally = SegmentationTally(labels: judged.tally.labels)
      for place in places {
        switch place {
        case .judged(let index): try tally.add(judged.tally[index])
        case .before(let index): if let before { try tally.add(before.tally[index]) }
        }
      }
      return tally
    }
    let empty = judged.settings.masks.empty
    let measured = try TruthEffect(
      first: tally(merge.places), second: judged.tally.selecting(merge.shared), empty: empty,
      scoring(settings, merge.shared.count))
    let scores = try SegmentationScores(
      tally(merge.wholePlaces), empty: empty, ScoringSettings(intervals: nil))
    effect.moved = moved(kinds, measured) { scores[$0].value }
    return effect
  }

  /// Of a detector.
  ///
  /// - Throws: ``DetectionError``, ``EvaluationError``, ``Interrupted``, `MetricError`, `StoreError`.
  package func effect(
    on judged: DetectedRun, _ settings: EvaluationSettings
  ) throws -> CorrectionEffect {
    var effect = try self.effect(on: judged.run, settings)
    let kinds: [MetricKind] = [.ap, .ap50]
    guard effect.isAny else { return unmoved(effect, judged.samples.count) }
    let before = try touched(settings) {
      try DetectionJudge(catalog: imported, progress: progress)
        .judge(RunReference(run: judged.run), $0)
    }
    let merge = try ImportedSide(
      judged.samples, before?.samples ?? [], touched: touchedSamples(of: judged.run))
    effect.take(merge)
    func tally(_ places: [ImportedSide.Place]) throws -> DetectionTally {
      var tally = try DetectionTally(classCount: judged.classes.names.count, judged.matching)
      for place in places {
        switch place {
        case .judged(let index): try tally.add(judged.tally[index])
        case .before(let index): if let before { try tally.add(before.tally[index]) }
        }
      }
      return tally
    }
    let measured = try TruthEffect(
      first: tally(merge.places), second: judged.tally.selecting(merge.shared),
      scoring(settings, merge.shared.count))
    let scores = try DetectionScores(
      tally(merge.wholePlaces), ScoringSettings(intervals: nil))
    effect.moved = moved(kinds, measured) { scores[$0].value }
    return effect
  }

  /// How many corrections are about the samples that the run has predictions for, and which of these samples
  /// people left out.
  private func effect(
    on run: RunRecord, _ settings: EvaluationSettings
  ) throws -> CorrectionEffect {
    var effect = CorrectionEffect()
    effect.leftOut = try corrected.keysLeftOut(of: run, where: settings.filter)
    let counts = try imported.correctionCounts(
      of: imported.doneSamples(of: run.id, where: settings.filter).map(\.id))
    effect.corrections = counts.corrections
    effect.samples = counts.samples
    return effect
  }

  /// The samples that people corrected or left out, as conditions say it.
  private static let touched = "(corrected = true or left_out = true)"

  /// Judges by the imported truth only what can be another one by the corrected truth: counting the pixels of
  /// all samples again would take minutes.
  ///
  /// - Returns: `nil` where none of these samples can be judged by the imported truth.
  private func touched<Judged>(
    _ settings: EvaluationSettings, judge: (EvaluationSettings) throws -> Judged
  ) throws -> Judged? {
    var settings = settings
    settings.filter = settings.filter.map { "\(Self.touched) and (\($0))" } ?? Self.touched
    do {
      return try judge(settings)
    } catch EvaluationError.nothingToJudge {
      return nil
    }
  }

  private func touchedSamples(of run: RunRecord) throws -> Set<Int64> {
    Set(try imported.doneSamples(of: run.id, where: Self.touched).map(\.id))
  }

  private func unmoved(_ effect: CorrectionEffect, _ shared: Int) -> CorrectionEffect {
    var effect = effect
    effect.shared = shared
    return effect
  }

  private func moved(
    _ kinds: [MetricKind], _ measured: TruthEffect, before: (MetricKind) -> Double?
  ) -> [CorrectionEffect.Moved] {
    kinds.compactMap { kind in
      measured[kind].map { .init(kind: kind, difference: $0, before: before(kind)) }
    }
  }

  /// Intervals only where they are asked for: they take as long again as those of the numbers.
  private func scoring(_ settings: EvaluationSettings, _ count: Int) -> ScoringSettings {
    var settings = settings
    settings.intervals = settings.intervals ?? false
    return settings.scoring(samples: count)
  }
}

extension Catalog {
  /// The same catalog reading the imported truth; it still tells what was corrected.
  ///
  /// - Throws: `StoreError`.
  func readingImported() throws -> Catalog {
    guard truth.truth != nil else { return self }
    return try reading(
      TruthReading(marks: truth.marks, truth: nil, mirror: truth.mirror))
  }
}
