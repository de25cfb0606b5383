package import AssayCore

extension Mask {
  /// The pixels of a rectangle in an image of this size.
  package init(_ x: Int, _ y: Int, _ width: Int, _ height: Int, in size: ImageSize) {
    self.init(
      box: Box(x: Double(x), y: Double(y), width: Double(width), height: Double(height)),
      size: size)
  }
}
