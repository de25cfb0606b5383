import AssayCore
import AssayStore
import AssayTestSupport
import Foundation
import Testing

import AssayWorkflows

/// Tests how soon a review shows planted label errors among the digits of the demo.
@Suite struct PlantedErrorsTests {
  /// The labels and the network's scores of the test split, which it was not trained on.
  private static func digits() throws -> (
    labels: [String], scores: [[Float]], classes: [String]
  ) {
    let world = try PredictCatalog()
    let root = PackageFolder.url("Datasets")
    var request = ImportRequest(root.appending(path: "digits/digits.csv.gz").path)
    request.name = "digits"
    _ = try DatasetImport(request).run(catalogPath: world.catalog.path, progress: NoProgress())
    _ = try ModelAddition(
      modelPath: root.appending(path: "digits/digits.onnx").path,
      manifestPath: root.appending(path: "models/digits.yaml").path, name: "cnn"
    ).run(catalogPath: world.catalog.path)
    _ = try world.predict("cnn", view: "digits/test") { $0.name = "r" }
    let names = try world.catalog.taxonomy(of: world.catalog.resolve("digits").dataset.id).names
    let run = try world.catalog.run(named: "r")
    let predictions = try world.catalog.predictions(of: run.id)
    return (
      try predictions.map { names[try #require($0.sample.category)] }, predictions.map(\.scores),
      run.classes
    )
  }

  @Test(
    "Most of the first samples are the ones whose labels were changed",
    .openVINO, arguments: [1, 2, 3] as [UInt64])
  func planted(seed: UInt64) throws {
    let (labels, scores, classes) = try Self.digits()
    #expect(labels.count == 359)
    var random = SplitMix64(seed: seed)
    let chosen = labels.indices.shuffled(using: &random).prefix(18)
    var changed = labels
    for index in chosen {
      changed[index] = classes.filter { $0 != labels[index] }.randomElement(using: &random) ?? ""
    }
    let world = try EvaluateCatalog()
    try world.importFaces(changed, classes: classes)
    try world.run("r1", classes: classes, scores)
    let ranked = try RankedKeys(["r1"], in: world.catalog, order: .disagreement)
    let planted = Set(chosen.map { "\($0)" })
    let found = ranked.keys.prefix(18).count { planted.contains($0) }
    // 5 % of the labels are wrong, so a random draw would find 1 of 18. The network itself is wrong
    // in some cases.
    #expect(found >= 15, "found \(found) of 18 among the first 18")
    let soon = ranked.keys.prefix(36).count { planted.contains($0) }
    #expect(soon >= 17, "found \(soon) of 18 among the first 36")
    #expect(ranked.reasons[0].contains(", predicted "))
  }

  /// The number of planted errors among the first `count` samples of an order, from the smallest
  /// score.
  private func found(_ scores: [Double], _ count: Int, _ planted: Set<Int>) -> Int {
    scores.indices.sorted { (scores[$0], $0) < (scores[$1], $1) }.prefix(count)
      .count { planted.contains($0) }
  }

  @Test(
    "With 10 % planted errors as many are among the first as by the best label quality score",
    .openVINO, arguments: [1, 2, 3] as [UInt64])
  func bestScore(seed: UInt64) throws {
    let (labels, scores, classes) = try Self.digits()
    var random = SplitMix64(seed: seed)
    let planted = Set(labels.indices.shuffled(using: &random).prefix(36))
    var changed = labels
    for index in planted.sorted() {
      changed[index] = classes.filter { $0 != labels[index] }.randomElement(using: &random) ?? ""
    }
    let world = try EvaluateCatalog()
    try world.importFaces(changed, classes: classes)
    try world.run("r1", classes: classes, scores)
    let ranked = try RankedKeys(["r1"], in: world.catalog, order: .disagreement)
    // cleanlab's quality scores: the label's probability, and its margin over the largest other
    // one.
    let own = try labels.indices.map { index in
      Double(scores[index][try #require(classes.firstIndex(of: changed[index]))])
    }
    let margin = try labels.indices.map { index in
      let label = try #require(classes.firstIndex(of: changed[index]))
      let other = scores[index].indices.filter { $0 != label }.map { scores[index][$0] }.max()
      return own[index] - Double(other ?? 0)
    }
    for count in [18, 36, 72] {
      let ours = ranked.keys.prefix(count).count { planted.contains(Int($0) ?? -1) }
      #expect(ours >= max(found(own, count, planted), found(margin, count, planted)))
    }
  }
}
