import AssayCore
import AssayTestSupport
import Testing

@testable import AssayWorkflows

@Suite("The choice of frames for an action shot")
struct ActionShotRuleTests {
  private let size = ImageSize(width: 100, height: 60)

  /// A frame with a rectangle.
  private func frame(
    _ name: String, _ x: Int, _ y: Int = 20, _ width: Int = 10, _ height: Int = 20
  ) -> ActionFrame {
    ActionFrame(name: name, content: .success(Mask(x, y, width, height, in: size)))
  }

  private func chosen(_ frames: [ActionFrame], _ rule: ActionShotRule = ActionShotRule())
    -> [String]
  {
    zip(frames, rule.choose(frames).verdicts).filter { $0.1.opacity != nil }.map(\.0.name)
  }

  @Test("Going back from the last frame, frames whose masks lie apart are taken")
  func apart() {
    // Ten pixels wide, three apart: every fourth frame lies completely apart.
    let frames = (0..<20).map { frame("\($0)", 5 + 3 * $0) }
    let choice = ActionShotRule().choose(frames)
    #expect(choice.axis == .horizontal)
    #expect(chosen(frames) == ["3", "7", "11", "15", "19"])
    #expect(choice.verdicts[18] == .rejected(.overlaps(0.7, with: "19")))
    let opacities = choice.verdicts.compactMap(\.opacity)
    #expect(opacities.count == 5 && opacities.first == 0.35 && opacities.last == 1)
    #expect(zip(opacities, opacities.dropFirst()).allSatisfy { abs($1 - $0 - 0.1625) < 1e-12 })
    // With 10 % of overlap, every third one will do.
    var rule = ActionShotRule()
    rule.maxOverlap = 0.1
    #expect(chosen(frames, rule) == ["1", "4", "7", "10", "13", "16", "19"])
  }

  @Test("The same to the other side, and downwards")
  func directions() {
    let left = (0..<20).map { frame("\($0)", 80 - 4 * $0) }
    #expect(chosen(left) == ["1", "4", "7", "10", "13", "16", "19"])
    let down = (0..<10).map { frame("\($0)", 40, 2 + 3 * $0, 10, 6) }
    #expect(ActionShotRule().choose(down).axis == .vertical)
    #expect(chosen(down) == ["1", "3", "5", "7", "9"])
  }

  @Test("A subject that is cut off at an edge of its path is not shown; at another edge it is")
  func edges() {
    let frames = [
      frame("in", 0), frame("a", 20, 0), frame("b", 50, 40), frame("out", 90),
    ]
    let choice = ActionShotRule().choose(frames)
    #expect(choice.verdicts[0] == .rejected(.cutOff(.left)))
    #expect(choice.verdicts[3] == .rejected(.cutOff(.right)))
    #expect(chosen(frames) == ["a", "b"])
  }

  @Test(
    "Frames without a subject, with a speck, of another size and unreadable ones have their reasons"
  )
  func reasons() {
    let other = ImageSize(width: 50, height: 60)
    let frames = [
      ActionFrame(name: "empty", content: .success(Mask(emptyOf: size))),
      frame("speck", 30, 30, 2, 2),
      ActionFrame(name: "small", content: .success(Mask(5, 5, 20, 20, in: other))),
      ActionFrame(name: "cut", content: .failure(FrameFault("the file is cut"))),
      frame("a", 20), frame("b", 60),
    ]
    let verdicts = ActionShotRule().choose(frames).verdicts
    #expect(verdicts[0] == .rejected(.tooSmall(0)))
    #expect(verdicts[1] == .rejected(.tooSmall(4.0 / 6000)))
    #expect(verdicts[2] == .rejected(.otherSize(other, expected: size)))
    #expect(verdicts[3] == .rejected(.fault(FrameFault("the file is cut"))))
    #expect(verdicts[4] == .chosen(opacity: 0.35) && verdicts[5] == .chosen(opacity: 1))
  }

  @Test("A film of one frame is that frame; of none with a subject, nothing")
  func one() {
    #expect(ActionShotRule().choose([frame("a", 0)]).verdicts == [.chosen(opacity: 1)])
    let empty = ActionFrame(name: "a", content: .success(Mask(emptyOf: size)))
    #expect(ActionShotRule().choose([empty]).verdicts == [.rejected(.tooSmall(0))])
    #expect(ActionShotRule().choose([]).verdicts.isEmpty)
  }

  @Test("Frames named by hand are used although they overlap or are cut off")
  func named() {
    var rule = ActionShotRule()
    rule.names = ["a", "c"]
    let frames = [frame("a", 0), frame("b", 30), frame("c", 5)]
    #expect(chosen(frames, rule) == ["a", "c"])
    #expect(rule.choose(frames).verdicts[1] == .rejected(.notNamed))
    // A small mask is enough, none is not.
    rule.names = ["speck", "none"]
    let small = [
      frame("speck", 3, 3, 1, 1), ActionFrame(name: "none", content: .success(Mask(emptyOf: size))),
    ]
    #expect(chosen(small, rule) == ["speck"])
  }
}

@Suite("The book's rule")
struct BookRuleTests {
  private func map(_ points: [(x: Int, y: Int, value: UInt8)]) -> Raster<UInt8> {
    var map = Raster<UInt8>(repeating: 0, width: 448, height: 448)
    for (x, y, value) in points { map[x, y] = value }
    return map
  }

  @Test("The box lies one pixel outside of values above 0, its right edge of values of 200 or more")
  func box() {
    let box = BookRule.box(of: map([(10, 20, 1), (50, 90, 255), (70, 60, 199)]))
    #expect(box == BookRule.ScannedBox(minX: 9, minY: 19, maxX: 51, maxY: 91))
    // At the left and the top edge the box begins outside of the picture.
    let edge = BookRule.box(of: map([(0, 0, 255), (30, 40, 255)]))
    #expect(edge == BookRule.ScannedBox(minX: -1, minY: -1, maxX: 31, maxY: 41))
    // Without a value, the box is the picture, which counts as none.
    #expect(BookRule.box(of: map([])) == nil)
  }

  @Test("Frames are taken from the last one back; their opacity grows to 1 with the eleventh")
  func choice() {
    let boxes = (0..<16).map { index -> BookRule.ScannedBox? in
      BookRule.ScannedBox(minX: 20 * index, minY: 100, maxX: 20 * index + 40, maxY: 300)
    }
    // Neighbors are 20 pixels apart; 0.15 · 80 / 2 is 6.
    let choice = BookRule.choose((0..<16).map(String.init), boxes: boxes)
    #expect(choice.axis == .horizontal)
    let opacities = choice.verdicts.compactMap(\.opacity)
    #expect(opacities.count == 16 && opacities[0] == 1.0 / 11 && opacities[9] == 10.0 / 11)
    #expect(opacities[10...].allSatisfy { $0 == 1 })
    let near = BookRule.choose(
      ["a", "b"],
      boxes: [boxes[0], BookRule.ScannedBox(minX: 3, minY: 100, maxX: 43, maxY: 300)])
    #expect(near.verdicts[0] == .rejected(.tooNear(3, least: 6, to: "b")))
    #expect(BookRule.choose(["a"], boxes: [nil]).verdicts == [.rejected(.noBox)])
  }
}
