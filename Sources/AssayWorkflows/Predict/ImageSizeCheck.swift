import AssayCore
import AssayStore

/// Compares an image's size with the size that its dataset states.
enum ImageSizeCheck {
  /// The reason why an image of this size cannot be used with the dataset's annotations; `nil` if
  /// it can.
  static func refusal(of sample: SampleRecord, size: ImageSize) -> String? {
    guard let stated = sample.size, stated != size else { return nil }
    return "sample \(sample.key): the image has \(size) pixels, the dataset states \(stated);"
      + " import it again"
  }
}
