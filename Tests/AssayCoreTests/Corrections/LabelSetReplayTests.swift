import AssayCore
import Testing

import AssayCore

@Suite("Replay of sets of labels")
struct LabelSetReplayTests {
  private var scene: ReplayScene { ReplayScene(ImportedTruth(labels: ["cat", "dog"])) }

  private func category(_ name: String) -> [JSONValue.Member] { [.init("category", .string(name))] }

  @Test("Labels are added, removed, taken, undone and redone; the others stay")
  func edits() {
    var scene = scene
    let added = scene.add("add", .label, category("bird"))
    #expect(scene.truth().labels == ["bird", "cat", "dog"])
    scene.add("remove", .label, category("cat"), done: true)
    #expect(scene.truth().labels == ["bird", "dog"])
    #expect(scene.truth().status == .done)
    scene.undo(added)
    #expect(scene.truth().labels == ["dog"])
    scene.redo(added)
    #expect(scene.truth().labels == ["bird", "dog"])
    scene.add(
      "take", .label, [.init("categories", ["cow"]), .init("run", "r1")])
    #expect(scene.truth().labels == ["cow"])
    scene.add("take", .label, [.init("categories", [])])
    #expect(scene.truth().labels == [])
    #expect(scene.truth(upTo: 1).labels == ["bird", "cat", "dog"])
    #expect(scene.truth().label == nil)
    #expect(scene.truth().skipped.total == 0)
  }

  @Test("An edit that was undone, or changes nothing, is no correction")
  func netChange() {
    var scene = scene
    scene.add("add", .label, category("cat"))
    #expect(scene.truth().corrections == 0)
    let added = scene.add("add", .label, category("bird"))
    #expect(scene.truth().corrections == 1)
    scene.undo(added)
    #expect(scene.truth().corrections == 0)
  }

  @Test("A sample with one label passes over edits of a set, and the other way round")
  func otherForm() {
    var single = ReplayScene(ImportedTruth(label: "cat"))
    single.add("add", .label, category("dog"))
    single.add("remove", .label, category("cat"))
    single.add("take", .label, [.init("categories", ["dog"])])
    #expect(single.truth().label == "cat")
    #expect(single.truth().labels == nil)
    #expect(single.truth().skipped.otherTask == 3)
    var set = scene
    _ = set.label("bird")
    #expect(set.truth().labels == ["cat", "dog"])
    #expect(set.truth().skipped.otherTask == 1)
  }

  @Test("Damaged payloads are passed over")
  func damaged() {
    var scene = scene
    scene.add("add", .label, [])
    scene.add("remove", .label, category(""))
    scene.add("take", .label, [.init("categories", [1, "cat"])])
    #expect(scene.truth().labels == ["cat", "dog"])
    #expect(scene.truth().skipped.unreadable == 3)
  }

  @Test("A conflict keeps its set, and taking it over brings it")
  func conflict() {
    var scene = scene
    scene.add("accept", done: true)
    let beside = scene.add("add", .label, category("bird"), parent: .some(nil))
    #expect(scene.truth().labels == ["cat", "dog"])
    #expect(scene.truth().conflicts.first?.labels == ["bird", "cat", "dog"])
    scene.add(
      "take", .sample, [.init("entry", .string(ReplayScene.uuid(Int(beside))))],
      resolves: [beside])
    #expect(scene.truth().labels == ["bird", "cat", "dog"])
    #expect(scene.truth().conflicts.isEmpty)
  }

  @Test("Visits that take turns are judged label by label")
  func visits() {
    var scene = scene
    scene.visit = "v1"
    scene.add("add", .label, category("bird"))
    scene.visit = "v2"
    scene.add("remove", .label, category("dog"))
    scene.visit = "v1"
    scene.add("remove", .label, category("bird"))
    #expect(scene.truth().visits.map(\.isNetChange) == [false, true])
  }

  @Test("Edits of different classes commute, and the same edit with itself")
  func commuting() throws {
    func edit(_ kind: String, _ name: String) throws -> LabelEdit {
      try #require(LabelEdit(kind: kind, target: "label", payload: #"{"category":"\#(name)"}"#))
    }
    #expect(try edit("add", "a").commutes(with: edit("remove", "b")))
    #expect(try edit("add", "a").commutes(with: edit("add", "a")))
    #expect(try !edit("add", "a").commutes(with: edit("remove", "a")))
    #expect(LabelEdit(kind: "label", target: "label", payload: #"{"category":"a"}"#) == nil)
    #expect(LabelEdit(kind: "add", target: "sample", payload: #"{"category":"a"}"#) == nil)
    #expect(
      LabelEdit(kind: "add", target: "label", payload: #"{"category":"a","resolves":["u"]}"#) == nil
    )
    #expect(LabelEdit(kind: "add", target: "label", payload: "{") == nil)
  }
}
