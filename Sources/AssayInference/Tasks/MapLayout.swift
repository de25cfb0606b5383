package import AssayCore

/// The layout of the maps of a sample's classes in a model's output, one value per class and cell.
package struct MapLayout: Hashable, Sendable {
  /// The number of classes, which is the number of maps.
  package let classes: Int
  /// The size of a map, which can differ from the input's.
  package let size: ImageSize
  /// The order of the dimensions: classes before the cells, or after them.
  package let order: ModelInput.Layout

  /// The maximum number of values per sample: 1 GiB of them.
  package static let limit = 1 << 28

  package init(classes: Int, size: ImageSize, order: ModelInput.Layout) {
    self.classes = classes
    self.size = size
    self.order = order
  }

  /// Derives the layout from an output's shape, which must be completely known.
  ///
  /// - Throws: ``InferenceError/mapShape(classes:isLabelMap:model:)``,
  ///   ``InferenceError/mapLayoutUnclear(classes:model:)``, ``InferenceError/mapShapeOpen(model:)``.
  init(of output: TensorSignature, _ manifest: ModelManifest) throws(InferenceError) {
    let classes = manifest.valueCount
    let found = try Self.candidates(of: output, manifest)
    guard let shape = output.shape, shape.dropFirst().allSatisfy({ $0 != nil }) else {
      throw .mapShapeOpen(model: output)
    }
    var layouts: [MapLayout] = []
    for (order, height, width) in found {
      guard let height, let width, let size = ImageSize.checked(width: width, height: height),
        size.area <= Self.limit / classes
      else {
        throw .mapShape(classes: classes, isLabelMap: manifest.isLabelMap, model: output)
      }
      let layout = MapLayout(classes: classes, size: size, order: order)
      // One class has the same layout in both orders.
      if classes > 1 || !layouts.contains(where: { $0.size == size }) { layouts.append(layout) }
    }
    guard let first = layouts.first, layouts.count == 1 else {
      throw .mapLayoutUnclear(classes: classes, model: output)
    }
    self = first
  }

  /// The number of values per sample.
  package var count: Int { classes * size.area }

  /// The offset of a class's values, and the stride of its cells.
  func place(of ordinal: Int) -> (start: Int, step: Int) {
    order == .nchw ? (ordinal * size.area, 1) : (ordinal, classes)
  }

  /// The ways in which an output can be read as maps of the manifest's classes: `[N, C, H, W]`,
  /// `[N, H, W, C]`, and for one class `[N, H, W]`.
  ///
  /// - Throws: ``InferenceError/mapShape(classes:isLabelMap:model:)`` if there is none; never for an open
  ///   rank.
  @discardableResult
  static func candidates(
    of output: TensorSignature, _ manifest: ModelManifest
  ) throws(InferenceError) -> [(order: ModelInput.Layout, height: Int?, width: Int?)] {
    let classes = manifest.valueCount
    guard let shape = output.shape else { return [] }
    var found: [(order: ModelInput.Layout, height: Int?, width: Int?)] = []
    let isClasses = { (length: Int?) in length == nil || length == classes }
    if shape.count == 3, classes == 1 { found.append((.nchw, shape[1], shape[2])) }
    if shape.count == 4 {
      if manifest.outputLayout != .nhwc, isClasses(shape[1]) {
        found.append((.nchw, shape[2], shape[3]))
      }
      if manifest.outputLayout != .nchw, isClasses(shape[3]) {
        found.append((.nhwc, shape[1], shape[2]))
      }
    }
    guard !found.isEmpty else {
      throw .mapShape(classes: classes, isLabelMap: manifest.isLabelMap, model: output)
    }
    return found
  }
}
