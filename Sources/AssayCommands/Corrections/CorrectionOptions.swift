package import ArgumentParser
import AssayCore
import AssayStore
package import AssayWorkflows

/// The options that state a correction.
package struct CorrectionOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("The class of the image; of one object with --object.", valueName: "class"))
  package var label: String?

  @Option(
    help: ArgumentHelp("Add this class to the image's set of labels.", valueName: "class"))
  package var addLabel: [String] = []

  @Option(
    help: ArgumentHelp("Remove this class from the image's set of labels.", valueName: "class"))
  package var removeLabel: [String] = []

  @Option(help: ArgumentHelp("The mask, a PNG.", valueName: "file"), completion: .file())
  package var mask: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "A box in pixels: of the object named with --object, else a new one of the class --category.",
      valueName: "x,y,width,height"))
  package var box: BoxArgument?

  @Option(
    help: ArgumentHelp(
      "With --object: set a field of it, a text or JSON; null removes it. Repeat it for several.",
      valueName: "name=value"))
  package var set: [FieldArgument] = []

  @Option(help: "The class of the mask or the box. Default: the dataset's only class.")
  package var category: String?

  @Flag(help: "Accept an empty mask: the image has no object of the class.")
  package var empty = false

  @Flag(help: "With --mask: add a missing object.")
  package var new = false

  @Option(help: "With --mask, --box, --label or --set: change only this object.")
  package var object: String?

  @Option(help: ArgumentHelp("Remove this object.", valueName: "object"))
  package var remove: String?

  @Option(help: ArgumentHelp("Use this run's prediction as the ground truth.", valueName: "run"))
  package var take: String?

  @Option(
    help:
      "With --take of a detector or of sets of labels: the minimum score of what is taken. Default: 0.5."
  )
  package var score: Double?

  @Flag(
    help: "With --take: allow boxes in place of masks, and the removal of all objects of a class.")
  package var dropMasks = false

  @Option(
    help: ArgumentHelp(
      """
      With --take, --mask or --from: parts of a mask that touch no object and have less than this share of \
      its pixels are dropped. Default: 0.001 with --take, else 0.
      """, valueName: "share"))
  package var minPart: Double?

  @Flag(help: "Confirm the current ground truth.")
  package var accept = false

  @Option(help: ArgumentHelp("Exclude the sample, with the reason.", valueName: "reason"))
  package var reject: String?

  @Flag(help: "Mark the sample as unsure, for another person to check.")
  package var unsure = false

  @Flag(help: "Exclude the sample because the image is unusable.")
  package var bad = false

  @Option(help: ArgumentHelp("Resolve the conflict of this entry.", valueName: "entry"))
  package var conflict: Int64?

  @Option(
    help: ArgumentHelp(
      "With --conflict: this (the entry's version), head (the current version) or both (the changes of both, if they do not overlap).",
      valueName: "version"))
  package var keep: ConflictChoice?

  @Option(help: "A note, with a correction or alone.")
  package var note: String?

  package init() {}

  /// The rule for the parts of a mask file that touch no object: all are kept unless `--min-part`
  /// is given.
  var parts: RegionParts { .few(smallestShare: minPart ?? 0) }

  /// The given options that state the correction; only one is allowed.
  private var given: [String] {
    [
      ("--label", label != nil), ("--add-label", !addLabel.isEmpty),
      ("--remove-label", !removeLabel.isEmpty), ("--mask", mask != nil), ("--box", box != nil),
      ("--set", !set.isEmpty),
      ("--remove", remove != nil),
      ("--take", take != nil), ("--accept", accept), ("--reject", reject != nil),
      ("--unsure", unsure), ("--bad", bad), ("--conflict", conflict != nil),
    ].filter(\.1).map(\.0)
  }

  /// - Parameter isTable: `true` if the corrections come from a file.
  /// - Throws: `ValidationError`.
  func check(isTable: Bool) throws {
    let given = given
    if let minPart, !(0...1).contains(minPart) {
      throw ValidationError("--min-part must be a share of a mask's pixels, 0 to 1")
    }
    if isTable {
      guard given.isEmpty, object == nil, !new, keep == nil, score == nil, !dropMasks else {
        throw ValidationError(
          "--from reads the corrections from a file; leave out the other options")
      }
      return
    }
    guard addLabel.count < 2, removeLabel.count < 2 else {
      throw ValidationError("--add-label and --remove-label take one class; repeat the command")
    }
    guard given.count < 2 else {
      throw ValidationError("\(given.joined(separator: " and ")): only one is allowed")
    }
    guard !given.isEmpty || note != nil else {
      throw ValidationError(
        "no correction is given: expected --label, --mask, --accept, --reject, … (--help)")
    }
    if category != nil, mask == nil, box == nil, take == nil {
      throw ValidationError("--category needs --mask, --box or --take")
    }
    if empty || new, mask == nil { throw ValidationError("--empty and --new need --mask") }
    if new, object != nil { throw ValidationError("--new and --object exclude each other") }
    if object != nil, mask == nil, box == nil, label == nil, set.isEmpty {
      throw ValidationError(
        "--object needs --mask, --box, --label or --set; --remove deletes an object")
    }
    if !set.isEmpty, object == nil { throw ValidationError("--set needs --object") }
    if object != nil, category != nil {
      throw ValidationError("the object has a class; --object with --label changes it")
    }
    if score != nil, take == nil { throw ValidationError("--score needs --take") }
    if let score, !(0...1).contains(score) {
      throw ValidationError("--score is \(score); it must be from 0 to 1")
    }
    if dropMasks, take == nil { throw ValidationError("--drop-masks needs --take") }
    if minPart != nil, take == nil, mask == nil || object != nil || new {
      throw ValidationError(
        "--min-part needs --take, --from, or a --mask of all instances of a class")
    }
    if (conflict == nil) != (keep == nil) {
      throw ValidationError("--conflict ENTRY needs --keep this, --keep head or --keep both")
    }
  }

  /// The requested correction, as far as it is known without the sample's ground truth.
  ///
  /// - Throws: `MaskFileError`, ``CorrectionBatchError``.
  func wanted(of sample: SampleRecord, _ work: CorrectionSession) throws -> WantedCorrection {
    var wanted = WantedCorrection(options: self)
    if let mask {
      wanted.mask = try MaskFile.read(mask)
    }
    if mask != nil || box != nil, object == nil {
      wanted.category = try work.maskCategory(category, of: sample)
    }
    return wanted
  }
}

extension ConflictChoice: ExpressibleByArgument {}

/// A box on the command line: `x,y,width,height` in pixels.
package struct BoxArgument: ExpressibleByArgument, Sendable {
  let box: Box

  package init?(argument: String) {
    let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Double($0) }
    guard numbers.count == parts.count, let box = ObjectOutline.box(numbers) else { return nil }
    self.box = box
  }
}

/// A field on the command line: `name=value`, where the value is JSON or a text.
package struct FieldArgument: ExpressibleByArgument, Sendable {
  let member: JSONValue.Member

  package init?(argument: String) {
    guard let sign = argument.firstIndex(of: "="), sign != argument.startIndex else { return nil }
    let text = String(argument[argument.index(after: sign)...])
    member = .init(
      String(argument[..<sign]), Self.value(text))
  }

  /// A number, a truth value, another JSON value, or else the text as it is.
  private static func value(_ text: String) -> JSONValue {
    if let value = try? JSONValue(parsing: text) { return value }
    // A number that no Double holds, such as 1e400, must not become a text: it is refused as not finite.
    if let number = Double(text), number.isInfinite, text.contains(where: \.isNumber) {
      return .number(number)
    }
    return .string(text)
  }
}

/// A requested correction.
struct WantedCorrection {
  let options: CorrectionOptions
  var mask: Mask?
  var category = ""

  /// True if the person has finished the sample: a command is a complete visit, unless it only adds
  /// a note or sets fields of an object.
  var isDone: Bool {
    options.unsure || options.label != nil || !options.addLabel.isEmpty
      || !options.removeLabel.isEmpty || mask != nil || options.box != nil
      || options.remove != nil
      || options.take != nil || options.accept || options.reject != nil || options.bad
      || options.conflict != nil
  }

  /// - Throws: ``CorrectionError`` for an object or an entry that does not exist.
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
    if let box = options.box?.box {
      guard let object = options.object else { return .draw(category: category, .box(box)) }
      return .outline(target: try target(object, truth, key), .box(box))
    }
    if !options.set.isEmpty, let object = options.object {
      return .attributes(target: try target(object, truth, key), options.set.map(\.member))
    }
    if let label = options.label {
      return try options.object.map { .category(target: try target($0, truth, key), label) }
        ?? .label(label)
    }
    if let name = options.addLabel.first { return .addLabel(name) }
    if let name = options.removeLabel.first { return .removeLabel(name) }
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
