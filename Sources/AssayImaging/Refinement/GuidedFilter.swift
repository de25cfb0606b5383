package import AssayCore

/// The guided filter (He, Sun and Tang, “Guided Image Filtering”, PAMI 2013): in each window, the input is fitted as a
/// linear function of the guide, so that its edges move to those of the guide.
package enum GuidedFilter {
  /// Filters values by an image.
  ///
  /// - Parameters:
  ///   - input: one channel.
  ///   - guide: one channel or three of the same size, 0...255; its values are divided by 255.
  ///   - radius: windows are squares of 2 · radius + 1 pixels, cut off at the edges of the image; at least 1.
  ///   - epsilon: the variance of the guide below which a window counts as flat, above 0.
  /// - Returns: one channel of the input's size.
  /// - Precondition: sizes and channels as above.
  package static func filtered(
    _ input: Raster<Float>, guide: Raster<UInt8>, radius: Int, epsilon: Double
  ) -> Raster<Float> {
    precondition(
      input.channels == 1 && guide.width == input.width && guide.height == input.height
        && (guide.channels == 1 || guide.channels == 3) && radius >= 1 && epsilon > 0)
    let mean = WindowMean(width: input.width, height: input.height, radius: radius)
    let output =
      guide.channels == 1
      ? gray(input.elements, guide, mean, Float(epsilon))
      : color(input.elements, guide, mean, epsilon)
    return Raster(width: input.width, height: input.height, elements: output) ?? input
  }

  private static func plane(_ guide: Raster<UInt8>, _ channel: Int) -> [Float] {
    let channels = guide.channels
    return (0..<guide.width * guide.height).map {
      Float(guide.elements[$0 * channels + channel]) / 255
    }
  }

  private static func product(_ first: [Float], _ second: [Float]) -> [Float] {
    var product = first
    for index in product.indices { product[index] *= second[index] }
    return product
  }

  private static func gray(
    _ input: [Float], _ guide: Raster<UInt8>, _ mean: WindowMean, _ epsilon: Float
  ) -> [Float] {
    let image = plane(guide, 0)
    let (meanImage, meanInput) = (mean.of(image), mean.of(input))
    let squares = mean.of(product(image, image))
    var slope = mean.of(product(image, input))
    var offset = meanInput
    for index in slope.indices {
      let variance = squares[index] - meanImage[index] * meanImage[index]
      slope[index] = (slope[index] - meanImage[index] * meanInput[index]) / (variance + epsilon)
      offset[index] -= slope[index] * meanImage[index]
    }
    let meanSlope = mean.of(slope)
    var output = mean.of(offset)
    for index in output.indices { output[index] += meanSlope[index] * image[index] }
    return output
  }

  private static func color(
    _ input: [Float], _ guide: Raster<UInt8>, _ mean: WindowMean, _ epsilon: Double
  ) -> [Float] {
    let image = (0..<3).map { plane(guide, $0) }
    let means = image.map(mean.of)
    let meanInput = mean.of(input)
    // Rows and columns of the symmetric matrix: rr, rg, rb, gg, gb, bb.
    let pairs = [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)]
    let products = pairs.map { mean.of(product(image[$0.0], image[$0.1])) }
    var slopes = image.map { mean.of(product($0, input)) }
    var offset = meanInput
    for index in offset.indices {
      let m = (Double(means[0][index]), Double(means[1][index]), Double(means[2][index]))
      let p = Double(meanInput[index])
      let covariance = (
        Double(slopes[0][index]) - m.0 * p, Double(slopes[1][index]) - m.1 * p,
        Double(slopes[2][index]) - m.2 * p
      )
      let rr = Double(products[0][index]) - m.0 * m.0 + epsilon
      let rg = Double(products[1][index]) - m.0 * m.1
      let rb = Double(products[2][index]) - m.0 * m.2
      let gg = Double(products[3][index]) - m.1 * m.1 + epsilon
      let gb = Double(products[4][index]) - m.1 * m.2
      let bb = Double(products[5][index]) - m.2 * m.2 + epsilon
      // The inverse of the matrix by its cofactors.
      let (c0, c1, c2) = (gg * bb - gb * gb, gb * rb - rg * bb, rg * gb - gg * rb)
      let (c3, c4, c5) = (rr * bb - rb * rb, rb * rg - rr * gb, rr * gg - rg * rg)
      let determinant = rr * c0 + rg * c1 + rb * c2
      let a0 = (c0 * covariance.0 + c1 * covariance.1 + c2 * covariance.2) / determinant
      let a1 = (c1 * covariance.0 + c3 * covariance.1 + c4 * covariance.2) / determinant
      let a2 = (c2 * covariance.0 + c4 * covariance.1 + c5 * covariance.2) / determinant
      (slopes[0][index], slopes[1][index], slopes[2][index]) = (Float(a0), Float(a1), Float(a2))
      offset[index] = Float(p - a0 * m.0 - a1 * m.1 - a2 * m.2)
    }
    let meanSlopes = slopes.map(mean.of)
    var output = mean.of(offset)
    for index in output.indices {
      output[index] +=
        meanSlopes[0][index] * image[0][index] + meanSlopes[1][index] * image[1][index]
        + meanSlopes[2][index] * image[2][index]
    }
    return output
  }
}

/// The mean of values over square windows, cut off at the edges.
private struct WindowMean {
  let width: Int
  let height: Int
  let radius: Int

  func of(_ values: [Float]) -> [Float] {
    // Sums along the rows, then along the columns, in 64 bits.
    var sums = [Double](repeating: 0, count: values.count)
    for y in 0..<height {
      let row = y * width
      var sum = 0.0
      for x in 0..<min(radius, width) { sum += Double(values[row + x]) }
      for x in 0..<width {
        if x + radius < width { sum += Double(values[row + x + radius]) }
        if x - radius - 1 >= 0 { sum -= Double(values[row + x - radius - 1]) }
        sums[row + x] = sum
      }
    }
    var means = [Float](repeating: 0, count: values.count)
    var column = [Double](repeating: 0, count: width)
    for y in 0..<min(radius, height) {
      for x in 0..<width { column[x] += sums[y * width + x] }
    }
    let spans = (0..<width).map { min($0 + radius, width - 1) - max($0 - radius, 0) + 1 }
    for y in 0..<height {
      if y + radius < height {
        let row = (y + radius) * width
        for x in 0..<width { column[x] += sums[row + x] }
      }
      if y - radius - 1 >= 0 {
        let row = (y - radius - 1) * width
        for x in 0..<width { column[x] -= sums[row + x] }
      }
      let rows = min(y + radius, height - 1) - max(y - radius, 0) + 1
      for x in 0..<width { means[y * width + x] = Float(column[x] / Double(rows * spans[x])) }
    }
    return means
  }
}
