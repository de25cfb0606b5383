import AssayCore

/// An image to be added to the page.
struct PictureRequest: Sendable {
  /// The image to show, at an integer multiple of its pixels.
  let raster: Raster<UInt8>
  /// The line below the image; empty for none.
  var caption = ""
  /// The number after the line, in bold.
  var number = ""
  /// The key of the sample, shown below the line; empty for none.
  var key = ""
  /// The tooltip: the source of the image.
  var origin = ""
  /// The text for screen readers.
  var spoken = ""
  /// The frame: correct, wrong or none.
  var frame = ContactSheet.Frame.none

  /// Creates a request for an image, downscaled if it is longer than `longest` pixels.
  init(
    _ raster: Raster<UInt8>, caption: String = "", number: String = "", key: String = "",
    origin: String = "",
    spoken: String = "", frame: ContactSheet.Frame = .none, longest: Int = PictureLimits.longest
  ) {
    self.raster = Enlargement.reduced(raster, longest: longest)
    self.caption = caption
    self.number = number
    self.key = key
    self.origin = origin
    self.spoken = spoken
    self.frame = frame
  }

  /// Creates a request for a sample with a frame for a correct or wrong prediction, and `truth →
  /// prediction` and the confidence below it.
  init(_ sample: SamplePicture, classes: [String]) {
    let truth = classes.indices.contains(sample.truth) ? classes[sample.truth] : "?"
    let predicted = classes.indices.contains(sample.predicted) ? classes[sample.predicted] : "?"
    let number = sample.confidence.map { NumberText.fixed($0, 2) } ?? ""
    self.init(
      sample.raster, caption: "\(truth) → \(predicted)", number: number,
      key: sample.key, origin: "sample \(sample.key)",
      spoken: "sample \(sample.key): \(truth), predicted \(predicted)"
        + (number.isEmpty ? "" : " with \(number)"),
      frame: sample.truth == sample.predicted ? .right : .wrong)
  }

  /// True for a photo whose single pixels are not visible: it takes far less room as JPEG.
  var isPhoto: Bool {
    raster.channels == 3 && max(raster.width, raster.height) > PictureLimits.longest
  }

  /// The values of the `picture` template.
  func values(source: String) -> [String: Any] {
    let multiple = Enlargement.multiple(longest: max(raster.width, raster.height), target: 96)
    let style =
      switch frame {
      case .none: "none"
      case .right: "right"
      case .wrong: "wrong"
      }
    return [
      "source": source, "width": raster.width * multiple, "height": raster.height * multiple,
      "caption": caption, "number": number.templateValue, "origin": origin, "spoken": spoken,
      "frame": style, "key": key.templateValue,
      "hasCaption": !caption.isEmpty || !number.isEmpty || !key.isEmpty,
    ]
  }
}
