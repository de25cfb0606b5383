import AssayCore
import AssayImaging
import Testing

import AssayWorkflows

@Suite("The settings of a segmentation")
struct SegmentationRecipeTests {
  private static let size = ImageSize(width: 8, height: 6)

  @Test(
    "Settings are read back as they were",
    arguments: [
      SegmentationRecipe(
        precision: "f32", keepsMaps: true, threshold: 0.5, background: nil, input: size,
        resize: .stretch),
      SegmentationRecipe(
        precision: "bf16", keepsMaps: false, keepsMasks: true, threshold: nil, background: 0,
        input: size,
        resize: .letterbox(fill: 114, anchor: .topLeft)),
      SegmentationRecipe(
        precision: "f32", keepsMaps: true, threshold: 0.1, background: 1, input: size,
        resize: .centerCrop),
    ])
  func roundTrip(_ recipe: SegmentationRecipe) {
    #expect(SegmentationRecipe(settings: recipe.settings) == recipe)
  }

  @Test("The text is fixed, for runs are found again by it")
  func text() {
    let recipe = SegmentationRecipe(
      precision: "f32", keepsMaps: true, threshold: 0.5, background: nil, input: Self.size,
      resize: .letterbox(fill: 7, anchor: .center))
    #expect(
      recipe.settings == #"{"task":"segmentation","precision":"f32","maps":true,"threshold":0.5,"#
        + #""background":null,"input":{"width":8,"height":6,"resize":"letterbox","fill":7,"anchor":"center"}}"#
    )
  }

  @Test(
    "Other text is none",
    arguments: [
      "", "{}", #"{"precision":"f32"}"#, #"{"task":"classification"}"#,
      #"{"task":"segmentation","precision":"f32","maps":true,"input":{"width":0,"height":4,"resize":"stretch"}}"#,
      #"{"task":"segmentation","precision":"f32","maps":true,"input":{"width":4,"height":4,"resize":"fold"}}"#,
      #"{"task":"segmentation","precision":"f32","maps":true,"threshold":2,"#
        + #""input":{"width":4,"height":4,"resize":"stretch"}}"#,
    ])
  func refused(_ text: String) { #expect(SegmentationRecipe(settings: text) == nil) }
}
