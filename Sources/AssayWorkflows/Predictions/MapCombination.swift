import AssayCore
import AssayInference
import AssayStore

extension RunCombination {
  /// The weighted mean of each class's probability maps, cell by cell. The most likely class of a
  /// pixel is chosen from the unrounded means.
  func meanOfMaps(
    _ runs: [RunRecord], _ weights: [Double], _ classes: [String]
  ) throws -> Plan {
    let masks = try runs.map { try RunMasks(catalog: catalog, run: $0) }
    let first = masks[0].recipe
    for (run, masks) in zip(runs, masks) {
      let recipe = masks.recipe
      guard recipe.keepsMaps else { throw CombineError.noMaps(run.name) }
      func refuse(_ what: String) -> CombineError {
        .otherMaps(run.name, first: runs[0].name, what: what)
      }
      guard recipe.input == first.input, recipe.resize == first.resize else {
        throw refuse("their inputs differ in size or resize")
      }
      guard recipe.threshold == first.threshold else {
        throw refuse(
          "their thresholds are \(Self.text(first.threshold)) and \(Self.text(recipe.threshold))")
      }
      guard
        recipe.background.map({ run.classes[$0] }) == first.background.map({ runs[0].classes[$0] })
      else { throw refuse("their backgrounds are different classes") }
    }
    var recipe = first
    recipe.keepsMasks = recipe.threshold == nil
    let places = runs.map { Self.places(of: $0, in: classes) }
    let members = try JSONValue(parsing: recipe.settings).members ?? []
    let total = weights.reduce(0, +)
    let names = runs.map(\.name)
    return Plan(method: "mean", members: members) { [recipe] samples, target in
      try forEachChunk(samples, 8) { part in
        var sums: [[Int: Raster<Double>]] = part.map { _ in [:] }
        for (number, masks) in masks.enumerated() {
          for (index, stored) in try masks.stored(of: part).enumerated() {
            guard case .maps(let maps, _)? = stored?.content else {
              throw CombineError.noMaps(names[number])
            }
            for map in maps {
              let place = places[number][map.class]
              var sum =
                sums[index][place]
                ?? Raster<Double>(repeating: 0, width: map.cells.width, height: map.cells.height)
              guard sum.width == map.cells.width, sum.height == map.cells.height else {
                throw CombineError.otherMaps(
                  names[number], first: names[0],
                  what:
                    "maps of \(map.cells.width)×\(map.cells.height) and \(sum.width)×\(sum.height)")
              }
              for cell in sum.elements.indices {
                sum.elements[cell] += weights[number] * Double(map.cells.elements[cell])
              }
              sums[index][place] = sum
            }
          }
        }
        try catalog.record(
          try zip(part, sums).map { sample, sums in
            try Self.masks(
              sums.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }, total, sample, recipe)
          }, in: target.id)
      }
    }
  }

  private static func text(_ threshold: Double?) -> String { threshold.map { "\($0)" } ?? "none" }

  /// The stored form of a sample's mean maps.
  private static func masks(
    _ sums: [(class: Int, cells: Raster<Double>)], _ total: Double, _ sample: SampleRecord,
    _ recipe: SegmentationRecipe
  ) throws -> SampleMasks {
    guard let size = sample.size else { throw RunMasksError.noSize(sample: sample.key) }
    var cells: [Raster<UInt8>] = []
    var probabilities: [Raster<Float>] = []
    for (_, sum) in sums {
      var rounded = Raster<UInt8>(repeating: 0, width: sum.width, height: sum.height)
      var exact = Raster<Float>(repeating: 0, width: sum.width, height: sum.height)
      for cell in sum.elements.indices {
        let mean = sum.elements[cell] / total
        rounded.elements[cell] = UInt8(min(255, (mean + 0.5).rounded(.down)))
        exact.elements[cell] = Float(mean / 255)
      }
      cells.append(rounded)
      probabilities.append(exact)
    }
    return try SegmentationTask(recipe: recipe, kept: sums.map(\.class)).stored(
      ClassMaps(cells: cells, probabilities: recipe.isBinary ? [] : probabilities, labels: nil),
      of: sample, size: size)
  }
}
