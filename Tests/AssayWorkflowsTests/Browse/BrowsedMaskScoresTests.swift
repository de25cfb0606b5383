import AssayStore
import Testing

@testable import AssayWorkflows

/// Tests the scores of masks of one sample.
struct BrowsedMaskScoresTests {
  @Test("Each class with pixels has its IoU and Dice; one without any is left out")
  func classes() {
    // Rows are the ground truth: 4 of 6 pixels of a are right, b is never predicted, c is nowhere.
    let tally = PixelTallyRecord(
      sample: 1, confusion: [4, 0, 0, 2, 0, 0, 0, 0, 0], boundary: [0, 0, 0, 0, 0, 0], void: 0,
      iou: 0.5, dice: 0.75, uncertainty: 0.25)
    let scores = BrowsedMaskScores(tally, classes: ["a", "b", "c"])
    #expect(scores.iou == 0.5 && scores.dice == 0.75 && scores.uncertainty == 0.25)
    #expect(
      scores.classes == [
        .init(class: "a", iou: 4.0 / 6, dice: 8.0 / 10, isMissed: false),
        .init(class: "b", iou: 0, dice: 0, isMissed: true),
      ])
  }
}
