import AssayCore
import AssayImaging
import AssayInference
import AssayStore
import AssayTestSupport
import Foundation
import Testing

import AssayWorkflows

@Suite("Predicting regions", .openVINO)
struct SegmentationPredictionTests {
  @Test("A run keeps each picture's map, and its mask in numbers")
  func run() throws {
    let shapes = try MaskCatalog(count: 20)
    try shapes.add()
    let summary = try shapes.predict()
    #expect(summary.start == .new && summary.computed == 20 && summary.verified > 0)
    #expect(summary.shared == ["thing"] && summary.missing.isEmpty)
    let run = summary.run
    #expect(run.task == .segmentation && run.classes == ["thing"] && run.done == 20)
    let recipe = try #require(SegmentationRecipe(settings: run.settings))
    #expect(recipe.threshold == 0.5 && recipe.keepsMaps && recipe.resize == .stretch)
    let input = ImageSize(width: 4, height: 4)
    let plan = ResizePlan(.stretch, from: shapes.size, to: input)
    let predictions = try shapes.catalog.maskPredictions(of: run.id)
    let (maps, masks) = (try shapes.maps(run.name), try shapes.masks(run.name))
    for number in 0..<20 {
      // The model returns its input, which is the resized image.
      let seen = plan.apply(to: MaskCatalog.picture(number, shapes.size))
      #expect(maps[number].map(\.bytes) == [seen.elements])
      let map = ProbabilityMap(seen, plan: plan)
      let field = map.field()
      let mask = field.mask(at: 0.5)
      #expect(masks[number].masks.map(\.mask) == [mask] && masks[number].void == nil)
      let stored = predictions[number].masks
      #expect(stored.map(\.area) == [mask.area] && stored[0].counts == nil)
      #expect(stored[0].meanInside == field.mean(inside: mask))
      #expect(stored[0].meanDistance == map.meanDistance)
    }
    #expect(predictions.contains { $0.masks[0].area > 0 && $0.masks[0].area < 384 })
    #expect(predictions.contains { $0.masks[0].area == 0 && $0.masks[0].meanInside == nil })
  }

  @Test("Neither the batch size nor the number of workers changes a bit")
  func determinism() throws {
    let shapes = try MaskCatalog(count: 60)
    try shapes.add()
    try shapes.predict { ($0.batch, $0.workers, $0.name) = (1, 1, "a") }
    try shapes.predict { ($0.batch, $0.workers, $0.name) = (7, 2, "b") }
    try shapes.predict { $0.name = "c" }
    let maps = try shapes.maps("a").map { $0.map(\.bytes) }
    #expect(maps.count == 60)
    for name in ["b", "c"] { #expect(try shapes.maps(name).map { $0.map(\.bytes) } == maps) }
  }

  @Test("The same again is already done; without maps it is another run")
  func again() throws {
    let shapes = try MaskCatalog()
    try shapes.add()
    let first = try shapes.predict()
    let again = try shapes.predict { $0.name = first.run.name }
    #expect(again.start == .alreadyDone && again.run == first.run && again.shared == ["thing"])
    let other = try shapes.predict { $0.keepsMaps = false }
    #expect(other.start == .new && other.run.name != first.run.name)
  }

  @Test("Without maps the masks are the same, and other thresholds are refused")
  func noMaps() throws {
    let shapes = try MaskCatalog(count: 9)
    try shapes.add(resize: "center-crop", more: "threshold: 0.2")
    try shapes.predict { $0.name = "maps" }
    try shapes.predict { ($0.name, $0.keepsMaps) = ("masks", false) }
    let masks = try shapes.masks("masks")
    #expect(try masks == shapes.masks("maps") && masks.count == 9)
    #expect(masks.allSatisfy { $0.void != nil } && masks.contains { !$0.masks[0].mask.isEmpty })
    #expect(try shapes.masks("masks", threshold: 0.2) == masks)
    #expect(throws: RunMasksError.noMaps(run: "masks", own: 0.2)) {
      try shapes.masks("masks", threshold: 0.3)
    }
    #expect(try shapes.masks("maps", threshold: 0.3) != masks)
    let stored = { try shapes.catalog.maskPredictions(of: shapes.catalog.run(named: $0).id) }
    let (one, other) = (try stored("masks"), try stored("maps"))
    #expect(one.map { $0.masks.map(\.area) } == other.map { $0.masks.map(\.area) })
    #expect(one.map { $0.masks.map(\.meanInside) } == other.map { $0.masks.map(\.meanInside) })
  }

  /// A run on the same samples, the first few of which are stored with another run's results.
  private func cut(_ shapes: MaskCatalog, _ whole: RunRecord, flip: Bool = false) throws {
    let samples = try shapes.samples
    let cut = try shapes.catalog.createRun(
      RunDraft(
        name: "cut", model: whole.model?.id, task: .segmentation, dataset: whole.dataset.id,
        view: "shapes", settings: whole.settings, classes: whole.classes,
        samples: samples.map(\.id)))
    let predictions = try shapes.catalog.maskPredictions(of: whole.id)
    var maps = try shapes.maps(whole.name)
    if flip {
      var bytes = maps[1][0].bytes
      bytes[5] ^= 1
      maps[1][0] = ProbabilityMapRecord(class: 0, width: 4, height: 4, bytes: bytes)
    }
    try shapes.catalog.record(
      (0..<3).map {
        SampleMasks(sample: samples[$0].id, masks: predictions[$0].masks, maps: maps[$0])
      }, in: cut.id)
  }

  @Test("An interrupted run goes on where it stopped, and ends with the same bits")
  func resumed() throws {
    let shapes = try MaskCatalog(count: 12)
    try shapes.add()
    let whole = try shapes.predict().run
    try cut(shapes, whole)
    let summary = try shapes.predict { $0.name = "cut" }
    #expect(summary.start == .resumed && summary.computed == 9 && summary.run.done == 12)
    #expect(
      try shapes.maps("cut").map { $0.map(\.bytes) }
        == shapes.maps(whole.name).map { $0.map(\.bytes) })
  }

  @Test("A run whose stored map is not what is computed now is not gone on with")
  func storedDiffers() throws {
    let shapes = try MaskCatalog(count: 12)
    try shapes.add()
    try cut(shapes, try shapes.predict().run, flip: true)
    let error = #expect(throws: PredictError.self) { try shapes.predict { $0.name = "cut" } }
    guard case .storedDiffers("cut", let reason) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(reason.contains("1.png"))
  }

  @Test("A missing file, and a picture of another size than the dataset says, are failures")
  func failures() throws {
    let shapes = try MaskCatalog(count: 6, broken: [2])
    try shapes.add()
    let summary = try shapes.predict()
    #expect(summary.run.done == 5 && summary.failures.map(\.position) == [2])
    let wrong = try MaskCatalog(count: 2, stated: ImageSize(width: 16, height: 24))
    try wrong.add()
    let error = #expect(throws: PredictError.self) { try wrong.predict() }
    #expect(error.map { "\($0)" }?.contains("24×16 pixels, the dataset states 16×24") == true)
  }

  @Test("Of several classes each pixel is the likeliest's, and the background's are nobody's")
  func several() throws {
    let shapes = try MaskCatalog(count: 8)
    try shapes.add("mask_classes", classes: "[thing, background, other]")
    let summary = try shapes.predict("mask_classes")
    #expect(summary.shared == ["thing", "other"])
    #expect(summary.recipe?.isBinary == false && summary.recipe?.background == 1)
    let maps = try shapes.maps(summary.run.name)
    #expect(maps.allSatisfy { $0.map(\.class) == [0, 1, 2] })
    for masks in try shapes.masks(summary.run.name) {
      #expect(masks.masks.map(\.class) == [0, 2])
      let areas = masks.masks.map(\.mask.area)
      #expect(areas.reduce(0, +) <= masks.size.area)
    }
    // p, 1 − p and a half: the third is the most likely only at p = ½.
    let predictions = try shapes.catalog.maskPredictions(of: summary.run.id)
    #expect(predictions.allSatisfy { $0.masks.map(\.class) == [0, 2] })
  }

  @Test("The likeliest class is chosen before probabilities are rounded to 8 bits, and is stored")
  func close() throws {
    let shapes = try MaskCatalog(count: 8)
    let classes = "[thing, background, other]"
    try shapes.add("mask_classes", classes: classes)
    try shapes.add("mask_close", classes: classes, more: "activation: sigmoid")
    let apart = try shapes.predict("mask_classes") { $0.name = "apart" }
    let close = try shapes.predict("mask_close") { $0.name = "close" }
    #expect(close.recipe?.keepsMasks == true)
    // All maps are 255, so that the first class would have every pixel.
    #expect(
      try shapes.maps("close").allSatisfy { $0.allSatisfy { $0.bytes.allSatisfy { $0 == 254 } } })
    let masks = try shapes.masks("close")
    for (masks, expected) in zip(masks, try shapes.masks("apart")) {
      // A sigmoid is not linear between two cells: a few pixels on the edge differ.
      for (one, other) in zip(masks.masks, expected.masks) {
        #expect(abs(one.mask.area - other.mask.area) * 50 <= masks.size.area)
      }
      #expect(masks.masks[0].mask.area < masks.size.area)
    }
    #expect(Set(masks.flatMap { $0.masks.map { $0.mask.area > 0 } }) == [true, false])
    #expect(apart.run.classes == close.run.classes)
    let run = try shapes.catalog.run(named: "close")
    let stored = try #require(
      try RunMasks(catalog: shapes.catalog, run: run).stored(
        of: shapes.catalog.maskPredictions(of: run.id).map(\.sample))[0])
    #expect(try stored.fields().masks() == masks[0])
    #expect(try stored.fields().masks(threshold: 0.9) == masks[0])
  }

  @Test("A label map gives each pixel the class of its cell, and there is no threshold")
  func labelMap() throws {
    let shapes = try MaskCatalog(count: 8)
    let classes = "[thing, background, other]"
    try shapes.add("mask_classes", classes: classes)
    try shapes.add("mask_labels", classes: classes, more: "label-map: yes")
    try shapes.predict("mask_classes") { $0.name = "maps" }
    let summary = try shapes.predict("mask_labels") { $0.name = "labels" }
    #expect(summary.recipe?.isLabelMap == true && summary.recipe?.keepsMaps == false)
    let maps = try shapes.maps("maps")
    for (masks, maps) in zip(try shapes.masks("labels"), maps) {
      #expect(masks.masks.map(\.class) == [0, 2])
      let (width, height) = (masks.size.width, masks.size.height)
      let flags = masks.masks.map { $0.mask.raster().elements }
      var wrong = 0
      for y in 0..<height {
        for x in 0..<width {
          let cell = (2 * y + 1) * 4 / (2 * height) * 4 + (2 * x + 1) * 4 / (2 * width)
          let values = maps.map { $0.bytes[cell] }
          let label = values.firstIndex(of: values.max() ?? 0)
          let found = flags[0][y * width + x] > 0 ? 0 : flags[1][y * width + x] > 0 ? 2 : 1
          if label != found { wrong += 1 }
        }
      }
      #expect(wrong == 0)
    }
    let file = shapes.path("labels.json")
    let export = try COCOResultsExport(catalog: shapes.catalog).export("labels", to: file)
    #expect(export.results > 0 && export.empty < 8)
    #expect(try String(contentsOfFile: file, encoding: .utf8).contains("\"score\":1"))
    #expect(throws: RunMasksError.noProbabilities(run: "labels")) {
      try shapes.masks("labels", threshold: 0.3)
    }
  }

  @Test("Only shared classes matter: others of the dataset are not asked for, none is refused")
  func classes() throws {
    let shapes = try MaskCatalog(categories: [Category(name: "cat"), Category(name: "background")])
    try shapes.add("mask_classes", classes: "[thing, background, other]")
    #expect(
      throws: PredictError.nothingInCommon(
        model: "mask_classes", classes: ["thing", "other"], dataset: "shapes", categories: ["cat"])
    ) { try shapes.predict("mask_classes") }
    let void = try MaskCatalog(categories: [
      Category(name: "thing", isVoid: true), Category(name: "cat"),
    ])
    try void.add()
    #expect(throws: PredictError.self) { try void.predict() }
  }

  @Test("Logits and a model that mixes its batch leave no run behind")
  func refused() throws {
    let shapes = try MaskCatalog(count: 40)
    try shapes.add("mask_logits")
    try shapes.add("mask_mixes")
    #expect(throws: InferenceError.self) { try shapes.predict("mask_logits") }
    #expect(throws: InferenceError.self) { try shapes.predict("mask_mixes") { $0.batch = 8 } }
    #expect(try shapes.catalog.runs().isEmpty)
  }

  @Test("A classifier has no maps to leave out")
  func classifier() throws {
    let squares = try PredictCatalog()
    try squares.add()
    #expect(throws: PredictError.noMaps(model: "tiny")) {
      try squares.predict { $0.keepsMaps = false }
    }
  }
}
