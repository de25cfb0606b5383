import AssayCore
import AssayWorkflows
import Foundation

/// The warnings about likely export mistakes in a file of results.
struct FileDetectionWarnings {
  let texts: [String]

  init(_ health: FileDetectionHealth) {
    var texts: [String] = []
    if let shift = health.shift { texts.append("class ids: \(shift.advice)") }
    if health.looksLikeCorners {
      texts.append(
        "the boxes look like corners (x1, y1, x2, y2): \(health.likeCorners) of \(health.sized) would "
          + "then fit their images, and \(health.beyondImage) exceed them now; COCO boxes are x, y, "
          + "width, height")
    }
    if health.looksLikeCenters {
      texts.append(
        "the boxes look like centers (center x, center y, width, height): \(health.likeCenters) of "
          + "\(health.sized) would then fit their images, and \(health.beyondImage) exceed them now; "
          + "COCO's x and y are the upper left corner")
    }
    if health.isElsewhere {
      texts.append(
        "\(health.outside) of \(health.sized) boxes \(health.outside == 1 ? "is completely outside its image" : "are completely outside their images"): are x and y swapped, "
          + "or do the boxes belong to images of another size?")
    }
    if health.lacksImages {
      texts.append(
        "\(health.imagesWithout) of \(health.images) images \(health.imagesWithout == 1 ? "has" : "have") no result, "
          + "\(health.imagesWithoutButTruth) of them with objects, which count as not found: are these "
          + "results of a subset, or of another split?")
    }
    if health.areFractions {
      texts.append("the boxes look like fractions of the image; they are expected in pixels")
    }
    if health.negativeBoxes > 0 {
      texts.append(
        Counted.text(health.negativeBoxes, "box has", "boxes have")
          + " a negative width or height; such boxes match nothing")
    }
    if health.emptyBoxes > 0 {
      texts.append(
        Counted.text(health.emptyBoxes, "box has", "boxes have") + " a width or height of 0")
    }
    if let low = health.lowestScore, health.seemsCut {
      texts.append(
        "the lowest score is \(Self.short(low)): were results with lower scores left out of the file? "
          + "AP also uses low scores; export with a minimum score of 0.001")
    }
    if let high = health.highestScore, high > 1 {
      texts.append(
        "scores go up to \(Self.short(high)), like percentages or raw outputs: AP only ranks them, but "
          + "the minimum score (--score) and calibration expect 0 to 1")
    }
    self.texts = texts
  }

  /// The warnings, each after the word "warning:" in its color, broken into lines.
  func paragraphs(in terminal: Terminal) -> [String] {
    let lead = "warning: "
    return texts.map { text in
      terminal.wrong(lead) + Paragraph.text(lead + text, in: terminal).dropFirst(lead.count)
    }
  }

  private static func short(_ value: Double) -> String { String(format: "%.4g", value) }
}
