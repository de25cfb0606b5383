import ArgumentParser
import AssayCore
import AssayImaging
import Foundation
import Testing

import AssayCommands

@Suite("assay export")
struct ExportCommandTests {
  /// A program that has imported two images of 4×2 with index masks of cat (1) and dog (2) as
  /// `pets`.
  private func pets() throws -> Program {
    let program = try Program()
    let masks: [[UInt8]] = [[1, 1, 0, 0, 1, 2, 2, 0], [0, 0, 0, 0, 2, 2, 2, 2]]
    for (name, mask) in zip(["train/a", "val/b"], masks) {
      let photo = Raster<UInt8>(repeating: 90, width: 4, height: 2, channels: 3)
      try program.folder.write("pets/images/\(name).png", ImageCodec.encodePNG(photo))
      let raster = try #require(Raster(width: 4, height: 2, elements: mask))
      try program.folder.write("pets/masks/\(name).png", ImageCodec.encodePNG(raster))
    }
    try program.folder.write("pets/classes.txt", "cat\ndog\n")
    let outcome = try program.run("import", "pets", "--name", "pets")
    try #require(outcome.status == 0, "\(outcome.stderr)")
    return program
  }

  @Test(
    "Options of the other format are usage errors",
    arguments: [
      ["--to", "masks", "--verify"], ["--to", "masks", "--copy-images"],
      ["--to", "coco", "--size", "4"], ["--to", "coco", "--category", "cat"],
      ["--to", "masks", "--size", "0"], ["--to", "masks", "--crop", "none"],
      ["--to", "masks", "--category", "a", "--category", "a"], ["--to", "tensorflow"],
      ["--to", "coco-results", "--verify"], ["--to", "coco-results", "--corrected"],
      ["--to", "coco-results", "--images", "link"], ["--to", "coco-results", "--size", "4"],
      ["--to", "webdataset", "--images", "link"], ["--to", "voc", "--shard-samples", "3"],
      ["--to", "yolo", "--copy-images"], ["--to", "coco", "--images", "link"],
      ["--to", "voc", "--variant", "obb"], ["--to", "yolo", "--images", "none", "--verify"],
      ["--to", "fer", "--size", "4"], ["--to", "folder", "--copy-images"],
      ["--to", "coco", "--only-corrected"], ["--to", "fer", "--since", "1"],
      ["--to", "fer", "--weight-corrected", "2"], ["--to", "fer", "--corrected", "--since", "-1"],
      ["--to", "fer", "--corrected", "--weight-corrected", "nan"],
      ["--to", "fer", "--corrected", "--at", "2", "--since", "2"], ["--to", "fer", "--at", "2"],
      ["--to", "parquet", "--verify"], ["--to", "parquet", "--images", "link"],
      ["--to", "coco", "--run", "r"],
    ])
  func usage(arguments: [String]) {
    #expect(throws: (any Error).self) {
      try ExportCommand.parse(["set", "--out", "o"] + arguments)
    }
  }

  @Test("Parquet tables are written and counted; their options are checked")
  func parquet() throws {
    let program = try pets()
    let counts = try program.run("export", "pets", "--to", "parquet", "--out", "o", "--json").json()
    #expect(counts["samples"] == 2 && counts["annotations"] == 3 && counts["format"] == "parquet")
    #expect(counts["predictions"] == .null && program.folder.has("o/samples.parquet"))
    let text = try program.run("export", "pets", "--to", "parquet", "--out", "o")
    #expect(text.stdout.hasPrefix("2 samples, 3 annotations and 2 classes in o: samples.parquet"))
    let none = try program.run("export", "pets", "--to", "parquet", "--out", "o", "--run", "r")
    #expect(none.status == 2 && none.stderr.contains("r"))
  }

  @Test("Masks of one class are written, reported, and read again")
  func masks() throws {
    let program = try pets()
    let outcome = try program.run(
      "export", "pets", "--to", "masks", "--category", "cat", "--out", "o")
    #expect(
      outcome.stdout == """
        2 pairs of image and mask in o: masks of cat in 0 and 255
        1 mask is empty: the class is not in this image
        next: assay import o:masks

        """)
    #expect(outcome.status == 0 && outcome.stderr.isEmpty)
    #expect(program.folder.has("o/images/images/train/a.png"))
    #expect(program.folder.has("o/masks/images/val/b.png") && program.folder.has("o/manifest.json"))
    let again = try program.run("import", "o", "--name", "again", "--json").json()
    #expect(again["dataset"]?["format"]?.text == "masks" && again["accepted"] == 2)
    let stats = try program.run("stats", "again", "--json").json()
    let rows = stats["masks"]?["classes"]?.elements
    #expect(rows?.count == 1 && rows?.first?["name"]?.text == "cat" && rows?.first?["images"] == 1)
  }

  @Test("--size makes squares and the JSON says how")
  func squares() throws {
    let program = try pets()
    let json = try program.run(
      "export", "pets", "--to", "masks", "--size", "3", "--out", "o", "--json"
    ).json()
    #expect(json["side"] == 3 && json["crop"]?.text == "center" && json["masks"]?.text == "index")
    #expect(json["classes"]?.elements?.compactMap(\.text) == ["cat", "dog"])
    let bytes = try Data(
      contentsOf: URL(fileURLWithPath: program.folder.path + "/o/masks/images/train/a.png"))
    let mask = try ImageCodec.decode(Array(bytes), as: .stored)
    #expect(mask.width == 3 && mask.height == 3)
  }

  @Test("COCO is written and verified; a part is a file")
  func coco() throws {
    let program = try pets()
    let outcome = try program.run("export", "pets", "--to", "coco", "--out", "o", "--verify")
    #expect(outcome.status == 0, "\(outcome.stdout)\(outcome.stderr)")
    #expect(
      outcome.stdout.contains("verified: read back, all 3 annotations (0 crowds) of 2 images"))
    let json = try program.run(
      "export", "pets/val", "--to", "coco", "--out", "o", "--verify", "--copy-images", "--json"
    ).json()
    #expect(json["verified"]?["identical"] == true && json["copied"] == 1)
    #expect(!program.folder.has("o/annotations/instances_train.json"))
    let again = try program.run("import", "o:coco", "--name", "again", "--json").json()
    #expect(again["accepted"] == 1)
  }

  @Test(
    "One row of gray pixels per sample, or one file in its class's folder; verified and reimported")
  func tables() throws {
    let catalog = try CommandCatalog.four()
    let program = try Program()
    func run(_ arguments: String...) throws -> Program.Outcome {
      try program.run(arguments + ["--db", catalog.path])
    }
    let rows = try run("export", "faces", "--to", "fer", "--out", "o", "--verify")
    #expect(
      rows.stdout == """
        4 rows of 2×1 pixels in o/fer2013.csv
        1 sample has no label
        verified: read back, label, split and pixels of all 4 samples are the same
        next: assay import o/fer2013.csv:fer --size 2x1

        """, "\(rows.stdout)\(rows.stderr)")
    #expect(
      try program.folder.read("o/fer2013.csv") == """
        emotion,pixels,Usage
        3,0 255,Training
        4,1 255,Training
        3,2 255,PublicTest
        ,3 255,

        """)
    #expect(try run("import", "o/fer2013.csv:fer", "--size", "2x1", "--name", "a").status == 0)
    // An image with neither split nor label lies in a folder that is read as no class.
    let odd = try run("export", "faces", "--to", "folder", "--out", "f", "--verify")
    #expect(
      odd.status == 0 && odd.stdout.contains("images without a split are in the folder nosplit")
        && odd.stdout.contains("split and pixels of all 4 samples are the same"), "\(odd.stdout)")
    let refused = try run("export", "faces", "--to", "coco", "--out", "c")
    #expect(refused.status == 2)
    let usage = try run("export", "faces", "--to", "fer", "--out", "x.csv")
    #expect(usage.status == 64 && usage.stderr.contains("give --out a folder"))
  }

  @Test("Files in their classes' folders are verified, those without a split in a folder of theirs")
  func folders() throws {
    let catalog = try CommandCatalog([
      ("train", "happy"), ("train", "sad"), ("validation", "happy"), (nil, "sad"),
    ])
    let program = try Program()
    let json = try program.run(
      "export", "faces", "--to", "folder", "--out", "f", "--verify", "--json", "--db", catalog.path
    ).json()
    #expect(json["verified"]?["identical"] == true && json["samples"] == 4, "\(json.text())")
    #expect(json["import"]?.text == "f/images:image-folder")
    #expect(program.folder.has("f/images/train/happy/0.png"))
    #expect(program.folder.has("f/images/nosplit/sad/3.png"))
  }

  @Test("The corrected ground truth is exported with the corrections, and a warning if it matters")
  func corrected() throws {
    let catalog = try CommandCatalog.four()
    let program = try Program()
    func run(_ arguments: String...) throws -> Program.Outcome {
      try program.run(arguments + ["--db", catalog.path])
    }
    let plain = try run("export", "faces", "--to", "fer", "--out", "o", "--corrected")
    #expect(plain.status == 0, "\(plain.stderr)")
    for (sample, label) in [("faces:1", "happy"), ("faces:2", "sad")] {
      let added = try run(
        "corrections", "add", "--sample", sample, "--label", label, "--author", "anna")
      try #require(added.status == 0, "\(added.stderr)")
    }
    let unused = try run("export", "faces", "--to", "fer", "--out", "o")
    #expect(unused.stderr == "2 corrections exist, not used (--corrected uses them)\n")
    let used = try run(
      "export", "faces", "--to", "fer", "--out", "o", "--corrected", "--only-corrected", "--verify")
    #expect(used.stdout.contains("2 samples were corrected by anna"), "\(used.stdout)")
    #expect(used.stdout.contains("2 other samples are not written"))
    #expect(used.stderr.contains("warning: 1 corrected sample is in the split validation: "))
    #expect(used.stderr.contains("2 corrections to 2 samples used (entry 2)"))
    #expect(
      try program.folder.read("o/fer2013.csv").hasSuffix("\n3,1 255,Training\n4,2 255,PublicTest\n")
    )
    #expect(try program.folder.read("o/manifest.csv").contains(",happy,1,sad,happy,"))
    let since = try run(
      "export", "faces", "--to", "fer", "--out", "o", "--corrected", "--since", "1", "--json"
    ).json()
    #expect(since["samples"] == 1 && since["warnings"]?.elements?.count == 1)
    let nothing = try run(
      "export", "faces", "--to", "fer", "--out", "o", "--corrected", "--since", "2")
    #expect(nothing.status == 2 && nothing.stderr.contains("was corrected after entry 2"))
    let beyond = try run(
      "export", "faces", "--to", "fer", "--out", "o", "--corrected", "--since", "7")
    #expect(beyond.status == 2 && beyond.stderr.contains("the ledger ends at entry 2"))
  }

  @Test("An unreadable image is reported, and the status is 1")
  func unreadable() throws {
    let program = try pets()
    try program.folder.write("pets/images/val/b.png", "no picture")
    let outcome = try program.run("export", "pets", "--to", "masks", "--out", "o")
    #expect(outcome.status == 1)
    #expect(outcome.stdout.contains("1 image could not be written:\n  images/val/b.png: "))
  }

  @Test("If all images are missing, the text says so once each and names no next step")
  func moved() throws {
    let program = try pets()
    try FileManager.default.moveItem(
      atPath: program.folder.path + "/pets", toPath: program.folder.path + "/elsewhere")
    let outcome = try program.run("export", "pets", "--to", "masks", "--out", "o")
    #expect(outcome.status == 1)
    #expect(outcome.stdout.contains("/pets does not exist (moved?"))
    #expect(outcome.stdout.contains("(moved? assay relink pets DIR)"))
    #expect(!outcome.stdout.contains("next: "))
  }

  @Test("The next step after a COCO export names the folder of a JSON alone")
  func jsonAlone() throws {
    let program = try Program()
    try program.folder.write(
      "there/all.json",
      """
      {"images": [{"id": 1, "file_name": "a.jpg", "width": 4, "height": 4}],
       "categories": [{"id": 1, "name": "cat"}],
       "annotations": [{"id": 1, "image_id": 1, "category_id": 1, "iscrowd": 0, "area": 4,
         "bbox": [0, 0, 2, 2], "segmentation": [[0, 0, 2, 0, 2, 2, 0, 2]]}]}
      """)
    try #require(try program.run("import", "there/all.json", "--name", "one").status == 0)
    let outcome = try program.run("export", "one", "--to", "coco", "--out", "o", "--verify")
    #expect(outcome.stdout.hasPrefix("1 image with 1 annotation of 1 class in o: "))
    let next = outcome.stdout.split(separator: "\n").last ?? ""
    #expect(next.hasSuffix("/there") && next.contains("o:coco --images /"), "\(outcome.stdout)")
    let words = next.dropFirst("next: assay ".count).split(separator: " ").map(String.init)
    #expect(try program.run(words + ["--name", "again"]).status == 0)
  }

  @Test("A foreign folder is rejected without --force, the source always")
  func foreign() throws {
    let program = try pets()
    try program.folder.write("o/mine.txt", "mine")
    let refused = try program.run("export", "pets", "--to", "coco", "--out", "o")
    #expect(refused.status == 2 && refused.stderr.contains("--force"))
    #expect(try program.run("export", "pets", "--to", "coco", "--out", "o", "--force").status == 0)
    #expect(try program.folder.read("o/mine.txt") == "mine")
    let source = try program.run("export", "pets", "--to", "masks", "--out", "pets", "--force")
    #expect(source.status == 2)
  }

  @Test("assay stats lists regions per class, and says what it means")
  func stats() throws {
    let program = try pets()
    let outcome = try program.run("stats", "pets", "--out", "looks")
    #expect(
      outcome.stdout.hasPrefix(
        """
        pets: 2 samples, 2 classes, 4×2

        train 1, val 1

        3 instances of 2 classes; every image has an annotation

        class  images  instances  crowds  small  medium  large  coverage      min–max
        dog         2          2       0      2       0      0     0.375  0.250–0.500
        cat         1          1       0      1       0      0     0.375  0.375–0.375

        """), "\(outcome.stdout)")
    #expect(program.folder.has("looks/masks.png") && program.folder.has("looks/classes.png"))
    #expect(program.folder.has("looks/mean-mask-cat.npy"))
  }
}
