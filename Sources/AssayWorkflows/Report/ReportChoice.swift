import AssayMetrics
import AssayReports

/// The samples of a run that a report shows, by their index in the tally.
struct ReportChoice {
  /// A cell of the confusion matrix with its samples, most confident first.
  struct Cell {
    let truth: Int
    let predicted: Int
    var samples: [Int]
  }

  /// The cells that have samples, row by row.
  private(set) var cells: [Cell] = []
  /// The wrong samples, highest confidence first.
  private(set) var mistakes: [Int] = []
  /// The first samples of the run.
  let first: [Int]

  init(_ tally: ClassificationTally) {
    first = Array(0..<min(tally.count, PictureLimits.inputs))
    // Equal confidences stay in the run's order.
    let order = (0..<tally.count).sorted { a, b in
      (tally.confidences[b], a) < (tally.confidences[a], b)
    }
    var places: [Int: Int] = [:]
    for index in order {
      let sample = tally[index]
      if !sample.isCorrect, mistakes.count < PictureLimits.mistakes { mistakes.append(index) }
      let key = sample.truth * tally.classCount + sample.predicted
      if let place = places[key] {
        if cells[place].samples.count < PictureLimits.perCell { cells[place].samples.append(index) }
      } else {
        places[key] = cells.count
        cells.append(Cell(truth: sample.truth, predicted: sample.predicted, samples: [index]))
      }
    }
    cells.sort { ($0.truth, $0.predicted) < ($1.truth, $1.predicted) }
    let worst = Confusion.all(in: tally.confusion).prefix(PictureLimits.confusions)
    limit(first: Set(worst.map { $0.truth * tally.classCount + $0.predicted }), tally.classCount)
  }

  /// All shown samples, each once, in the run's order.
  var all: [Int] { Set(first + mistakes + cells.flatMap(\.samples)).sorted() }

  /// Selects the images of the worst confusions, then one sample of every cell, then a second one
  /// of every cell, up to the limit.
  private mutating func limit(first: Set<Int>, _ classes: Int) {
    var left = PictureLimits.inCells
    var kept = cells.map { cell in
      first.contains(cell.truth * classes + cell.predicted)
        ? min(cell.samples.count, PictureLimits.perConfusion) : 0
    }
    left -= kept.reduce(0, +)
    for rank in 0..<PictureLimits.perCell {
      for index in cells.indices
      where cells[index].samples.count > rank && kept[index] <= rank && left > 0 {
        kept[index] += 1
        left -= 1
      }
    }
    for index in cells.indices {
      cells[index].samples = Array(cells[index].samples.prefix(kept[index]))
    }
  }
}
