import AssayCore
import AssayInference
import AssayMetrics
package import AssayStore

extension DecisionFile {
  /// Refuses a run that the decision was not made for.
  ///
  /// - Parameter file: the decision in messages.
  /// - Throws: ``DecisionError``.
  func check(for run: RunRecord, file: String) throws(DecisionError) {
    guard task == run.task else {
      throw .otherTask(file: file, task, run: run.name, run.task)
    }
    try check(model: run.model, run: run.name, file: file)
    try check(classes: run.classes, run: run.name, file: file)
    // Imports state the file that they read, which differs from run to run.
    guard run.model != nil else { return }
    try check(settings: run.plainSettings, run: run.name, file: file)
  }

  /// Refuses a model whose predictions with some settings are not those that the decision was made for.
  ///
  /// - Parameters:
  ///   - settings: those of a run of the model, without a decision.
  ///   - file: the decision in messages.
  /// - Throws: ``DecisionError``.
  func check(for model: ModelRecord, settings: String, file: String) throws(DecisionError) {
    let name = "the model \(model.name)"
    guard task == model.task else { throw .otherTask(file: file, task, run: name, model.task) }
    try check(model: model, run: name, file: file)
    try check(settings: settings, run: name, file: file)
  }

  func check(model: ModelRecord?, run: String, file: String) throws(DecisionError) {
    guard modelHash == model?.hash else {
      throw .otherModel(
        file: file, modelHash.map { "\(self.model ?? "?") (SHA-256 \($0.prefix(12))…)" }, run: run,
        model.map { "\($0.name) (SHA-256 \($0.hash.prefix(12))…)" })
    }
  }

  func check(classes others: [String], run: String, file: String) throws(DecisionError) {
    let (own, given) = (Set(classes), Set(others))
    guard own == given else {
      throw .otherClasses(
        file: file, classes.filter { !given.contains($0) }, run: run,
        others.filter { !own.contains($0) })
    }
  }

  func check(settings others: String, run: String, file: String) throws(DecisionError) {
    let (own, given) = (RunRecord.scoreSettings(settings), RunRecord.scoreSettings(others))
    guard own == given else {
      throw .otherSettings(file: file, own, run: run, given)
    }
  }

  /// The thresholds in the order of some classes; classes that the model does not have are never
  /// accepted.
  func acceptance(of names: [String]) -> AcceptanceRule {
    guard scope == .category else {
      let threshold = rules.first?.threshold
      let own = Set(classes)
      return AcceptanceRule(thresholds: names.map { own.contains($0) ? threshold : nil })
    }
    let pairs = rules.map { ($0.category ?? "", $0.threshold) }
    let thresholds = Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    return AcceptanceRule(thresholds: names.map { thresholds[$0] ?? nil })
  }

  /// The decision in a run's settings: its text, and the thresholds by class as queries read them.
  func recorded(text: String) -> JSONValue {
    let thresholds = zip(classes, acceptance(of: classes).thresholds).map { name, threshold in
      JSONValue.Member(name, JSONValue(threshold.map(Double.init)))
    }
    return [
      "file": .string(text), "accept": method == .conformal ? .null : .object(thresholds),
    ]
  }

  /// A note that some of a run's samples are those that the decision was made on; empty if none are.
  func overlapNotes(_ run: RunRecord, where filter: String?, in catalog: Catalog) -> [String] {
    let both = filter.map { "(\(self.filter)) and (\($0))" } ?? self.filter
    // The expression can name a partition or a run that no longer exists.
    guard run.dataset.name == dataset, let selection = try? catalog.resolve(view),
      let known = try? catalog.samples(in: selection, limit: nil),
      let found = try? catalog.doneSamples(of: run.id, where: both)
    else { return [] }
    let own = Set(known.map(\.id))
    let shared = found.count { own.contains($0.id) }
    guard shared > 0 else { return [] }
    return [
      "\(Counted.text(shared, "sample is", "samples are")) among those that the decision was made on "
        + "(\(self.filter)): the risk on them is optimistic"
    ]
  }

  /// One sentence on what the decision promises and where it is from.
  var note: String {
    "decision from \(run) (\(filter), \(samples) samples): \(promise)"
  }
}

extension RunRecord {
  /// The decision that the run was predicted with; `nil` for none.
  ///
  /// - Throws: `InferenceError` for a text that cannot be read.
  func ownDecision() throws(InferenceError) -> DecisionFile? {
    guard let text = Self.decisionText(settings) else { return nil }
    return try DecisionFile(yaml: text, path: "the decision of run \(name)")
  }

  /// The text of the decision in settings of a run; `nil` for none.
  static func decisionText(_ settings: String) -> String? {
    guard settings.contains(decisionKey) else { return nil }
    return (try? JSONValue(parsing: settings))?[decisionKey]?["file"]?.text
  }

  /// The predictions that a recorded decision is about.
  enum DecisionSubject {
    case predictions
    /// The labels that a classifier of a pipeline gives to the run's objects.
    case labels
  }

  /// The key of the decision on the labels of a pipeline's objects.
  static let labelDecisionKey = "label_decision"
  /// The key of the pipeline's run that a run of labels was made of.
  static let labelsOfKey = "labels_of"

  /// Settings with a decision.
  static func settings(
    _ settings: String, deciding decision: DecisionFile, text: String,
    of subject: DecisionSubject = .predictions
  ) throws -> String {
    let members = try JSONValue(parsing: settings).members ?? []
    let key = subject == .labels ? labelDecisionKey : decisionKey
    return JSONValue.object(members + [.init(key, decision.recorded(text: text))]).text()
  }

  /// The decision that the run was predicted with, in a few words; `nil` for none.
  package var decisionWords: String? {
    guard settings.contains(Self.decisionKey),
      (try? JSONValue(parsing: settings))?[Self.decisionKey] != nil
    else { return nil }
    guard let decision = try? ownDecision() else { return "unreadable" }
    return
      "\(decision.method.rawValue), risk \(decision.risk), per \(decision.scope.rawValue), from "
      + "\(decision.run) (\(decision.filter))"
  }

  /// The settings without the decision, on which the scores do not depend.
  package var plainSettings: String { Self.plain(settings) }

  /// Settings of a run without a decision.
  static func plain(_ settings: String) -> String {
    guard settings.contains(decisionKey) else { return settings }
    return without([decisionKey, labelDecisionKey], settings)
  }

  /// The settings that scores depend on: those without decisions, and without the name of the run that labels are of.
  static func scoreSettings(_ settings: String) -> String {
    let plain = plain(settings)
    return plain.contains("\"\(labelsOfKey)\"") ? without([labelsOfKey], plain) : plain
  }

  private static func without(_ keys: [String], _ settings: String) -> String {
    guard let members = (try? JSONValue(parsing: settings))?.members else { return settings }
    return JSONValue.object(members.filter { !keys.contains($0.name) }).text()
  }
}
