import ArgumentParser
import AssayCore
import AssayImaging
import Foundation
import Testing

import AssayCommands

@Suite("assay convert")
struct ConvertCommandTests {
  /// A program in a folder with a COCO dataset of two images: a polygon of two parts, a box, a crowd.
  private func set() throws -> Program {
    let program = try Program()
    for (name, width) in [("train/a b.png", 8), ("val/ü.png", 6)] {
      let photo = Raster<UInt8>(repeating: 90, width: width, height: 6, channels: 3)
      try program.folder.write("set/images/\(name)", ImageCodec.encodePNG(photo))
    }
    let categories = #"[{"id":3,"name":"cat","supercategory":"pet"},{"id":7,"name":"dog"}]"#
    try program.folder.write(
      "set/annotations/instances_train.json",
      """
      {"images":[{"id":1,"file_name":"a b.png","width":8,"height":6}],"annotations":[
      {"id":1,"image_id":1,"category_id":3,"iscrowd":0,"area":4,"bbox":[1,1,6,4],
      "segmentation":[[1,1,3,1,3,3],[5,3,7,3,7,5]]},
      {"id":2,"image_id":1,"category_id":7,"iscrowd":0,"area":6,"bbox":[0.5,1,2,3],"color":"red"},
      {"id":3,"image_id":1,"category_id":7,"iscrowd":1,"area":12,"bbox":[0,0,2,6],
      "segmentation":{"size":[6,8],"counts":[0,12,36]}}],"categories":\(categories)}
      """)
    try program.folder.write(
      "set/annotations/instances_val.json",
      """
      {"images":[{"id":2,"file_name":"ü.png","width":6,"height":6}],"annotations":[],
      "categories":\(categories)}
      """)
    return program
  }

  @Test("What the format cannot hold is printed first, with counts; the rest is verified")
  func announced() throws {
    let program = try set()
    let outcome = try program.run("convert", "set", "--to", "yolo", "out", "--verify")
    #expect(outcome.status == 0, "\(outcome.stdout)\(outcome.stderr)")
    #expect(
      outcome.stdout.hasPrefix(
        """
        yolo cannot hold everything:
          1 box is written as polygons of four corners
          1 mask is written as outlines
          1 object of several parts is joined into one outline or mask
          1 crowd is written as single objects
          1 attribute of objects is left out (color: 1)
        """), "\(outcome.stdout)")
    #expect(outcome.stdout.contains("verified: read back, 2 images, 3 annotations"))
    #expect(outcome.stdout.contains("next: assay import out:yolo"))
    #expect(
      try program.folder.read("out/data.yaml") == """
        # written by assay
        train: "images/train"
        val: "images/val"
        nc: 2
        names:
          0: "cat"
          1: "dog"

        """)
    #expect(
      try program.folder.read("out/labels/train/a b.txt").split(separator: "\n").dropFirst().first
        == "1 0.0625 0.1666666667 0.3125 0.1666666667 0.3125 0.6666666667 0.0625 0.6666666667")
    #expect(try program.folder.read("out/labels/val/ü.txt").isEmpty)
    let again = try program.run("import", "out", "--json").json()
    #expect(again["dataset"]?["format"]?.text == "yolo" && again["accepted"] == 2)
  }

  @Test(
    "The JSON has what was written, read back and lost, and a certificate lies beside the output")
  func json() throws {
    let program = try set()
    let json = try program.run("convert", "set:coco", "--to", "coco", "out", "--verify", "--json")
      .json()
    #expect(json["written"] == 3 && json["read_back"] == 3 && json["lost"] == 0, "\(json.text())")
    #expect(json["announced"] == [:], "\(json.text())")
    let certificate = try JSONValue(parsing: program.folder.read("out/certificate.json"))
    let hash = certificate["source"]?["sha256"]
    #expect(hash?.text?.count == 64)
    #expect(certificate["target"]?["sha256"] == hash && certificate["result"]?["sha256"] == hash)
    #expect(certificate["lost"] == [:])
    #expect(!program.folder.has("assay.db"))
  }

  @Test("Temporary catalogs are removed, after an error too")
  func temporary() throws {
    let program = try set()
    try program.folder.write("tmp/.keep", "")
    let environment = ["TMPDIR": program.folder.path("tmp")]
    for arguments in [
      ["convert", "set", "--to", "voc", "out"], ["convert", "set", "--to", "yolo", "set"],
      ["convert", "set", "--to", "csv", "o", "--drop", "horse"],
    ] {
      let outcome = try program.run(arguments, environment: environment)
      #expect(outcome.status == (arguments[3] == "voc" ? 0 : 2), "\(outcome.stderr)")
      let left = try FileManager.default.contentsOfDirectory(atPath: program.folder.path("tmp"))
      #expect(left == [".keep"])
    }
  }

  @Test("Images are hard links, or stay where they are")
  func images() throws {
    let program = try set()
    let linked = try program.run(
      "convert", "set", "--to", "coco", "linked", "--images", "link", "--verify")
    #expect(linked.status == 0, "\(linked.stdout)\(linked.stderr)")
    func number(_ path: String) throws -> UInt64? {
      let facts = try FileManager.default.attributesOfItem(atPath: program.folder.path(path))
      return (facts[.systemFileNumber] as? NSNumber)?.uint64Value
    }
    #expect(
      try number("linked/images/train/a b.png") == number("set/images/train/a b.png"))
    #expect(
      try program.run("convert", "set", "--to", "voc", "bare", "--images", "none").status == 0)
    #expect(!program.folder.has("bare/JPEGImages") && program.folder.has("bare/Annotations/ü.xml"))
  }

  @Test("Wrong options are usage errors, an unknown class is an error with a suggestion")
  func errors() throws {
    let program = try set()
    for arguments in [
      ["--to", "ylo"], ["--to", "voc", "--variant", "obb"], ["--to", "yolo", "--map", "cat"],
      ["--to", "yolo", "--verify", "--images", "none"], ["--to", "yolo", "--rename", "=x"],
      ["--to", "coco", "--polygons-from-masks", "-1"],
      ["--to", "coco", "--polygons-from-masks", "x"],
      ["--to", "coco", "--boxes-from-masks", "--masks-from-polygons"],
      ["--to", "coco", "--stuff", "cat"], ["--to", "coco-panoptic", "--stuff", "cat,"],
    ] {
      let outcome = try program.run(["convert", "set", "o"] + arguments)
      #expect(outcome.status == 64, "\(arguments): \(outcome.stderr)")
    }
    let unknown = try program.run("convert", "set", "--to", "yolo", "o", "--map", "cats=pet")
    #expect(unknown.status == 2 && unknown.stderr.contains("did you mean “cat”?"))
    let taken = try program.run("convert", "set", "--to", "yolo", "o", "--rename", "cat=dog")
    #expect(taken.status == 2 && taken.stderr.contains("--map 'cat=dog'"), "\(taken.stderr)")
    #expect(!program.folder.has("o"))
  }

  @Test("Changes of shapes are for formats with objects, COCO from the catalog among them")
  func shapes() throws {
    let program = try set()
    #expect(try program.run("import", "set", "--name", "pets").status == 0)
    let json = try program.run(
      "export", "pets", "--to", "coco", "--out", "o", "--polygons-from-masks", "1", "--verify",
      "--json"
    ).json()
    #expect(json["shapes"]?["to"] == "polygons" && json["shapes"]?["tolerance_pixels"] == 1.0)
    #expect(json["lost"] == 0)
    let text = try program.run("convert", "set", "--to", "coco", "p", "--boxes-from-masks")
    #expect(text.status == 0 && text.stdout.contains("changed to boxes"), "\(text.stdout)")
    let masks = try program.run(
      "export", "pets", "--to", "masks", "--out", "m", "--boxes-from-masks")
    #expect(masks.status == 64 && masks.stderr.contains("changes of shapes"))
  }

  @Test("A view of the catalog is written in the same way")
  func export() throws {
    let program = try set()
    #expect(try program.run("import", "set", "--name", "pets").status == 0)
    let json = try program.run(
      "export", "pets/train", "--to", "yolo", "--variant", "detect", "--out", "o", "--verify",
      "--json"
    ).json()
    #expect(json["written"] == 3 && json["lost"] == 0 && json["images"] == 1, "\(json.text())")
    #expect(json["announced"]?["polygons_as_boxes"] == 1)
    #expect(json["announced"]?["masks_as_boxes"] == 1)
    #expect(
      try program.folder.read("o/labels/train/a b.txt").hasPrefix("0 0.5 0.5 0.75 0.6666666667\n"))
  }

  @Test("The form of the files is noted: classes that are things for want of a statement")
  func notes() throws {
    let program = try set()
    let outcome = try program.run(
      "convert", "set", "--to", "coco-panoptic", "out", "--stuff", "dog")
    #expect(outcome.status == 0, "\(outcome.stdout)\(outcome.stderr)")
    #expect(
      outcome.stdout.contains(
        "note: 1 class is written as things, because the source does not state whether they are things or "
          + "stuff: cat (--stuff states the stuff classes)\n"), "\(outcome.stdout)")
    #expect(try program.run("import", "set", "--name", "pets").status == 0)
    let json = try program.run(
      "export", "pets", "--to", "coco-panoptic", "--out", "o", "--stuff", "cat", "--stuff", "dog",
      "--json"
    ).json()
    #expect(json["notes"] == [])
    #expect(try program.folder.read("o/annotations/panoptic_train.json").contains(#""isthing":0"#))
    let unknown = try program.run(
      "export", "pets", "--to", "coco-panoptic", "--out", "p", "--stuff", "cats")
    #expect(unknown.status == 2 && unknown.stderr.contains("did you mean “cat”?"))
    let other = try program.run("export", "pets", "--to", "masks", "--out", "m", "--stuff", "cat")
    #expect(other.status == 64 && other.stderr.contains("--stuff"))
  }
}
