package import AssayCore

extension Mask {
  /// The mask after some steps, one after another.
  ///
  /// - Parameter image: one channel or three.
  /// - Precondition: the image has the mask's size, unless no step needs it.
  package func refined(by steps: [MaskRefinement], in image: Raster<UInt8>) -> Mask {
    steps.reduce(self) { mask, step in
      switch step {
      case .open(let count): mask.opened(by: count)
      case .close(let count): mask.closed(by: count)
      case .holes: mask.fillingHoles()
      case .largest: mask.largestComponent()
      case .guided(let radius, let epsilon):
        mask.guided(by: image, radius: radius, epsilon: epsilon)
      case .grabcut(let band): GrabCut.refined(mask, in: image, band: band)
      }
    }
  }

  /// The pixels where the guided filter of the mask is at least 0.5.
  private func guided(by image: Raster<UInt8>, radius: Int, epsilon: Double) -> Mask {
    precondition(image.width == size.width && image.height == size.height)
    guard let bounds else { return self }
    // Farther than two radii from the mask the result is 0; a third one completes the windows.
    let margin = 3 * radius
    let (left, top) = (max(0, bounds.x - margin), max(0, bounds.y - margin))
    let width = min(size.width, bounds.x + bounds.width + margin) - left
    let height = min(size.height, bounds.y + bounds.height + margin) - top
    let part = cropped(x: left, y: top, width: width, height: height).raster(inside: 1)
    var values = Raster<Float>(repeating: 0, width: width, height: height)
    for index in values.elements.indices { values.elements[index] = Float(part.elements[index]) }
    let guide = image.part(x: left, y: top, width: width, height: height)
    let filtered = GuidedFilter.filtered(values, guide: guide, radius: radius, epsilon: epsilon)
    return Mask(size: size, columns: left..<left + width, rows: top..<top + height) { x, y in
      filtered[x - left, y - top] >= 0.5
    }
  }
}

extension Raster<UInt8> {
  fileprivate func part(x left: Int, y top: Int, width: Int, height: Int) -> Raster {
    var part = Raster(repeating: 0, width: width, height: height, channels: channels)
    for y in 0..<height {
      let start = ((top + y) * self.width + left) * channels
      part.elements.replaceSubrange(
        y * width * channels..<(y + 1) * width * channels,
        with: elements[start..<start + width * channels])
    }
    return part
  }
}
