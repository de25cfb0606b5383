extension Mask {
  /// The window of a given size with its top-left corner at (x, y); beyond the image nothing is
  /// set.
  ///
  /// - Precondition: width and height are at least 1.
  package func cropped(x left: Int, y top: Int, width: Int, height: Int) -> Mask {
    let size = ImageSize(width: width, height: height)
    var spans = RunLengthBuilder(size: size)
    forEachSpan { x, spanTop, spanBottom in
      if x >= left, x < left + width {
        spans.append(
          x: x - left, top: max(spanTop - top, 0), bottom: min(spanBottom - top, height))
      }
    }
    return spans.mask()
  }
}
