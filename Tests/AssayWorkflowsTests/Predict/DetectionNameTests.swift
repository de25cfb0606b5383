import AssayCore
import Testing

@testable import AssayWorkflows

@Suite("Names of detections in pictures")
struct DetectionNameTests {
  @Test("A classifier's label has its own score, not the detector's")
  func labels() {
    var face = Detection(
      class: 0, confidence: 0.671, box: Box(x: 1, y: 2, width: 3, height: 4))
    #expect(RunDrawing.label("face", face) == (name: "face", score: 0.671))
    face.attributes = #"{"label":"angry","score":0.383,"qualifies":true}"#
    #expect(RunDrawing.label("face", face) == (name: "face 0.67, angry", score: 0.383))
    face.attributes = #"{"label":"angry"}"#
    #expect(RunDrawing.label("face", face) == (name: "face 0.67, angry", score: nil))
    face.attributes = #"{"label":3,"score":0.383}"#
    #expect(RunDrawing.label("face", face) == (name: "face", score: 0.671))
  }
}
