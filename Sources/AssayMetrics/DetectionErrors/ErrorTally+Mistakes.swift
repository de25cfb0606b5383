package import AssayCore

extension ErrorTally {
  /// The costliest mistakes of a type, worst first: those of detections by falling score, for it is the
  /// surest ones that push right ones down; missed objects by falling area, for they have no score and the
  /// large ones are the plainest. Equals in the order of the images.
  ///
  /// - Parameters:
  ///   - limit: the most that come back.
  ///   - class: of the detection or, of a missed object, its own; `nil` for all.
  /// - Complexity: O(*detections* + *mistakes* · *limit*), far less where scores differ.
  package func costliest(
    _ kind: DetectionErrorKind, limit: Int, class category: Int? = nil
  ) -> [CostlyMistake] {
    var worst = Worst(limit: limit)
    for image in 0..<count {
      if kind == .missed {
        for place in truthStarts[image]..<truthStarts[image + 1]
        where truths[place].outcome == .missed {
          guard category == nil || category == Int(truths[place].class) else { continue }
          worst.offer(Double(truths[place].area), image, place)
        }
      } else {
        for place in foundStarts[image]..<foundStarts[image + 1]
        where founds[place].mark.error == kind {
          guard category == nil || category == Int(founds[place].class) else { continue }
          worst.offer(founds[place].score, image, place)
        }
      }
    }
    return worst.entries.map { entry in
      kind == .missed
        ? missed(entry.image, entry.place - truthStarts[entry.image])
        : mistake(kind, entry.image, entry.place - foundStarts[entry.image])
    }
  }

  private func missed(_ image: Int, _ index: Int) -> CostlyMistake {
    let truth = truths[truthStarts[image] + index]
    return CostlyMistake(
      kind: .missed, image: image, found: nil, truth: index, class: Int(truth.class),
      truthClass: Int(truth.class), score: nil, overlap: nil, area: Double(truth.area))
  }

  private func mistake(_ kind: DetectionErrorKind, _ image: Int, _ index: Int) -> CostlyMistake {
    let found = founds[foundStarts[image] + index]
    let about = found.truth < 0 ? nil : Int(found.truth)
    return CostlyMistake(
      kind: kind, image: image, found: index, truth: about, class: Int(found.class),
      truthClass: about.map { Int(truths[truthStarts[image] + $0].class) }, score: found.score,
      overlap: about.map { _ in Double(found.overlap) }, area: nil)
  }
}

/// The largest of many offers, largest first, equals in the order in which they came.
private struct Worst {
  struct Entry {
    var key: Double
    var image: Int
    var place: Int
  }

  let limit: Int
  private(set) var entries: [Entry] = []

  init(limit: Int) { self.limit = max(0, limit) }

  mutating func offer(_ key: Double, _ image: Int, _ place: Int) {
    if entries.count == limit {
      guard let last = entries.last, key > last.key else { return }
      entries.removeLast()
    }
    let index = entries.firstIndex { $0.key < key } ?? entries.count
    entries.insert(Entry(key: key, image: image, place: place), at: index)
  }
}
