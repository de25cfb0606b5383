import AssayCore
import Testing

import AssayInference

@Suite("Files of pipelines")
struct PipelineFileTests {
  private func read(_ yaml: String) throws -> PipelineFile {
    try PipelineFile(yaml: yaml, path: "p.yaml")
  }

  @Test("Every ready-made pipeline can be read, and has the manifests of its models but one")
  func ready() throws {
    #expect(PipelineFiles.names == ["faces", "people", "small-faces"])
    for name in PipelineFiles.names {
      let pipeline = try read(try #require(PipelineFiles.pipeline(name)))
      #expect(pipeline.name == name && pipeline.steps.first?.action == .detect)
      for model in pipeline.steps.compactMap(\.model) where model != "yolox" {
        let text = try #require(PipelineFiles.manifest(model), "\(model)")
        let manifest = try ModelManifest(yaml: text, path: model)
        #expect(manifest.name == model)
      }
    }
    #expect(PipelineFiles.pipeline("none") == nil && PipelineFiles.manifest("none") == nil)
  }

  @Test("All keys are read")
  func keys() throws {
    let pipeline = try read(
      """
      name: all
      description: Everything
      steps:
        - detect: d
          classes: [a, b]
          min-score: 0.25
        - qualify: {min-side: 20, min-score: 0.5, max-angle: 45, min-sharpness: 0.1}
          drop: yes
        - keypoints: k
          crop: {pad: 0.1, scale: 1.5, shape: longer, align: yes, size: 192, sampling: corners}
          keep-points: yes
        - segment: s
          class: person
          min-score: 1/2
        - classify: c
          as: mood
          crop: {pad: [0.1, 0.2, 0.3, -0.1], shape: shorter, align: yes, pivot: keypoints, size: 48, stretch: yes}
      """)
    #expect(pipeline.description == "Everything" && pipeline.steps.count == 5)
    let steps = pipeline.steps
    #expect(steps[0].classes == ["a", "b"] && steps[0].minScore == 0.25 && steps[0].crop == nil)
    #expect(
      steps[1].action
        == .qualify(ObjectRule(minSide: 20, minScore: 0.5, maxAngle: 45, minSharpness: 0.1)))
    #expect(steps[1].drops && steps[1].model == nil)
    #expect(
      steps[2].crop
        == CropRule(
          pad: [0.1, 0.1, 0.1, 0.1], scale: 1.5, shape: .longer, aligns: true, size: 192,
          sampling: .corners))
    #expect(steps[2].keepsPoints && steps[2].attribute == "k")
    #expect(steps[3].className == "person" && steps[3].minScore == 0.5)
    #expect(steps[4].attribute == "mood" && steps[4].crop?.pad == [0.1, 0.2, 0.3, -0.1])
    #expect(steps[4].crop?.pivot == .keypoints && steps[2].crop?.pivot == .box)
    #expect(steps[4].crop?.stretches == true && steps[2].crop?.stretches == false)
    #expect(steps[3].crop == CropRule())
  }

  @Test(
    "What does not fit is refused with its line",
    arguments: [
      ("steps: [{detect: d}]", "name"), ("name: p", "steps"), ("name: p\nsteps: []", "1 to 20"),
      ("name: p\nsteps:\n  - classify: c", "the first step"),
      ("name: p\nsteps:\n  - detect: d\n    crop: {scale: 2}", "crop"),
      ("name: p\nsteps:\n  - detect: d\n  - classify: c\n    crop: {pivot: keypoints}", "align"),
      ("name: p\nsteps:\n  - detect: d\n  - classify: c\n    crop: {stretch: yes}", "size"),
      ("name: p\nsteps:\n  - detect: d\n  - classify: c\n    segment: s", "segment"),
      ("name: p\nsteps:\n  - detect: d\n  - classify: c\n    clas: x", "clas"),
      ("name: p\nsteps:\n  - detect: d\n  - qualify: {min-size: 3}", "min-size"),
      ("name: p\nsteps:\n  - detect: d\n  - qualify: {}", "min-side"),
      ("name: p\nsteps:\n  - detect: d\n    min-score: 2", "min-score"),
      ("name: p\nsteps:\n  - detect: d\n  - classify: c\n    crop: {shape: round}", "round"),
      ("name: p\nsteps:\n  - detect: d\n  - classify: c\n    crop: {pad: [1, 2]}", "pad"),
      ("name: p\nsteps:\n  - detect: d\n  - classify: c\n    crop: {scale: 0}", "scale"),
      ("name: p\nsteps:\n  - detect: d\n  - classify: c\n    crop: {pad: -1}", "pad"),
      ("name: p\nsteps:\n  - detect: d\n    drop: yes", "drop"),
      ("name: p\nsteps:\n  - detect: d\n  - classify: c\n    crop: {pad: [1, 2]}", "left, top"),
      ("name: p\nsteps:\n  - detect: d\n  - classify: c\n  - classify: e", "the attribute label"),
      ("name: p\nsteps:\n  - detect: d\n  - classify: c\n    as: qualifies", "qualifies"),
      ("name: p\nsteps:\n  - detect: d\n  - keypoints: c\n    as: mask", "mask_score"),
      (
        "name: p\nsteps:\n  - detect: d\n  - keypoints: c\n    as: m\n  - classify: e\n    as: m",
        "m_score"
      ),
      ("name: p\nsteps:\n  - detect: d\n  - segment: s\n  - segment: t", "mask"),
      ("name: p\nsteps:\n  - detect: d\n  - classify: c\n    as: a, b", "letters"),
      ("name: p\nsteps: {detect: d}", "a list"), ("name: p\nsteps: [detect]", "a map"),
      ("name: p\nmodel: d\nsteps: [{detect: d}]", "model"), ("[1]", "the pipeline"), ("", "empty"),
    ])
  func refused(yaml: String, text: String) {
    let error = #expect(throws: InferenceError.self) { try read(yaml) }
    #expect(
      error.map { "\($0)".hasPrefix("p.yaml") && "\($0)".contains(text) } == true,
      "\(error.map { "\($0)" } ?? "")")
  }

  @Test("More steps than the limit are refused")
  func limit() {
    let steps = (0...PipelineFile.stepLimit).map { _ in "  - detect: d\n" }.joined()
    #expect(throws: InferenceError.self) { try read("name: p\nsteps:\n" + steps) }
  }
}
