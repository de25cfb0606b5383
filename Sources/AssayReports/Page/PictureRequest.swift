import AssayCore

/// A picture on its way onto the page.
struct PictureRequest: Sendable {
  /// The image to show, at a whole multiple of its pixels.
  let raster: Raster<UInt8>
  /// The line beneath; empty for none.
  var caption = ""
  /// The number behind the line, set bold.
  var number = ""
  /// The tooltip: the source of the image.
  var origin = ""
  /// The text for screen readers.
  var spoken = ""
  /// The frame: right, wrong or none.
  var frame = ContactSheet.Frame.none

  /// The picture, reduced where it is longer than `longest` pixels.
  init(
    _ raster: Raster<UInt8>, caption: String = "", number: String = "", origin: String = "",
    spoken: String = "", frame: ContactSheet.Frame = .none, longest: Int = PictureLimits.longest
  ) {
    self.raster = Enlargement.reduced(raster, longest: longest)
    self.caption = caption
    self.number = number
    self.origin = origin
    self.spoken = spoken
    self.frame = frame
  }

  /// A sample framed by whether its prediction is right, `truth → prediction` and its confidence beneath.
  init(_ sample: SamplePicture, classes: [String]) {
    let truth = classes.indices.contains(sample.truth) ? classes[sample.truth] : "?"
    let predicted = classes.indices.contains(sample.predicted) ? classes[sample.predicted] : "?"
    let number = NumberText.fixed(sample.confidence, 2)
    self.init(
      sample.raster, caption: "\(truth) → \(predicted)", number: number,
      origin: "sample \(sample.key)",
      spoken: "sample \(sample.key): \(truth), predicted \(predicted) with \(number)",
      frame: sample.truth == sample.predicted ? .right : .wrong)
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
      "frame": style,
      "hasCaption": !caption.isEmpty || !number.isEmpty,
    ]
  }
}
