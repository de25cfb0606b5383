import AssayCore

/// The regions of the masks of one image, joined to its objects.
struct VOCSegmentation {
  let classes: VOCClasses
  /// The path of the image.
  let key: String
  /// The objects of the annotation in its order, and all regions.
  let objects: [VOCObjectReader.Object]
  private(set) var regions: [LabeledRegion]
  /// The number of regions that are not of the annotation, including those left out.
  private(set) var added = 0
  private(set) var issues: [Issue] = []
  private(set) var counts = VOCCounts()

  /// The width of the void border around objects, in pixels, by which the box of a mask can be
  /// smaller than that of its object.
  private static let border = 6.0

  init(
    classes: VOCClasses, key: String, objects: [VOCObjectReader.Object], regions: [LabeledRegion]
  ) {
    self.classes = classes
    self.key = key
    self.objects = objects
    self.regions = regions
  }

  private mutating func note(
    _ kind: IssueKind, _ file: String, _ text: String, _ severity: Issue.Severity = .warning
  ) {
    issues.append(Issue(kind, severity, at: IssueLocation(file: file), sampleKey: key, text))
  }

  /// Adds the regions of a class mask alone.
  ///
  /// - Parameters:
  ///   - mask: its values; they are replaced by canonical ones.
  ///   - file: its path.
  mutating func add(classes mask: VOCMaskReader.Values, _ file: String) {
    var raster = mask.raster
    unify(&raster, mask.unknown, file)
    for (value, mask) in Mask.labels(of: raster) where value != 0 || !classes.values.hasBackground {
      let category = classes.values.category(of: value)
      let members = objects.filter { $0.name == category.name }
      // A class with a single object needs no mask of objects.
      if members.count == 1, let region = members[0].region, agrees(mask, regions[region]) {
        regions[region].shape = .mask(mask)
        continue
      }
      append(
        category, mask, file, isCrowd: !members.isEmpty && !category.isVoid,
        "class \(category.name)")
      if !members.isEmpty, !category.isVoid { counts.add(.crowd, file: file, line: 0) }
    }
  }

  /// Adds the regions of a mask of objects, joined to the classes of a class mask.
  mutating func add(
    objects mask: VOCMaskReader.Values, _ file: String,
    classes classMask: (values: VOCMaskReader.Values, file: String)?
  ) {
    var classRaster: Raster<UInt8>?
    if let classMask {
      var raster = classMask.values.raster
      unify(&raster, classMask.values.unknown, classMask.file)
      classRaster = raster
    }
    if mask.unknown > 0 {
      note(
        .maskValue, file,
        "\(Counted.text(mask.unknown, "pixel has", "pixels have")) a color that is not one of Pascal VOC's palette; kept as void"
      )
    }
    let instances = Mask.labels(of: mask.raster).filter { $0.value > 0 && $0.value < 255 }
    var shares: [UInt8: [UInt8: Int]]?
    if let classRaster {
      shares = Self.shares(mask.raster, classRaster, of: instances.map { $0.value })
    }
    for (value, region) in instances {
      var known: Category?
      if let shares {
        // The class mask has no class there.
        guard let found = category(of: shares[value] ?? [:], value, file) else { continue }
        known = found
      }
      join(region, Int(value), known, file)
    }
    if let classRaster, let classMask {
      addRest(of: classRaster, without: instances.map { $0.mask }, classMask.file)
    }
  }

  /// Replaces the values of a class mask by canonical ones, and reports unknown ones.
  private mutating func unify(_ raster: inout Raster<UInt8>, _ unknown: Int, _ file: String) {
    var counts = Array(repeating: 0, count: 256)
    raster.elements.withUnsafeBufferPointer { pixels in
      for pixel in pixels { counts[Int(pixel)] += 1 }
    }
    let values = classes.values.unify(&raster, counts: counts)
    let strange = unknown + values.reduce(0) { $0 + counts[Int($1)] }
    guard strange > 0 else { return }
    let list = values.prefix(5).map(String.init).joined(separator: ", ")
    note(
      .maskValue, file,
      "\(Counted.text(strange, "pixel has", "pixels have")) "
        + (values.isEmpty
          ? "a color of no class" : "\(strange == 1 ? "a value" : "values") of no class (\(list))")
        + "; kept as void")
  }

  /// The number of pixels of each class in each instance.
  private static func shares(
    _ instances: Raster<UInt8>, _ classes: Raster<UInt8>, of values: [UInt8]
  ) -> [UInt8: [UInt8: Int]] {
    guard instances.elements.count == classes.elements.count else { return [:] }
    var rows = [Int](repeating: -1, count: 256)
    for (row, value) in values.enumerated() { rows[Int(value)] = row }
    var counts = [Int](repeating: 0, count: 256 * values.count)
    for (instance, category) in zip(instances.elements, classes.elements) {
      let row = rows[Int(instance)]
      if row >= 0 { counts[256 * row + Int(category)] += 1 }
    }
    var shares: [UInt8: [UInt8: Int]] = [:]
    for (row, value) in values.enumerated() {
      for category in 0..<256 where counts[256 * row + category] > 0 {
        shares[value, default: [:]][UInt8(category)] = counts[256 * row + category]
      }
    }
    return shares
  }

  /// The class of most pixels of an instance; `nil`, with an issue, if most have none.
  private mutating func category(
    of shares: [UInt8: Int], _ value: UInt8, _ file: String
  ) -> Category? {
    let all = shares.values.reduce(0, +)
    let values = classes.values
    let best = shares.filter { entry in
      (entry.key != 0 || !values.hasBackground) && !values.category(of: entry.key).isVoid
    }.max { a, b in (a.value, b.key) < (b.value, a.key) }
    guard let best, 2 * best.value >= all else {
      added += 1
      note(
        .maskValue, file,
        "object \(value) of the mask has no class: most of its \(all) pixels are background or void "
          + "in SegmentationClass; left out", .error)
      return nil
    }
    if best.value < all {
      note(
        .maskValue, file,
        "\(all - best.value) of \(all) pixels of object \(value) \(all - best.value == 1 ? "has" : "have") another class than "
          + "\(classes.values.category(of: best.key).name) in SegmentationClass; kept in the object"
      )
    }
    return classes.values.category(of: best.key)
  }

  /// Gives an instance to the object of its number, if class and box agree; else adds a region.
  private mutating func join(_ mask: Mask, _ number: Int, _ category: Category?, _ file: String) {
    let object = number <= objects.count ? objects[number - 1] : nil
    if let object, let place = object.region, category.map({ $0.name == object.name }) ?? true,
      agrees(mask, regions[place])
    {
      regions[place].shape = .mask(mask)
      return
    }
    guard let category else {
      added += 1
      note(
        .missingLabel, file,
        "object \(number) of the mask has no class: there is no mask in SegmentationClass, and "
          + "\(disagreement(object, number)); left out", .error)
      return
    }
    append(category, mask, file, "object \(number) of the mask (\(category.name))")
    guard !objects.isEmpty else { return }
    note(
      .unpairedMask, file,
      "object \(number) of the mask (\(category.name)): \(disagreement(object, number)); kept as a "
        + "region of its own")
  }

  private func disagreement(_ object: VOCObjectReader.Object?, _ number: Int) -> String {
    guard let object else {
      return "the annotation has \(Counted.text(objects.count, "object", "objects"))"
    }
    return "class or box of object \(number) of the annotation (\(object.name)) are others"
  }

  /// Returns whether a mask can be the pixels of a region: their boxes overlap by half, or differ by
  /// the void border.
  private func agrees(_ mask: Mask, _ region: LabeledRegion) -> Bool {
    guard let found = mask.boundingBox, let box = region.box else { return false }
    let width = min(found.x + found.width, box.x + box.width) - max(found.x, box.x)
    let height = min(found.y + found.height, box.y + box.height) - max(found.y, box.y)
    guard width > 0, height > 0 else { return false }
    let union = found.area + box.area - width * height
    if 2 * width * height >= union { return true }
    let distances = [
      found.x - box.x, found.y - box.y, box.x + box.width - found.x - found.width,
      box.y + box.height - found.y - found.height,
    ]
    return distances.allSatisfy { (-1...Self.border).contains($0) }
  }

  /// Adds the pixels with a class outside of all instances, and those that are void.
  private mutating func addRest(
    of raster: Raster<UInt8>, without instances: [Mask], _ file: String
  ) {
    let size = ImageSize(width: raster.width, height: raster.height)
    guard instances.allSatisfy({ $0.size == size }) else { return }
    let covered = Mask.union(of: instances, size: size)
    for (value, all) in Mask.labels(of: raster) where value != 0 || !classes.values.hasBackground {
      let mask = all.subtracting(covered)
      guard !mask.isEmpty else { continue }
      let category = classes.values.category(of: value)
      append(category, mask, file, isCrowd: !category.isVoid, "class \(category.name)")
      guard !category.isVoid else { continue }
      note(
        .unpairedMask, file,
        "\(Counted.text(mask.area, "pixel", "pixels")) of class \(category.name) \(mask.area == 1 ? "belongs" : "belong") to no object of SegmentationObject; "
          + "kept as a crowd")
    }
  }

  private mutating func append(
    _ category: Category, _ mask: Mask, _ file: String, isCrowd: Bool = false, _ title: String
  ) {
    added += 1
    var region = LabeledRegion(
      category: category, shape: .mask(mask), at: IssueLocation(file: file), title: title)
    region.isCrowd = isCrowd
    regions.append(region)
  }
}
