import AssayWorkflows
import Testing

@testable import AssayCommands

@Suite("Warnings about a file of detections")
struct FileDetectionWarningsTests {
  private static let percentages: FileDetectionHealth = {
    var health = FileDetectionHealth()
    (health.lowestScore, health.highestScore) = (40, 99.70000001)
    return health
  }()

  @Test("The first word has a color, and no escape is shown as text")
  func color() {
    let lines = FileDetectionWarnings(Self.percentages)
      .paragraphs(in: Terminal(width: 60, folds: true, hasColor: true))
    #expect(lines.count == 1)
    #expect(
      lines.first?.hasPrefix("\u{1B}[38;5;166mwarning: \u{1B}[0mscores go up to 99.7,") == true)
    #expect(lines.allSatisfy { !$0.contains("u{1b}") })
  }

  @Test("Lines keep to the terminal, the word before them counted")
  func width() {
    let lines = FileDetectionWarnings(Self.percentages).paragraphs(in: Terminal(width: 60))
      .flatMap { $0.split(separator: "\n") }
    #expect(lines.count == 3 && lines.allSatisfy { $0.count <= 60 })
    #expect(lines.first?.hasPrefix("warning: scores") == true)
  }

  @Test("A score is shown with four digits")
  func digits() {
    var health = FileDetectionHealth()
    (health.lowestScore, health.highestScore) = (0.05002730339765549, 0.9)
    #expect(
      FileDetectionWarnings(health).texts.first?.hasPrefix("the lowest score is 0.05003: were")
        == true)
  }

  @Test("Images without a result ask for the split")
  func part() {
    var health = FileDetectionHealth()
    (health.images, health.imagesWithout, health.imagesWithoutButTruth) = (100, 52, 52)
    (health.usable, health.lowestScore, health.highestScore) = (346, 0.001, 0.9)
    #expect(
      FileDetectionWarnings(health).texts == [
        "52 of 100 images have no result, 52 of them with objects, which count as not found: are "
          + "these results of a subset, or of another split?"
      ])
  }
}
