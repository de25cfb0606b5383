import AssayCore
import AssayImaging

/// The visible pixels of the objects of an image, or of its parts of one level, in ADE20K's full
/// releases: `x_seg.png` or `x_parts_1.png`. Red / 10 · 256 + green is the class of a pixel, and blue
/// tells the instances apart.
struct ADE20KLevel {
  struct Instance {
    /// The value of blue, at least 1.
    var value: Int
    /// The number of the class, that of most pixels; 0 for none.
    var number: Int
    /// The number of pixels that have the number of another class.
    var others: Int
    var mask: Mask
  }

  /// In ascending order of their values.
  private(set) var instances: [Instance] = []
  /// The number of pixels that have a class and no instance.
  private(set) var strays = 0

  /// The end of the name of a level's mask, after that of its image.
  static func ending(_ level: Int) -> String {
    level == 0 ? "_seg.png" : "_parts_\(level).png"
  }

  static let byteLimit = 512 << 20

  /// Returns whether a file can be such a mask.
  static func isPossible(_ header: ImageHeader) -> Bool {
    header.kind == .png && header.channels >= 3 && header.bitDepth == 8
  }

  /// - Parameter raster: 3 channels, at least one pixel.
  init(_ raster: Raster<UInt8>) {
    precondition(raster.channels == 3)
    var values = Raster<UInt16>(repeating: 0, width: raster.width, height: raster.height)
    // The pixels of each value of blue and class.
    var counts: [Int: Int] = [:]
    raster.elements.withUnsafeBufferPointer { pixels in
      values.elements.withUnsafeMutableBufferPointer { target in
        var (last, length) = (0, 0)
        for pixel in target.indices {
          let number = (Int(pixels[3 * pixel]) / 10) << 8 | Int(pixels[3 * pixel + 1])
          let value = pixels[3 * pixel + 2]
          target[pixel] = UInt16(value)
          let key = Int(value) << 16 | number
          if key != last {
            counts[last, default: 0] += length
            (last, length) = (key, 0)
          }
          length += 1
        }
        counts[last, default: 0] += length
      }
    }
    var numbers: [Int: (number: Int, count: Int, all: Int)] = [:]
    for (key, count) in counts.sorted(by: { $0.key < $1.key }) where count > 0 {
      let (value, number) = (key >> 16, key & 0xFFFF)
      if value == 0, number != 0 { strays += count }
      var known = numbers[value] ?? (number, 0, 0)
      if count > known.count { (known.number, known.count) = (number, count) }
      known.all += count
      numbers[value] = known
    }
    // A byte has fewer values than the limit.
    for (value, mask) in ValueMasks.masks(of: values, omitting: 0) ?? [] {
      let known = numbers[Int(value)] ?? (0, 0, 0)
      instances.append(
        Instance(
          value: Int(value), number: known.number, others: known.all - known.count, mask: mask))
    }
  }

  /// The instance of each number that a list has for the level; `nil` if they cannot be told.
  ///
  /// The release numbers the instances in the order of their values. If some have no pixels, and the
  /// values are not the numbers themselves, it is unknown which.
  ///
  /// - Parameter numbers: in ascending order, each once.
  func instances(numbered numbers: [Int]) -> [Int: Instance]? {
    if numbers.count == instances.count {
      return Dictionary(uniqueKeysWithValues: zip(numbers, instances))
    }
    let known = Set(numbers)
    guard instances.allSatisfy({ known.contains($0.value) }) else { return nil }
    return Dictionary(uniqueKeysWithValues: instances.map { ($0.value, $0) })
  }
}
