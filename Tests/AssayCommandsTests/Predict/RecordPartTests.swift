import AssayCore
import AssayImaging
import AssayTestSupport
import Foundation
import Testing

/// A folder of photos in two classes, with duplicates, a blank, a damaged and a rotated image.
struct PhotoWorld {
  let program: Program

  init(side: Int = 90) throws {
    program = try Program()
    func jpeg(_ seed: UInt64, quality: Int = 90, isMirrored: Bool = false) throws -> [UInt8] {
      try ImageCodec.encodeJPEG(
        SeededPhoto.raster(seed: seed, width: 120, height: side, isMirrored: isMirrored),
        quality: quality)
    }
    for seed in 0..<9 {
      try program.folder.write(
        "photos/\(seed % 2 == 0 ? "cat" : "dog")/\(seed).jpg", try jpeg(UInt64(seed)))
    }
    try program.folder.write("photos/dog/copy of 2.jpg", try jpeg(2))
    try program.folder.write(
      "photos/cat/mirrored 3.jpg", try jpeg(3, quality: 70, isMirrored: true))
    try program.folder.write(
      "photos/cat/blank.png",
      try ImageCodec.encodePNG(Raster<UInt8>(repeating: 9, width: 120, height: side)))
    // Its header can be read, its pixels cannot.
    try program.folder.write(
      "photos/dog/broken.png",
      Array(
        try ImageCodec.encodePNG(SeededPhoto.raster(seed: 78, width: 120, height: side)).prefix(45))
    )
    try program.folder.write("photos/dog/cut.jpg", Array(try jpeg(77).dropLast(900)))
    try settle()
  }

  /// Sets the times of all files to one in the past, as if they had not changed for a while.
  func settle() throws {
    let root = program.folder.path("photos")
    for name in try FileManager.default.subpathsOfDirectory(atPath: root) {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1_700_000_000)],
        ofItemAtPath: root + "/" + name)
    }
  }

  @discardableResult
  func run(_ arguments: String...) throws -> Program.Outcome {
    let outcome = try program.run(arguments)
    try #require(outcome.status == 0, "\(arguments): \(outcome.stderr)\(outcome.stdout)")
    return outcome
  }

  /// Makes all parts of a command.
  func shards(_ count: Int, out: String, _ arguments: String...) throws {
    for number in 1...count {
      let outcome = try program.run(arguments + ["--shard", "\(number)/\(count)", "--out", out])
      try #require(outcome.status == 0, "\(outcome.stderr)")
    }
  }

  /// The rows of a query of the catalog as JSON.
  func rows(_ sql: String, db: String = "assay.db") throws -> String {
    try run("sql", sql, "--limit", "0", "--json", "--db", db).json()["rows"]?.text() ?? ""
  }
}

@Suite("Shards of assay check, assay stats and assay scan")
struct RecordPartTests {
  @Test("A check of parts finds what a check of the view finds", arguments: [1, 4])
  func check(shards: Int) throws {
    let world = try PhotoWorld()
    try world.run("import", "photos:image-folder", "--name", "d")
    let before = try Data(contentsOf: URL(fileURLWithPath: world.program.folder.path("assay.db")))
    try world.shards(shards, out: "parts", "check", "d")
    #expect(
      try Data(contentsOf: URL(fileURLWithPath: world.program.folder.path("assay.db"))) == before)
    let whole = try world.run("check", "d", "--json").stdout
    let findings = "SELECT kind, score, message, severity FROM finding ORDER BY 1, 2, 3"
    let stored = try world.rows(findings)
    let outcome = try world.run("check", "parts", "--json")
    #expect(outcome.stdout == whole)
    #expect(try world.rows(findings) == stored)
    let counts = try outcome.json()["counts"]
    for kind in ["exactDuplicate", "nearDuplicate", "blank"] {
      #expect(counts?[kind]?["findings"]?.double ?? 0 > 0, "\(kind)")
    }
    let status = try world.run("status", "parts", "--json").json()
    #expect(status["complete"]?.bool == true && status["work"]?.text == "check")
    #expect(try world.run("status", "parts").stdout.hasSuffix("next: assay check parts\n"))
  }

  @Test("A check without all parts, or with those of other work, is refused")
  func incomplete() throws {
    let world = try PhotoWorld()
    try world.run("import", "photos:image-folder", "--name", "d")
    try world.shards(3, out: "parts", "check", "d")
    try FileManager.default.removeItem(atPath: world.program.folder.path("parts/part-2-of-3.db"))
    let missing = try world.program.run("check", "parts")
    #expect(missing.status == 2)
    #expect(
      missing.stderr.contains("the shard 2/3 is missing: assay check d --shard 2/3 --out parts"),
      "\(missing.stderr)")
    for command in [
      ["merge", "parts", "--name", "r"], ["evaluate", "parts"], ["stats", "parts"],
      ["import", "photos", "--scan", "parts"],
    ] {
      let outcome = try world.program.run(command)
      #expect(outcome.status == 2, "\(command)")
      #expect(
        outcome.stderr.contains("those of a check, which assay check parts joins"),
        "\(command): \(outcome.stderr)")
    }
    let other = try world.program.run("stats", "d", "--shard", "1/3", "--out", "parts")
    #expect(other.status == 2 && other.stderr.contains("a part of another run"), "\(other.stderr)")
    // A shard that is there is not computed again.
    let again = try world.run("check", "d", "--shard", "1/3", "--out", "parts", "--json").json()
    #expect(
      again["start"]?.text == "alreadyDone" && again["samples"]?.double == 4, "\(again.text())")
  }

  @Test("Parts of a check do not fit a dataset that changed since")
  func changed() throws {
    let world = try PhotoWorld()
    try world.run("import", "photos:image-folder", "--name", "d")
    try world.shards(2, out: "parts", "check", "d")
    try FileManager.default.removeItem(atPath: world.program.folder.path("photos/cat/0.jpg"))
    try world.run("import", "photos:image-folder", "--name", "d", "--replace")
    let outcome = try world.program.run("check", "parts")
    #expect(outcome.status == 2 && outcome.stderr.contains("the samples of the parts are not"))
  }

  @Test("Options of the whole work are refused with --shard, and --shard without --out")
  func options() throws {
    let program = try Program()
    for words in [
      ["check", "d", "--shard", "1/2"], ["check", "d", "--shard", "0/2", "--out", "p"],
      ["check", "d", "--shard", "1/2", "--out", "p", "--only", "blank"],
      ["stats", "d", "--shard", "1/2"], ["stats", "d", "--shard", "2/1", "--out", "p"],
      ["scan", "photos"], ["scan", "photos", "--shard", "1/2"],
    ] {
      #expect(try program.run(words).status == 64, "\(words)")
    }
  }

  @Test("Mean images of parts are those of the view, byte for byte", arguments: [1, 3])
  func statistics(shards: Int) throws {
    let world = try PhotoWorld()
    try world.run("import", "photos:image-folder", "--name", "d")
    let whole = try world.run("stats", "d", "--out", "whole", "--json").json()
    try world.shards(shards, out: "parts", "stats", "d")
    let merged = try world.run("stats", "parts", "--out", "merged", "--json").json()
    #expect(merged["pixels"] == whole["pixels"] && merged["classes"] == whole["classes"])
    // The damaged images are left out in both.
    #expect(merged["pixels"]?["left_out"]?.double == 2, "\(merged.text())")
    try expectSame(world, "whole", "merged", minimum: 5)
    // Without --out the numbers are shown, and nothing is written.
    #expect(try world.run("stats", "parts", "--json").json()["pixels"] == whole["pixels"])
  }

  private func expectSame(_ world: PhotoWorld, _ one: String, _ other: String, minimum: Int) throws
  {
    let files = try FileManager.default.subpathsOfDirectory(
      atPath: world.program.folder.path(one)
    ).sorted()
    #expect(files.count >= minimum)
    #expect(
      try FileManager.default.subpathsOfDirectory(atPath: world.program.folder.path(other)).sorted()
        == files)
    for file in files {
      let contents = [one, other].map {
        FileManager.default.contents(atPath: world.program.folder.path("\($0)/\(file)"))
      }
      #expect(contents[0] == contents[1], "\(file)")
    }
  }

  @Test("Mean masks and resized means of parts are those of the view")
  func masks() throws {
    let world = try PhotoWorld()
    try world.run("import", PeopleInput.small.images + ":coco", "--name", "people")
    for size in [["--resize", "32x24"], []] {
      let name = size.isEmpty ? "own" : "resized"
      let whole = try world.program.run(
        ["stats", "people", "--out", "whole-\(name)", "--json"] + size)
      try #require(whole.status == 0, "\(whole.stderr)")
      for number in 1...3 {
        let part = try world.program.run(
          ["stats", "people", "--shard", "\(number)/3", "--out", "parts-\(name)"] + size)
        try #require(part.status == 0, "\(part.stderr)")
      }
      let merged = try world.run(
        "stats", "parts-\(name)", "--out", "merged-\(name)", "--json"
      ).json()
      for member in ["pixels", "no_pixels", "masks", "sizes"] {
        #expect(try merged[member] == whole.json()[member], "\(name) \(member)")
      }
      try expectSame(world, "whole-\(name)", "merged-\(name)", minimum: 2)
    }
  }

  @Test("Statistics of parts do not fit other labels")
  func otherLabels() throws {
    let world = try PhotoWorld()
    try world.run("import", "photos:image-folder", "--name", "d")
    try world.shards(2, out: "parts", "stats", "d")
    try world.run(
      "corrections", "add", "--sample", "d:cat/0.jpg", "--label", "dog", "--author", "me")
    let outcome = try world.program.run("stats", "parts", "--corrected")
    #expect(outcome.status == 2, "\(outcome.stdout)")
    #expect(outcome.stderr.contains("the ground truth of “d” is not the one"), "\(outcome.stderr)")
    #expect(try world.program.run("stats", "parts").status == 0)
  }

  @Test("An import with a scan has the rows of one without, and reads no image", arguments: [1, 5])
  func scan(shards: Int) throws {
    let world = try PhotoWorld()
    try world.run("import", "photos:image-folder", "--name", "d", "--db", "plain.db")
    try world.shards(shards, out: "scan", "scan", "photos")
    // The bytes change behind the import's back: same size, same time.
    let path = world.program.folder.path("photos/cat/0.jpg")
    let bytes = try #require(FileManager.default.contents(atPath: path))
    let hash = ContentHash.of(Array(bytes))
    try Data(repeating: 0, count: bytes.count).write(to: URL(fileURLWithPath: path))
    try world.settle()
    let outcome = try world.run(
      "import", "photos:image-folder", "--name", "d", "--scan", "scan", "--json")
    #expect(outcome.stdout.contains("14 images were not read again"), "\(outcome.stdout)")
    let columns = "key, location, sourceSplit, width, height, fileSize, fileModified, attributes"
    let query = "SELECT \(columns) FROM sample ORDER BY key"
    #expect(try world.rows(query) == world.rows(query, db: "plain.db"))
    #expect(
      try world.rows("SELECT contentHash FROM sample WHERE key = 'cat/0.jpg'")
        == "[{\"contentHash\":\"\(hash)\"}]")
    #expect(
      try world.rows("SELECT count(*) AS n FROM sample WHERE contentHash IS NULL")
        == "[{\"n\":0}]")
    #expect(
      try world.rows(
        "SELECT count(*) AS n FROM sample WHERE contentHash IS NOT NULL", db: "plain.db")
        == "[{\"n\":0}]")
  }

  @Test("Files that changed after a scan are read again; another folder is refused")
  func changedFiles() throws {
    let world = try PhotoWorld()
    try world.shards(2, out: "scan", "scan", "photos")
    let bigger = try ImageCodec.encodeJPEG(
      SeededPhoto.raster(seed: 50, width: 200, height: 100), quality: 90)
    try world.program.folder.write("photos/cat/0.jpg", bigger)
    try world.run("import", "photos:image-folder", "--name", "d", "--scan", "scan")
    #expect(
      try world.rows("SELECT width, height, contentHash FROM sample WHERE key = 'cat/0.jpg'")
        == "[{\"width\":200,\"height\":100,\"contentHash\":null}]")
    let other = try world.program.run(
      "import", "photos/cat:image-folder", "--name", "e", "--scan", "scan")
    #expect(other.status == 2 && other.stderr.contains("scan that folder"), "\(other.stderr)")
    let archive = try world.program.run(
      "scan", "scan/part-1-of-2.db", "--shard", "1/2", "--out", "x")
    #expect(archive.status == 2 && archive.stderr.contains("is no folder"), "\(archive.stderr)")
  }

  @Test("A damaged part is refused, whatever it is of")
  func damaged() throws {
    let world = try PhotoWorld()
    try world.run("import", "photos:image-folder", "--name", "d")
    try world.shards(1, out: "check", "check", "d")
    try world.shards(1, out: "stats", "stats", "d")
    try world.shards(1, out: "scan", "scan", "photos")
    for (folder, command) in [
      ("check", ["check", "check"]), ("stats", ["stats", "stats"]),
      ("scan", ["import", "photos", "--name", "x", "--scan", "scan"]),
    ] {
      let path = world.program.folder.path(folder + "/part-1-of-1.db")
      var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      bytes[bytes.count / 2] ^= 1
      try bytes.write(to: URL(fileURLWithPath: path))
      let outcome = try world.program.run(command)
      #expect(outcome.status == 2 && outcome.stderr.contains("damaged"), "\(outcome.stderr)")
    }
  }

  @Test("A join without the images that it has to compare is refused; another import, too")
  func joinedElsewhere() throws {
    let world = try PhotoWorld()
    // The same pixels in other files.
    let raster = SeededPhoto.raster(seed: 60, width: 120, height: 90)
    for (name, level) in [("one", PNGCompression.fast), ("two", .balanced)] {
      try world.program.folder.write(
        "photos/cat/\(name).png", try ImageCodec.encodePNG(raster, compression: level))
    }
    try world.settle()
    try world.run("import", "photos:image-folder", "--name", "d")
    try world.shards(2, out: "parts", "check", "d")
    let found = try world.run("check", "parts", "--json").stdout
    #expect(try found == world.run("check", "d", "--json").stdout)
    let (here, away) = (world.program.folder.path("photos"), world.program.folder.path("away"))
    try FileManager.default.moveItem(atPath: here, toPath: away)
    let blind = try world.program.run("check", "parts")
    #expect(blind.status == 2, "\(blind.stdout)")
    #expect(blind.stderr.contains("join the parts where the images are"), "\(blind.stderr)")
    // No shard can be made, either: it would be a complete part of failures.
    for work in ["check", "stats"] {
      let shard = try world.program.run(work, "d", "--shard", "1/2", "--out", "new-" + work)
      #expect(shard.status == 2 && !world.program.folder.has("new-\(work)/part-1-of-2.db"))
    }
    try FileManager.default.moveItem(atPath: away, toPath: here)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_710_000_000)],
      ofItemAtPath: here + "/cat/0.jpg")
    try world.run("import", "photos:image-folder", "--name", "d", "--replace")
    let old = try world.program.run("check", "parts")
    #expect(old.status == 2 && old.stderr.contains("is not as it was"), "\(old.stderr)")
  }

  @Test("The catalog is the one of the parts; a view of the catalog comes before a folder")
  func catalogs() throws {
    let world = try PhotoWorld()
    try world.run("import", "photos:image-folder", "--name", "d", "--db", "c.db")
    try world.run("import", "photos/cat:image-folder", "--name", "d")
    try world.shards(1, out: "d", "check", "d", "--db", "c.db")
    #expect(try world.run("check", "d", "--json").json()["samples"]?.double == 7)
    let joined = try world.run("check", "./d", "--json").json()
    #expect(joined["samples"]?.double == 14)
    #expect(try world.rows("SELECT count(*) AS n FROM finding", db: "c.db") != "[{\"n\":0}]")
  }

  @Test("Hashes of a scan are taken for formats whose import reads no image")
  func hashes() throws {
    let world = try PhotoWorld()
    try world.program.folder.write(
      "photos/boxes.json",
      """
      {"images": [{"id": 1, "file_name": "cat/0.jpg", "width": 120, "height": 90}],
      "annotations": [{"id": 1, "image_id": 1, "category_id": 1, "bbox": [1, 2, 3, 4], "area": 12, "iscrowd": 0}],
      "categories": [{"id": 1, "name": "cat"}]}
      """)
    try world.settle()
    try world.shards(2, out: "scan", "scan", "photos")
    let note = try world.run("import", "photos:coco", "--name", "d", "--scan", "scan").stdout
    #expect(note.contains("the scan has the hashes of 1 of its images"), "\(note)")
    let bytes = try #require(
      FileManager.default.contents(atPath: world.program.folder.path("photos/cat/0.jpg")))
    #expect(
      try world.rows("SELECT contentHash FROM sample WHERE contentHash IS NOT NULL")
        == "[{\"contentHash\":\"\(ContentHash.of(Array(bytes)))\"}]")
    let inside = try world.program.run("scan", "photos", "--shard", "1/1", "--out", "photos/scan")
    #expect(inside.status == 2 && inside.stderr.contains("would meet the parts"))
  }

  @Test("Names that differ in bytes alone, and times after 2262")
  func odd() throws {
    let program = try Program()
    for (name, side) in [("k/e\u{301}.png", 10), ("k/\u{e9}.png", 20)] {
      var bytes = try ImageCodec.encodePNG(Raster<UInt8>(repeating: 7, width: side, height: side))
      bytes += Array(repeating: 0, count: 500 - bytes.count)
      try program.folder.write("set/" + name, bytes)
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1_700_000_000)],
        ofItemAtPath: program.folder.path("set/" + name))
    }
    _ = try program.shell("touch -d @9999999999 set/k/\u{e9}.png")
    for number in 1...2 {
      let part = try program.run("scan", "set", "--shard", "\(number)/2", "--out", "scan")
      #expect(part.status == 0, "\(part.stderr)")
    }
    try #require(try program.shell("touch -d @1700000000 set/k/*.png").status == 0)
    for number in 1...2 {
      _ = try program.run("scan", "set", "--shard", "\(number)/2", "--out", "scan2")
    }
    let outcome = try program.run("import", "set:image-folder", "--name", "d", "--scan", "scan2")
    #expect(outcome.status == 0, "\(outcome.stderr)")
    let rows = try program.run(
      "sql", "SELECT width, count(*) AS n FROM sample GROUP BY 1", "--json")
    #expect(try rows.json()["rows"]?.text() == "[{\"width\":10,\"n\":1},{\"width\":20,\"n\":1}]")
  }
}
