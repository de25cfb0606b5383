import AssayCore
import AssayInference
import Foundation
import Testing

import AssayWorkflows

@Suite("Recipes of an audit")
struct AuditRecipeTests {
  private static func recipe(_ color: String, _ more: String = "") throws -> AuditRecipe {
    AuditRecipe(
      try ModelManifest(
        yaml: """
          task: classification
          input: {width: 64, height: 48, layout: NCHW, color: \(color), resize: stretch, \(more)}
          classes: [a, b]
          """, path: "m.yaml"))
  }

  @Test("Each variant differs in its part only, none repeats the recipe or another variant")
  func variants() throws {
    let own = try Self.recipe("rgb", "mean: [0.485, 0.456, 0.406], std: [0.229, 0.224, 0.225]")
    for part in AuditRecipe.Part.allCases {
      let variants = own.variants(of: part, for: .label)
      #expect(!variants.isEmpty, "\(part)")
      #expect(Set(variants).count == variants.count && !variants.contains(own))
      for variant in variants {
        #expect(variant.difference(from: own) != "as the manifest")
        #expect(part == .activation || variant.activation == own.activation)
        #expect(part == .resize || variant.input.resize == own.input.resize)
        #expect(part == .filter || variant.input.filter == own.input.filter)
        #expect(part == .layout || variant.input.layout == own.input.layout)
      }
    }
    // Its own mean and deviation are not tried again.
    #expect(!own.variants(of: .values, for: .label).contains { $0.input.scale == own.input.scale })
  }

  @Test("Red and blue are exchanged with the values that belong to them")
  func colors() throws {
    let own = try Self.recipe("rgb", "scale: [1, 2, 3], offset: [4, 5, 6]")
    let other = try #require(own.variants(of: .color, for: .label).first)
    #expect(other.input.color == .bgr)
    #expect(other.input.scale == [3, 2, 1] && other.input.offset == [6, 5, 4])
    #expect(
      try Self.recipe("gray", "scale: 1, offset: 0").variants(of: .color, for: .label).isEmpty)
    #expect(
      try Self.recipe("gray", "scale: 1, offset: 0").variants(of: .values, for: .label).count == 3)
  }

  @Test("Detectors see the whole image; texts name the keys of a manifest")
  func texts() throws {
    let own = try Self.recipe("rgb", "scale: 1/255, offset: 0")
    let rules = own.variants(of: .resize, for: .objects).map {
      $0.difference(from: own, brief: true)
    }
    #expect(rules.contains("resize: letterbox (114, center, nearest)"))
    #expect(!rules.contains { $0.contains("crop") })
    let values = own.variants(of: .values, for: .label)
    #expect(values.map { $0.difference(from: own) }.contains("scale: 2/255, offset: -1"))
    #expect(values[0].text(of: .values) == "scale: 2/255, offset: -1")
    #expect(
      own.text(of: .resize) == "resize: stretch" && own.text(of: .filter) == "filter: bilinear")
    #expect(own.text(of: .activation) == "activation: none" && own.text(of: .color) == "color: rgb")
  }
}
