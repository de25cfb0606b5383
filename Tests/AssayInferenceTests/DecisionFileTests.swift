import AssayCore
import Testing

@testable import AssayInference

@Suite struct DecisionFileTests {
  private func decision(
    _ classes: [String] = ["cat", "dog & co # TODO {[", "ein \"Fuchs\"\u{2028}\\"]
  ) -> DecisionFile {
    var rule = DecisionFile.Rule(category: classes[0], threshold: 0.72, samples: 300)
    (rule.accepted, rule.errors, rule.upper, rule.confidence) = (
      210, 12, 0.0981, 0.991_666_666_666_666_6
    )
    let others = classes.dropFirst().map { name in
      var other = DecisionFile.Rule(category: name, threshold: nil, samples: 12)
      other.reason = "12 predictions; at least 67 without error are needed"
      return other
    }
    return DecisionFile(
      task: .classification, method: .clopperPearson, scope: .category, risk: 0.1,
      confidence: 0.95, promise: "with a confidence of 0.95: at most 0.1", run: "r1", model: "m",
      modelHash: String(repeating: "a0", count: 32), settings: "{\"precision\":\"f32\"}",
      dataset: "faces", datasetImport: 2, datasetHash: "ab", view: "faces/val",
      filter: "split = \"val\"", groundTruth: "imported", samples: 500,
      samplesHash: String(repeating: "b", count: 64), classes: classes, rules: [rule] + others)
  }

  @Test("A file is read back as it was written, also with strange names")
  func roundTrip() throws {
    let decision = decision()
    #expect(try DecisionFile(yaml: decision.yaml, path: "d.yaml") == decision)
    var all = decision
    all.scope = .all
    all.rules = [decision.rules[0]]
    all.rules[0].category = nil
    #expect(try DecisionFile(yaml: all.yaml, path: "d.yaml") == all)
    var sets = all
    (sets.method, sets.confidence) = (.conformal, nil)
    sets.rules = [DecisionFile.Rule(category: nil, threshold: 0.083_333_336, samples: 40)]
    (sets.model, sets.modelHash) = (nil, nil)
    #expect(try DecisionFile(yaml: sets.yaml, path: "d.yaml") == sets)
  }

  @Test("Rules are in the order of the classes, whatever their order in the file")
  func order() throws {
    let decision = decision()
    var turned = decision
    turned.rules.reverse()
    #expect(try DecisionFile(yaml: turned.yaml, path: "d.yaml") == decision)
    #expect(decision.rule(of: "cat")?.threshold == 0.72)
    #expect(decision.rule(of: "fox") == nil)
  }

  @Test(
    "What is wrong is said with its key",
    arguments: [
      ("kind: assay-decision", "kind: pipeline", "kind"),
      ("version: 1", "version: 2", "“version” is 2"),
      ("risk: 0.1\n", "risk: 1.5\n", "“risk” is 1.5"),
      ("risk: 0.1\n", "", "“risk” is missing"),
      ("risk: 0.1\n", "risk: 0.1\nrisky: 2\n", "unknown key “risky”"),
      ("method: clopper-pearson", "method: conformal", "confidence"),
      ("method: clopper-pearson", "method: hope", "“method” is “hope”"),
      ("threshold: 0.72", "threshold: 1.2", "“threshold” is 1.2"),
      ("threshold: 0.72", "threshold: nan", "“threshold” is nan"),
      ("errors: 12,", "errors: 211,", "“errors” is 211"),
      ("accepted: 210,", "accepted: 301,", "“accepted” is 301"),
      ("accepted: 210, ", "", "“accepted” is missing"),
      ("{class: \"cat\", ", "{class: \"cow\", ", "“class” is “cow”"),
      ("{class: \"cat\", ", "{", "“class” is missing"),
      ("per: class", "per: all", "unknown key “class”"),
      ("a0a0", "zz", "model-hash"),
      ("classes: [\"cat\", ", "classes: [\"cat\", \"cat\", ", "cat"),
      ("classes: [\"cat\", ", "classes: [\"cat\", \"bee\", ", "class: bee"),
      ("samples: 500", "samples: many", "“samples” is many"),
    ])
  func faults(_ old: String, _ new: String, _ message: String) throws {
    let text = decision().yaml
    let changed = text.replacing(old, with: new, maxReplacements: 1)
    #expect(changed != text)
    var problem = ""
    do throws(InferenceError) {
      _ = try DecisionFile(yaml: changed, path: "d.yaml")
    } catch {
      problem = "\(error)"
    }
    #expect(problem.contains(message) && problem.contains("d.yaml"), "\(problem)")
  }

  @Test("Damaged files are errors, never traps")
  func damaged() {
    let bytes = Array(decision().yaml.utf8)
    var random = SplitMix64(seed: 3)
    for _ in 0..<300 {
      var damaged = bytes
      for _ in 0...(random.next() % 4) {
        damaged[Int(random.next() % UInt64(damaged.count))] = UInt8(random.next() % 128)
      }
      _ = try? DecisionFile(yaml: String(decoding: damaged, as: UTF8.self), path: "d.yaml")
    }
  }
}
