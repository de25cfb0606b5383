/// Evidence for the meaning of 255 in masks of 8 bits without named classes: void beside classes, or the only class, with some
/// stray gray values that painting and resizing leave.
struct VoidEvidence {
  /// The number of masks whose only value beside 0 is 255, and of those with other ones.
  private var masks = (void: 0, classes: 0)
  /// The number of pixels of 255, and of 1 to 254.
  private var pixels = (void: 0, classes: 0)
  /// The lowest value beside 0 and 255, and the first mask with such values.
  private var least = UInt16.max
  private var first: (file: String, value: UInt16)?

  /// Values from here on are likely gray values, not the numbers of classes.
  private static let gray: UInt16 = 32

  mutating func add(_ reading: MaskReading) {
    let values = reading.regions.filter { !$0.isWide }
    let classes = values.filter { $0.value != IndexClasses.void }
    if let value = classes.map(\.value).min() {
      masks.classes += 1
      least = min(least, value)
      first = first ?? (reading.pair.mask.path, value)
    } else if !values.isEmpty {
      masks.void += 1
    }
    for region in values {
      if region.value == IndexClasses.void {
        pixels.void += region.area
      } else {
        pixels.classes += region.area
      }
    }
  }

  /// The reason why 255 can be the class, with the mask that shows it; `nil` if it is void.
  ///
  /// In most masks 255 is alone, or the other values are gray ones; and 255 has more pixels than they have together.
  var problem: (file: String, text: String)? {
    guard let first, pixels.void > pixels.classes,
      masks.void > masks.classes || least >= Self.gray
    else { return nil }
    return (
      first.file,
      "it has the value \(first.value), and 255 has \(pixels.void) of \(pixels.void + pixels.classes) pixels that are "
        + "not 0: 255 can be the class and \(first.value) a stray gray value, or 255 void; save binary masks with 0 "
        + "and 255 only, or name the classes of the values in a classes.txt or with --classes"
    )
  }
}
