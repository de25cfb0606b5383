package import AssayCore
package import AssayImaging

/// The image that a model expects as input.
package struct ModelInput: Hashable, Sendable {
  /// The order of the tensor's dimensions. The raw value is the manifest's spelling.
  package enum Layout: String, CaseIterable, Sendable, Codable {
    case nhwc = "NHWC"
    case nchw = "NCHW"
  }

  /// The channels, in the tensor's order. The raw value is the manifest's spelling.
  package enum Color: String, CaseIterable, Sendable, Codable {
    case gray, rgb, bgr

    /// The number of channels.
    package var channels: Int { self == .gray ? 1 : 3 }
  }

  /// The size of all inputs; the maximum if ``hasFixedSize`` is false.
  package var size: ImageSize
  package var layout: Layout
  package var color: Color
  /// The scale in `pixel * scale + offset`, for pixels of 0...255; one value for all channels, or
  /// one per channel in the tensor's order.
  package var scale: [Double]
  package var offset: [Double]
  package var resize: ResizeRule
  package var filter: ResizeFilter

  package init(
    size: ImageSize, layout: Layout, color: Color, scale: [Double] = [1],
    offset: [Double] = [0], resize: ResizeRule = .stretch, filter: ResizeFilter = .bilinear
  ) {
    self.size = size
    self.layout = layout
    self.color = color
    self.scale = scale
    self.offset = offset
    self.resize = resize
    self.filter = filter
  }

  /// True if the inputs of all images have the same size.
  package var hasFixedSize: Bool { resize.hasFixedTarget }

  /// The number of values per sample; the maximum if ``hasFixedSize`` is false.
  package var count: Int { size.area * color.channels }

  /// The resize of an image of this size.
  package func plan(for source: ImageSize) -> ResizePlan {
    ResizePlan(resize, from: source, to: size)
  }

  /// The input value of a pixel, level · scale + offset, in float64.
  ///
  /// - Parameters:
  ///   - level: the pixel's value, 0...255.
  ///   - channel: in the tensor's order.
  package func value(of level: Double, channel: Int) -> Double {
    let scale = self.scale[self.scale.count == 1 ? 0 : channel]
    let offset = self.offset[self.offset.count == 1 ? 0 : channel]
    return level * scale + offset
  }

  /// The tensor's shape for a batch; `nil` means any batch size, or sides that differ from image to
  /// image.
  package func shape(batch: Int?) -> [Int?] {
    shape(batch: batch, hasFixedSize ? size : nil)
  }

  /// The tensor's shape for images whose inputs have this size.
  package func shape(batch: Int, of size: ImageSize) -> [Int] {
    shape(batch: batch, size).compactMap(\.self)
  }

  private func shape(batch: Int?, _ size: ImageSize?) -> [Int?] {
    switch layout {
    case .nhwc: [batch, size?.height, size?.width, color.channels]
    case .nchw: [batch, color.channels, size?.height, size?.width]
    }
  }
}
