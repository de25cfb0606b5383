package import AssayCore
import AssayImaging
import AssayReports
package import AssayStore
import Foundation

/// The request of `assay actionshot`.
package struct ActionShotRequest: Sendable {
  /// The rule that chooses the frames.
  package enum Rule: Sendable {
    case apart(ActionShotRule)
    case book
  }

  /// A view of the catalog, or a folder of images.
  package var source: String
  /// The source of the subject's masks.
  package enum Masks: Sendable {
    /// A segmentation model, by its name.
    case model(String)
    /// A run with masks or regions, by its name; the frames are samples of its dataset.
    case run(String)
  }

  package var masks: Masks
  /// The class of the subject; `nil` for the model's only class, or `person`.
  package var className: String?
  package var rule: Rule
  /// The steps that refine each mask.
  package var refinements: [MaskRefinement]
  /// The words of the command up to the choice of frames, for the page.
  package var command: [String]

  package init(
    source: String, masks: Masks, className: String?, rule: Rule,
    refinements: [MaskRefinement], command: [String]
  ) {
    (self.source, self.masks, self.className) = (source, masks, className)
    (self.rule, self.refinements, self.command) = (rule, refinements, command)
  }

  /// ``command`` as a line for a shell.
  fileprivate var commandLine: String {
    command.map(ShellWord.quoted).joined(separator: " ")
  }
}

extension ActionShotRequest {
  /// The ordinal of the subject's class: of the named one, of the only candidate, or of `person`.
  ///
  /// - Parameters:
  ///   - candidates: ordinals of `classes`.
  ///   - owner: the model or the run in words.
  /// - Throws: ``ActionShotError/noClass(_:owner:classes:)``.
  static func subject(
    _ name: String?, among candidates: [Int], of classes: [String], owner: String
  ) throws(ActionShotError) -> Int {
    let found =
      name.map { name in candidates.first { classes[$0] == name } }
      ?? (candidates.count == 1
        ? candidates.first : candidates.first { classes[$0].lowercased() == "person" })
    guard let found else {
      throw .noClass(name, owner: owner, classes: candidates.map { classes[$0] })
    }
    return found
  }
}

extension ActionShotRequest.Masks {
  /// The model or the run, for the page.
  fileprivate var fact: FactGroup.Fact {
    switch self {
    case .model(let name): .init("Model", name)
    case .run(let name): .init("Run", name)
    }
  }
}

/// The result of an action shot.
package struct ActionShotOutcome: Sendable {
  /// The folder or the view, for people.
  package let source: String
  /// The frames' names in the order of time, with the decision about each.
  package let frames: [(name: String, verdict: FrameVerdict)]
  package let axis: TravelAxis?
  /// The finished picture, three channels.
  package let picture: Raster<UInt8>
  /// The maximum share of a chosen frame's mask that lies in that of another one, in 0...1; 0 for one frame.
  package let overlap: Double

  /// The chosen frames, oldest first, with their opacities.
  package var chosen: [(name: String, opacity: Double)] {
    frames.compactMap { frame in frame.verdict.opacity.map { (frame.name, $0) } }
  }
}

/// Makes a picture that shows a movement: the subject of several frames of a film in one of them.
package struct ActionShotWorkflow {
  private let catalog: Catalog
  private let progress: any ProgressSink
  private let workers: Int

  /// The maximum number of frames whose pictures the page contains, so that all can be chosen by hand there.
  private static let picturedLimit = 60

  package init(
    catalog: Catalog, progress: any ProgressSink = NoProgress(),
    workers: Int = ProcessInfo.processInfo.activeProcessorCount
  ) {
    (self.catalog, self.progress, self.workers) = (catalog, progress, workers)
  }

  /// Chooses the frames and draws them.
  ///
  /// - Parameter wantsPage: true to render the report as well.
  /// - Throws: ``ActionShotError``, ``Interrupted``, `InferenceError`, `StoreError`, `ReportError`.
  package func run(
    _ request: ActionShotRequest, wantsPage: Bool
  ) throws -> (outcome: ActionShotOutcome, page: [UInt8]?) {
    let source = try FrameSource.open(request.source, catalog)
    let isBook = if case .book = request.rule { true } else { false }
    let segmenter: any FrameMasks
    var scan: FrameSegmenter?
    switch request.masks {
    case .model(let name):
      progress.report(0, "compiling \(name)")
      let model = try FrameSegmenter(
        source, try catalog.model(named: name), className: request.className,
        refinements: isBook ? [] : request.refinements, isSquare: isBook, workers: workers)
      (segmenter, scan) = (model, model)
    case .run(let name):
      segmenter = try RunFrames(
        source, run: name, className: request.className, refinements: request.refinements,
        workers: workers, in: catalog)
    }
    let frames = try frames(of: source, segmenter)
    let choice: ActionShotRule.Choice
    switch request.rule {
    case .apart(let rule):
      let named = try rule.named(source.names)
      choice = named.choose(frames)
      for (frame, verdict) in zip(frames, choice.verdicts) where rule.names != nil {
        // The rejections of the others are what was asked for.
        guard named.names?.contains(frame.name) == true, case .rejected(let reason) = verdict
        else { continue }
        throw ActionShotError.unusableFrame(frame.name, reason: reason.description)
      }
    case .book:
      guard let scan else { throw ActionShotError.bookOfRun }
      choice = try BookRule.choose(source.names, boxes: boxes(of: source, scan))
    }
    let chosen = choice.verdicts.indices.filter { choice.verdicts[$0].opacity != nil }
    guard !chosen.isEmpty else {
      throw ActionShotError.nothingChosen(
        frames: frames.count, reasons: Self.reasons(choice.verdicts),
        canBeChosen: frames.contains { $0.mask != nil })
    }
    let picture = try draw(chosen, choice.verdicts, segmenter, isBook: isBook)
    let outcome = ActionShotOutcome(
      source: source.title, frames: Array(zip(source.names, choice.verdicts)), axis: choice.axis,
      picture: picture, overlap: Self.overlap(of: chosen.compactMap { frames[$0].mask }))
    guard wantsPage else { return (outcome, nil) }
    return (outcome, try page(outcome, request, segmenter))
  }

  private func frames(
    of source: FrameSource, _ segmenter: any FrameMasks
  ) throws -> [ActionFrame] {
    var frames: [ActionFrame] = []
    frames.reserveCapacity(source.names.count)
    try forEachFrame(source, segmenter, { try segmenter.frame(at: $0, worker: $1) }) {
      frames.append($0)
    }
    return frames
  }

  private func boxes(
    of source: FrameSource, _ segmenter: FrameSegmenter
  ) throws -> [BookRule.ScannedBox?] {
    var boxes: [BookRule.ScannedBox?] = []
    try forEachFrame(source, segmenter, { try segmenter.scannedBox(at: $0, worker: $1) }) {
      boxes.append($0)
    }
    return boxes
  }

  private func forEachFrame<Result: Sendable>(
    _ source: FrameSource, _ segmenter: any FrameMasks,
    _ find: @escaping @Sendable (Int, Int) throws -> Result, _ deliver: (Result) -> Void
  ) throws {
    var next = 0
    var done = 0
    try OrderedWorkers(workers: segmenter.workers).run(
      next: { () -> Int? in
        try Interruption.check("nothing was written")
        guard next < source.names.count else { return nil }
        defer { next += 1 }
        return next
      },
      transform: { worker, index in try find(index, worker) },
      deliver: { result in
        deliver(result)
        done += 1
        progress.report(Double(done) / Double(source.names.count), "finding the subject")
      })
  }

  /// The newest frame, with the chosen ones drawn on it, oldest first. The book draws all others over it.
  private func draw(
    _ chosen: [Int], _ verdicts: [FrameVerdict], _ segmenter: any FrameMasks, isBook: Bool
  ) throws -> Raster<UInt8> {
    guard let main = chosen.last else {
      throw ActionShotError.nothingChosen(frames: 0, reasons: [], canBeChosen: false)
    }
    var picture = try segmenter.segmented(at: main, worker: 0).raster
    for index in isBook ? chosen.dropLast() : chosen[...] {
      try Interruption.check("nothing was written")
      let frame = try segmenter.segmented(at: index, worker: 0)
      guard frame.raster.width == picture.width, frame.raster.height == picture.height else {
        throw ActionShotError.unusableFrame(
          segmenter.name(of: index), reason: "its size differs from that of the last frame")
      }
      Compositing.draw(
        frame.raster, through: frame.matte, opacity: verdicts[index].opacity ?? 1, over: &picture)
    }
    return picture
  }

  /// The reasons with their numbers of frames, most frequent first.
  private static func reasons(_ verdicts: [FrameVerdict]) -> [String] {
    var counts: [String: Int] = [:]
    for case .rejected(let reason) in verdicts { counts[reason.summary, default: 0] += 1 }
    return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(5).map {
      "\($0.key): \($0.value)"
    }
  }

  private static func overlap(of masks: [Mask]) -> Double {
    var largest = 0.0
    for (index, mask) in masks.enumerated() where !mask.isEmpty {
      for (other, second) in masks.enumerated() where other != index && second.size == mask.size {
        largest = max(
          largest, Double(mask.intersectionArea(with: second)) / Double(mask.area))
      }
    }
    return largest
  }

  private func page(
    _ outcome: ActionShotOutcome, _ request: ActionShotRequest, _ segmenter: any FrameMasks
  ) throws -> [UInt8] {
    let usable = outcome.frames.indices.filter { index in
      switch outcome.frames[index].verdict {
      case .chosen: true
      case .rejected(.fault), .rejected(.otherSize): false
      case .rejected(.tooSmall(let share)): share > 0
      case .rejected: true
      }
    }
    // The chosen frames first, then others spread over the film.
    let chosen = usable.filter { outcome.frames[$0].verdict.opacity != nil }
    let others = usable.filter { outcome.frames[$0].verdict.opacity == nil }
    let room = max(0, Self.picturedLimit - chosen.count)
    let step = max(1, (others.count + max(room, 1) - 1) / max(room, 1))
    let shown = Set(
      chosen + (room == 0 ? [] : stride(from: 0, to: others.count, by: step).map { others[$0] }))
    var cards: [ActionShotReport.Frame] = []
    for index in outcome.frames.indices {
      try Interruption.check("nothing was written")
      let (name, verdict) = outcome.frames[index]
      let text = if case .rejected(let reason) = verdict { reason.description } else { "" }
      var card = ActionShotReport.Frame(name: name, opacity: verdict.opacity, reason: text)
      if shown.contains(index) {
        let frame = try segmenter.segmented(at: index, worker: 0)
        let size = Resize.fitting(
          ImageSize(width: frame.raster.width, height: frame.raster.height),
          into: ImageSize(width: ActionShotReport.longest, height: ActionShotReport.longest))
        card.photo = Resize.area(frame.raster, to: size)
        card.matte = Resize.area(frame.matte, to: size)
      }
      cards.append(card)
    }
    let minOpacity: Double? =
      if case .apart(let rule) = request.rule { rule.minOpacity } else { nil }
    var settings: [FactGroup.Fact] = [.init("Rule", minOpacity == nil ? "book" : "apart")]
    if case .apart(let rule) = request.rule {
      settings += [
        .init("Smallest mask", "\(rule.minArea) of the picture"),
        .init("Largest overlap", "\(rule.maxOverlap) of the mask"),
        .init("Lowest opacity", "\(rule.minOpacity)"),
      ]
    }
    if !request.refinements.isEmpty {
      settings.append(
        .init("Masks refined by", request.refinements.map(\.text).joined(separator: ", ")))
    }
    settings.append(.init("Direction of travel", outcome.axis?.rawValue ?? "unknown"))
    return try ActionShotReport(
      source: outcome.source, picture: outcome.picture, frames: cards,
      command: request.commandLine,
      minOpacity: minOpacity,
      facts: [
        FactGroup("Data", [.init("Frames", outcome.source), request.masks.fact]),
        FactGroup("Settings", settings),
      ]
    ).render(workers: workers)
  }
}

extension FrameRejection {
  /// The reason without numbers and names.
  fileprivate var summary: String {
    switch self {
    case .fault: "images that cannot be read"
    case .otherSize: "another size"
    case .tooSmall(let share): share == 0 ? "nobody found" : "mask too small"
    case .cutOff(let edge): "cut off at the \(edge.rawValue) edge"
    case .overlaps: "overlapping masks"
    case .tooNear: "boxes too near"
    case .noBox: "no box"
    case .notNamed: "not named"
    }
  }
}

extension ActionShotRule {
  /// The rule with the full names of frames that were named: also without their suffixes, and several in one text
  /// with commas between them.
  ///
  /// - Throws: ``ActionShotError/unknownFrame(_:suggestion:)``.
  fileprivate func named(_ all: [String]) throws -> ActionShotRule {
    guard let names else { return self }
    let known = Set(all)
    var stems: [String: [String]] = [:]
    for name in all { stems[(name as NSString).deletingPathExtension, default: []].append(name) }
    func frame(_ name: String) -> String? {
      if known.contains(name) { return name }
      guard let found = stems[name], found.count == 1 else { return nil }
      return found[0]
    }
    var rule = self
    rule.names = Set(
      try names.flatMap { text -> [String] in
        // A name can contain commas.
        if let name = frame(text) { return [name] }
        return try text.split(separator: ",").map { part in
          if let name = frame(String(part)) { return name }
          throw ActionShotError.unknownFrame(
            String(part), suggestion: NearMiss.suggestion(for: String(part), among: all))
        }
      })
    return rule
  }
}
