import AssayCore
import AssayStore

/// Collects the statistics of detections that are imported, sample by sample.
struct ImportedDetectionTally {
  var health = FileDetectionHealth()
  private var perImage: [Int] = []
  /// The largest coordinate, and the number of boxes that have one.
  private var largest = 0.0
  private var boxes = 0

  /// Adds the detections of one sample, with boxes in pixels.
  ///
  /// - Parameter size: the image's; `nil` if it is unknown.
  mutating func add(_ detections: [Detection], in size: ImageSize?) {
    perImage.append(detections.count)
    health.usable += detections.count
    if detections.count > health.limit {
      var perClass: [Int: Int] = [:]
      for detection in detections { perClass[detection.class, default: 0] += 1 }
      health.beyondLimit += perClass.values.reduce(0) { $0 + max(0, $1 - health.limit) }
    }
    for detection in detections {
      health.lowestScore = min(health.lowestScore ?? detection.confidence, detection.confidence)
      health.highestScore = max(health.highestScore ?? detection.confidence, detection.confidence)
      boxes += 1
      largest = max(
        largest, detection.box.x + detection.box.width, detection.box.y + detection.box.height)
      // A box computed from a region says nothing about the file's box format.
      if detection.counts == nil { look(at: detection.box, in: size) }
    }
  }

  private mutating func look(at box: Box, in size: ImageSize?) {
    let (right, bottom) = (box.x + box.width, box.y + box.height)
    if box.width < 0 || box.height < 0 {
      health.negativeBoxes += 1
    } else if box.width == 0 || box.height == 0 {
      health.emptyBoxes += 1
    }
    guard let size else { return }
    health.sized += 1
    let (width, height) = (Double(size.width), Double(size.height))
    if box.x < -1 || box.y < -1 || right > width + 1 || bottom > height + 1 {
      health.beyondImage += 1
    }
    if box.x >= width || box.y >= height || right <= 0 || bottom <= 0 { health.outside += 1 }
    health.lookAtForm(of: box, width: width, height: height)
  }

  /// The statistics of all samples.
  ///
  /// - Parameter hasObjects: returns whether samples, given by index, have objects; called for
  ///   those without a detection.
  func finished(hasObjects: ([Int]) throws -> [Bool]) rethrows -> FileDetectionHealth {
    var health = health
    let without = perImage.indices.filter { perImage[$0] == 0 }
    health.imagesWithout = without.count
    health.imagesWithoutButTruth = try hasObjects(without).count { $0 }
    let sorted = perImage.sorted()
    health.most = sorted.last ?? 0
    let middle = sorted.count / 2
    if !sorted.isEmpty {
      health.median =
        sorted.count % 2 == 1
        ? Double(sorted[middle]) : Double(sorted[middle - 1] + sorted[middle]) / 2
    }
    health.areFractions = boxes >= 10 && largest <= 1.5
    return health
  }
}
