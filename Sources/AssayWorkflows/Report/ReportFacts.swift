import AssayCore
import AssayMetrics
import AssayReports
import AssayStore

/// What was evaluated and how, as a report prints it.
struct ReportFacts {
  let judged: JudgedRun
  let settings: EvaluationSettings

  var groups: [FactGroup] { [data, model, run, evaluation].filter { !$0.facts.isEmpty } }

  private var data: FactGroup {
    let dataset = judged.run.dataset
    let file = dataset.root.split(separator: "/").last.map(String.init) ?? dataset.root
    var facts = [
      FactGroup.Fact("Dataset", "\(dataset.name) (\(dataset.format.rawValue))"),
      .init("Source", file),
      .init("View", judged.run.view),
      .init("Samples judged", NumberText.count(judged.samples.count)),
    ]
    facts += judged.leftOut.reasons.map { .init("Left out", $0) }
    facts.append(
      .init(
        "Truth",
        judged.evaluation == nil
          ? "the labels as imported" : "the labels that the evaluation has kept"))
    facts.append(.init("Import", "version \(dataset.importVersion), \(dataset.importedAt)"))
    if let hash = dataset.inputHash { facts.append(.init("Source’s SHA-256", hash)) }
    return FactGroup("Data", facts)
  }

  private var model: FactGroup {
    guard let model = judged.run.model else {
      return FactGroup("Model", [.init("Predictions", "imported")])
    }
    let file = model.path.split(separator: "/").last.map(String.init) ?? model.path
    return FactGroup(
      "Model",
      [
        .init("Model", model.name), .init("Task", model.task.rawValue), .init("File", file),
        .init("SHA-256", model.hash),
      ])
  }

  private var run: FactGroup {
    FactGroup(
      "Run",
      [.init("Run", judged.run.name), .init("Date", judged.run.createdAt)]
        + Self.facts(in: judged.run.settings) + Self.facts(in: judged.run.versions))
  }

  private var evaluation: FactGroup {
    var facts: [FactGroup.Fact] = []
    if let stored = judged.evaluation {
      facts += [.init("Evaluation", stored.name), .init("Date", stored.createdAt)]
    }
    if let filter = settings.filter { facts.append(.init("Only where", filter)) }
    if let rule = settings.abstention {
      facts.append(
        .init(
          "Answered from",
          "confidence \(NumberText.short(rule.accept)), margin \(NumberText.short(rule.margin))"))
    }
    let bootstrap = Bootstrap(seed: settings.seed)
    facts.append(
      .init(
        "Intervals",
        settings.makesIntervals(of: judged.samples.count)
          ? "95 %: Wilson for plain rates, else \(NumberText.count(bootstrap.draws)) bootstrap draws, "
            + "seed \(bootstrap.seed)" : "none"))
    facts.append(.init("Calibration", Calibration.rule))
    facts.append(
      .init("Undefined", "left out of means, with “defined of total” beside them; printed as –"))
    return FactGroup("Evaluation", facts)
  }

  /// The members of a stored JSON object, one fact each.
  private static func facts(in text: String) -> [FactGroup.Fact] {
    guard case .object(let members)? = try? JSONValue(parsing: text) else { return [] }
    return members.map { member in
      FactGroup.Fact(
        member.name.replacing("_", with: " "), member.value.text ?? member.value.text())
    }
  }
}
