import AssayCore
import AssayStore

/// Compares a picture's size with what its dataset states.
enum ImageSizeCheck {
  /// Why a picture of this size cannot be used for what lies in the frame of the dataset's; `nil` where
  /// it can.
  static func refusal(of sample: SampleRecord, size: ImageSize) -> String? {
    guard let stated = sample.size, stated != size else { return nil }
    return "sample \(sample.key): the picture has \(size) pixels, and the dataset says \(stated);"
      + " import it again"
  }
}
