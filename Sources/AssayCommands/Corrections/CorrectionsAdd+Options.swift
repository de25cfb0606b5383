package import ArgumentParser
import AssayCore
import AssayStore
package import AssayWorkflows

/// What a sample is to be.
package struct CorrectionOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("The class of the image; of one object with --object.", valueName: "class"))
  package var label: String?

  @Option(help: ArgumentHelp("The mask, a PNG.", valueName: "file"), completion: .file())
  package var mask: String?

  @Option(help: "The mask's class; where the dataset has one class, that.")
  package var category: String?

  @Flag(help: "A mask without a pixel is meant: nothing of the class is there.")
  package var empty = false

  @Flag(help: "With --mask: an object that was missing.")
  package var new = false

  @Option(help: "With --mask or --label: this object alone.")
  package var object: String?

  @Option(help: ArgumentHelp("Takes an object away.", valueName: "object"))
  package var remove: String?

  @Option(help: ArgumentHelp("What this run says becomes the truth.", valueName: "run"))
  package var take: String?

  @Option(help: "With --take of a detector: the least score of its objects. Default: 0.5.")
  package var score: Double?

  @Flag(help: "With --take: masks may be replaced by boxes, and all objects of a class may go.")
  package var dropMasks = false

  @Option(
    help: ArgumentHelp(
      """
      With --take, --mask or --from: parts of a mask that touch no object and have less than this share of \
      its pixels are dropped. Default: 0.001 with --take, else 0.
      """, valueName: "share"))
  package var minPart: Double?

  @Flag(help: "The truth is right as it stands.")
  package var accept = false

  @Option(help: ArgumentHelp("Leaves the sample out, with the reason.", valueName: "reason"))
  package var reject: String?

  @Flag(help: "Somebody else should look at it.")
  package var unsure = false

  @Flag(help: "The image cannot be used: leaves the sample out.")
  package var bad = false

  @Option(help: ArgumentHelp("Decides the conflict that this entry is of.", valueName: "entry"))
  package var conflict: Int64?

  @Option(
    help: ArgumentHelp(
      "With --conflict: this (the entry's version) or head (the one that counts).",
      valueName: "version"))
  package var keep: ConflictChoice?

  @Option(help: "Words to go with it, or alone.")
  package var note: String?

  package init() {}

  /// What becomes of the parts of a mask file that touch no object: every pixel counts unless --min-part is
  /// given.
  var parts: RegionParts { .few(smallestShare: minPart ?? 0) }

  /// The options given that say what it is to be.
  private var given: [String] {
    [
      ("--label", label != nil), ("--mask", mask != nil), ("--remove", remove != nil),
      ("--take", take != nil), ("--accept", accept), ("--reject", reject != nil),
      ("--unsure", unsure), ("--bad", bad), ("--conflict", conflict != nil),
    ].filter(\.1).map(\.0)
  }

  /// - Parameter isTable: whether a file says what the samples are to be.
  /// - Throws: `ValidationError`.
  func check(isTable: Bool) throws {
    let given = given
    if let minPart, !(0...1).contains(minPart) {
      throw ValidationError("--min-part takes a share of a mask's pixels, 0 to 1")
    }
    if isTable {
      guard given.isEmpty, object == nil, !new, keep == nil, score == nil, !dropMasks else {
        throw ValidationError("with --from the file says what the samples are to be")
      }
      return
    }
    guard given.count < 2 else {
      throw ValidationError("\(given.joined(separator: " and ")): one at a time")
    }
    guard !given.isEmpty || note != nil else {
      throw ValidationError(
        "say what the sample is to be: --label, --mask, --accept, --reject, … (--help)")
    }
    if category != nil, mask == nil, take == nil {
      throw ValidationError("--category goes with --mask or --take")
    }
    if empty || new, mask == nil { throw ValidationError("--empty and --new go with --mask") }
    if new, object != nil { throw ValidationError("--new and --object exclude each other") }
    if object != nil, mask == nil, label == nil {
      throw ValidationError("--object goes with --mask or --label; --remove takes one away")
    }
    if object != nil, category != nil {
      throw ValidationError("--object has its class; --object with --label changes that")
    }
    if score != nil, take == nil { throw ValidationError("--score goes with --take") }
    if dropMasks, take == nil { throw ValidationError("--drop-masks goes with --take") }
    if minPart != nil, take == nil, mask == nil || object != nil || new {
      throw ValidationError(
        "--min-part goes with --take, --from, or the --mask of a whole class")
    }
    if (conflict == nil) != (keep == nil) {
      throw ValidationError("--conflict ENTRY goes with --keep this or --keep head")
    }
  }

  /// What is wanted, as far as that can be told without the sample's truth.
  ///
  /// - Throws: `MaskFileError`, ``CorrectionBatchError``.
  func wanted(of sample: SampleRecord, _ work: CorrectionWork) throws -> WantedCorrection {
    var wanted = WantedCorrection(options: self)
    if let mask {
      wanted.mask = try MaskFile.read(mask)
      if object == nil { wanted.category = try work.maskCategory(category, of: sample) }
    }
    return wanted
  }
}

extension ConflictChoice: ExpressibleByArgument {}

/// A correction that was asked for.
struct WantedCorrection {
  let options: CorrectionOptions
  var mask: Mask?
  var category = ""

  /// Whether the person is done with the sample: a command is a whole visit, but for a note.
  var isDone: Bool {
    options.unsure || options.label != nil || mask != nil || options.remove != nil
      || options.take != nil || options.accept || options.reject != nil || options.bad
      || options.conflict != nil
  }

  /// - Throws: ``CorrectionError`` for an object or an entry that is not there.
  func change(_ truth: EffectiveTruth, key: String) throws -> CorrectionSave.Change {
    if let mask {
      if let object = options.object {
        return .object(
          target: try target(object, truth, key), after: mask, emptied: options.empty)
      }
      return options.new
        ? .add(category: category, mask)
        : .region(
          category: category, after: mask, emptied: options.empty, parts: options.parts)
    }
    if let label = options.label {
      return try options.object.map { .category(target: try target($0, truth, key), label) }
        ?? .label(label)
    }
    if let object = options.remove { return .remove(target: try target(object, truth, key)) }
    if let run = options.take {
      return .take(
        run: run, category: options.category, score: options.score,
        smallestShare: options.minPart, dropsMasks: options.dropMasks)
    }
    if let reason = options.reject { return .reject(reason) }
    if let conflict = options.conflict, let keep = options.keep {
      let entry = truth.history.first { $0.entry.sequence == conflict }?.entry
      guard let entry else { throw CorrectionError.noConflict("entry \(conflict)", key: key) }
      return .keep(conflict: entry.uuid, keep)
    }
    if options.accept { return .accept }
    if options.unsure { return .unsure }
    return options.bad ? .bad() : .note
  }

  private func target(
    _ name: String, _ truth: EffectiveTruth, _ key: String
  ) throws -> CorrectionTarget {
    guard let target = ObjectName.target(name, in: truth) else {
      throw CorrectionError.noObject(
        name, key: key, known: truth.objects.map { ObjectName.text($0.target, in: truth.history) })
    }
    return target
  }
}
