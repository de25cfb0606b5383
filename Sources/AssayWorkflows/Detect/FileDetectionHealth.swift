package import AssayCore
import AssayFormats

/// Statistics of the results before their evaluation, which reveal common mistakes.
package struct FileDetectionHealth: Sendable, Hashable {
  /// The number of ground-truth images, of those without any result, and of those among them that
  /// have objects.
  package var images = 0
  package var imagesWithout = 0
  package var imagesWithoutButTruth = 0
  /// The number of results in the file, and of those that can be used.
  package var results = 0
  package var usable = 0
  /// The median (for an even count, the mean of the middle two) and the maximum number of results
  /// per image.
  package var median = 0.0
  package var most = 0
  /// The maximum number of results of a class that count in an image, and the number of results beyond it.
  package var limit = 100
  package var beyondLimit = 0
  /// The number of results within the limit whose score equals that of another result of their
  /// class.
  package var tiedResults = 0
  /// The lowest score; `nil` without results.
  package var lowestScore: Double?
  package var highestScore: Double?
  /// Counts of results with a box whose image's size is known: all, those that reach beyond the
  /// image by more than a pixel, those entirely outside, and those whose width and height would be
  /// a corner inside the image.
  package var sized = 0
  package var beyondImage = 0
  package var outside = 0
  package var likeCorners = 0
  /// The number of the same results that would lie in their image if x and y were the box's center.
  package var likeCenters = 0
  /// The number of boxes without a size, and of those with a negative size.
  package var emptyBoxes = 0
  package var negativeBoxes = 0
  /// True if the boxes look like fractions of the image: there are at least 10, and none exceeds
  /// 1.5.
  package var areFractions = false
  /// A known error that explains the class ids of the results.
  package var shift: ClassIDShift?

  /// Statistics without data.
  package init() {}

  /// Its members in JSON.
  package var members: [JSONValue.Member] {
    [
      .init("images", JSONValue(images)),
      .init("images_without_result", JSONValue(imagesWithout)),
      .init("labeled_images_without_result", JSONValue(imagesWithoutButTruth)),
      .init("results", JSONValue(results)), .init("usable_results", JSONValue(usable)),
      .init("results_per_image", ["median": .number(median), "max": JSONValue(most)]),
      .init("max_dets", JSONValue(limit)), .init("beyond_max_dets", JSONValue(beyondLimit)),
      .init("lowest_score", JSONValue(lowestScore)),
      .init("highest_score", JSONValue(highestScore)),
      .init("tied_results", JSONValue(tiedResults)), .init("looks_truncated", .bool(seemsCut)),
      .init("boxes_checked", JSONValue(sized)),
      .init("boxes_beyond_image", JSONValue(beyondImage)),
      .init("boxes_outside_image", JSONValue(outside)),
      .init("boxes_like_corners", JSONValue(likeCorners)),
      .init("looks_like_corners", .bool(looksLikeCorners)),
      .init("looks_like_centers", .bool(looksLikeCenters)),
      .init("looks_like_fractions", .bool(areFractions)),
      .init("empty_boxes", JSONValue(emptyBoxes)),
      .init("negative_boxes", JSONValue(negativeBoxes)),
      .init("class_id_shift", JSONValue(shift?.rawValue)),
    ]
  }

  /// True if the boxes look like two corners (x1, y1, x2, y2) instead of a corner and a size.
  package var looksLikeCorners: Bool {
    sized >= 10 && likeCorners * 20 >= sized * 19 && beyondImage * 5 >= sized
  }

  /// True if x and y of the boxes look like centers instead of upper left corners.
  package var looksLikeCenters: Bool {
    sized >= 10 && likeCenters * 20 >= sized * 19 && beyondImage * 5 >= sized && !looksLikeCorners
  }

  /// True if so many boxes lie outside their images that they may use another coordinate system, and it is unknown
  /// which one.
  package var isElsewhere: Bool {
    sized >= 10 && outside * 20 >= sized && !looksLikeCorners && !looksLikeCenters
  }

  /// True if so many images with objects have no result that the results may be for other images.
  package var lacksImages: Bool {
    usable > 0 && images >= 10 && imagesWithoutButTruth * 4 >= images
  }

  /// Counts a box that would lie in its image of that size if it had another format.
  mutating func lookAtForm(of box: Box, width: Double, height: Double) {
    let (right, bottom) = (width + 1, height + 1)
    if box.width > box.x, box.height > box.y, box.width <= right, box.height <= bottom {
      likeCorners += 1
    }
    let (across, down) = (box.width / 2, box.height / 2)
    if across > 0, down > 0, box.x - across >= -1, box.y - down >= -1, box.x + across <= right,
      box.y + down <= bottom
    {
      likeCenters += 1
    }
  }

  /// True if the results seem to have been exported with a score threshold, which removes the
  /// low-precision tail of the curve.
  package var seemsCut: Bool { (lowestScore ?? 0) >= 0.02 && (highestScore ?? 0) <= 1 }
}

extension FileDetectionHealth {
  /// Collects the statistics of joined results.
  init(_ join: FileDetectionJoin, limit: Int, tiedResults: Int) {
    let source = join.inputs.results
    images = join.images.count
    results = source.count
    self.limit = limit
    self.tiedResults = tiedResults
    count(join)
    look(at: join)
    shift = ClassIDShift(
      results: source.categories, truth: join.inputs.truth.categories.map(\.id))
  }

  private mutating func count(_ join: FileDetectionJoin) {
    let classes = join.classes.count
    var perImage = [Int32](repeating: 0, count: images)
    var hasTruth = [Bool](repeating: false, count: images)
    for (place, image) in join.truth.images.enumerated()
    where image >= 0 && join.truth.classes[place] >= 0 {
      hasTruth[Int(image)] = true
    }
    // A table of all classes by all images would be large; only a few images have classes over the
    // limit.
    for (place, image) in join.found.images.enumerated()
    where image >= 0 && join.found.classes[place] >= 0 {
      perImage[Int(image)] += 1
    }
    let crowded = Set(perImage.indices.filter { Int(perImage[$0]) > limit })
    if !crowded.isEmpty {
      var perClass: [Int: Int] = [:]
      for (place, image) in join.found.images.enumerated()
      where image >= 0 && join.found.classes[place] >= 0 && crowded.contains(Int(image)) {
        perClass[Int(image) * classes + Int(join.found.classes[place]), default: 0] += 1
      }
      beyondLimit = perClass.values.reduce(0) { $0 + max(0, $1 - limit) }
    }
    usable = perImage.reduce(0) { $0 + Int($1) }
    for image in perImage.indices where perImage[image] == 0 {
      imagesWithout += 1
      if hasTruth[image] { imagesWithoutButTruth += 1 }
    }
    perImage.sort()
    most = Int(perImage.last ?? 0)
    let middle = perImage.count / 2
    if !perImage.isEmpty {
      median =
        perImage.count % 2 == 1
        ? Double(perImage[middle]) : Double(perImage[middle - 1] + perImage[middle]) / 2
    }
  }

  private mutating func look(at join: FileDetectionJoin) {
    let flags = join.inputs.results.flags
    let sizes = join.images.map(\.size)
    var low = Double.infinity
    var high = -Double.infinity
    var boxes = 0
    var largest = 0.0
    join.found.boxes.withUnsafeBufferPointer { found in
      for place in found.indices {
        let image = join.found.images[place]
        guard image >= 0, join.found.classes[place] >= 0 else { continue }
        if !flags[place].contains(.notFinite) {
          let score = join.found.scores[place]
          low = min(low, score)
          high = max(high, score)
        }
        if flags[place].contains(.noBox) { continue }
        let box = found[place]
        boxes += 1
        let right = box.x + box.width
        let bottom = box.y + box.height
        largest = max(largest, right, bottom)
        if box.width < 0 || box.height < 0 {
          negativeBoxes += 1
        } else if box.width == 0 || box.height == 0 {
          emptyBoxes += 1
        }
        guard let size = sizes[Int(image)] else { continue }
        sized += 1
        let width = Double(size.width) + 1
        let height = Double(size.height) + 1
        if box.x < -1 || box.y < -1 || right > width || bottom > height { beyondImage += 1 }
        if box.x >= width - 1 || box.y >= height - 1 || right <= 0 || bottom <= 0 { outside += 1 }
        lookAtForm(of: box, width: width - 1, height: height - 1)
      }
    }
    if low <= high { (lowestScore, highestScore) = (low, high) }
    areFractions = boxes >= 10 && largest <= 1.5
  }
}
