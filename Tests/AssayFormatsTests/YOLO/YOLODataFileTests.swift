import AssayCore
import AssayFormats
import Testing

@Suite("Data files of YOLO datasets")
struct YOLODataFileTests {
  private static let line = "0 0.5 0.5 0.2 0.2\n"

  /// A dataset of two images with a data file.
  private func tree(_ data: String, more: [String: String] = [:]) throws -> MemoryTree {
    try MemoryTree(
      images: ["images/train/a.png", "images/val/b.png"],
      texts: [
        "labels/train/a.txt": Self.line, "labels/val/b.txt": Self.line, "data.yaml": data,
      ].merging(more) { $1 })
  }

  @Test(
    "Names can be a list, a map or inline, and splits folders, lists of folders or lists of images",
    arguments: [
      "train: images/train\nval: images/val\nnames: [cat, dog]\n",
      "path: .\ntrain: [images/train]\nval:\n  - images/val/\nnames: {0: cat, 1: dog}\n",
      "path: /a/b\ntrain: /a/b/images/train\nval: /a/b/images/val\nnames:\n  0: cat\n  1: dog\n",
      "\"train\": \"./images/train\"\n'val': ../set/images/val\nnc: 2\n"
        + "names: {\"0\": \"cat\", \"1\": 'dog'}",
      "train: train.txt\nval: lists/val.txt\nnames:\n- cat\n- dog\n",
      "train: C:\\data\\images\\train\nval: images\\val\nnames: [cat, dog]\nkpt_shape: ~\n",
      "train: ../images/train\nval: ../images/val\ntest: null\nnames: [cat, dog]\n",
      "{\"train\": \"images/train\", \"val\": \"images/val\", \"names\": [\"cat\", \"dog\"]}",
      "{path: ., train: images/train,\n  val: images/val, names: {0: cat, 1: dog}}\n",
    ])
  func spellings(data: String) throws {
    let found = try CollectedObjects(
      detecting: tree(
        data,
        more: [
          "train.txt": "./images/train/a.png\r\n\n",
          "lists/val.txt": "C:\\data\\images\\val\\b.png",
        ]))
    #expect(found.keys == ["images/train/a.png", "images/val/b.png"])
    #expect(found.splits == ["train", "val"] && found.names == ["cat", "dog"], "\(found.issues)")
    #expect(found.issues.isEmpty && found.isBalanced, "\(found.issues)")
  }

  @Test("A path that is found only by its end is noted")
  func tails() throws {
    let data = "path: ../datasets/set\ntrain: ../coco/images/train\nval: images/val\nnames: [a]\n"
    let found = try CollectedObjects(tree(data))
    #expect(found.splits == ["train", "val"])
    #expect(
      found.run.notes == [
        "the path of data.yaml (../datasets/set) is not in the folder and is ignored",
        "'train' of data.yaml (../coco/images/train) is taken as images/train",
      ])
    // A data file in a folder of its own, and the dataset's folder below the imported one.
    let inner = try MemoryTree(
      images: ["set/images/train/a.png", "set/images/val/b.png"],
      texts: [
        "set/labels/train/a.txt": Self.line, "set/labels/val/b.txt": Self.line,
        "config/set.yaml": data.replacing("../coco/", with: ""),
      ])
    let deep = try CollectedObjects(detecting: inner)
    #expect(deep.splits == ["train", "val"] && deep.issues.isEmpty)
    #expect(
      deep.run.notes == ["the path of config/set.yaml (../datasets/set) is taken as set"])
  }

  @Test("An image keeps its first split, and the other one is an issue")
  func twoSplits() throws {
    let folders = try CollectedObjects(
      tree("train: [images/train, images/val]\nval: images/val\nnames: [a]\n"))
    #expect(folders.splits == ["train", "train"])
    #expect(folders.places == ["duplicateID warning data.yaml:2"])
    let lists = try CollectedObjects(
      tree(
        "train: train.txt\nval: val.txt\nnames: [a]\n",
        more: [
          "train.txt": "images/train/a.png\nimages/train/a.png\n",
          "val.txt": "images/train/a.png\nimages/val/b.png\n",
        ]))
    #expect(lists.splits == ["train", "val"])
    #expect(
      lists.issues.map { "\($0.location): \($0.message)" } == [
        "train.txt:2: images/train/a.png was listed before; left out",
        "val.txt:1: images/train/a.png is already in split 'train'; kept there",
      ])
  }

  @Test("Listed images that do not exist are left out with the line of the list")
  func missing() throws {
    let found = try CollectedObjects(
      tree(
        "train: train.txt\nval: images/val\nnames: [a]\n",
        more: [
          "train.txt":
            "images/train/a.png\nimages/train/z.png\n../../x/y.png\nimages/train/z.png\n",
          "labels/train/z.txt": Self.line,
        ]))
    #expect(found.keys == ["images/train/a.png", "images/val/b.png"])
    #expect(
      found.places == [
        "duplicateID warning train.txt:4", "missingImage error train.txt:2",
        "missingImage error train.txt:3",
      ])
    #expect(
      found.issues[1].message
        == "images/train/z.png does not exist; left out, with its object")
    #expect(found.run.outcome.read == 4 && found.isBalanced)
    #expect(found.run.lists?.annotationsRead == 3)
  }

  @Test("Images that no entry names are kept without a split if they have labels, else left out")
  func unlisted() throws {
    let tree = try MemoryTree(
      images: [
        "images/train/a.png", "images/val/b.png", "images/test/c.png", "images/test/d.png",
        "plots/p.png",
      ],
      texts: [
        "labels/train/a.txt": Self.line, "labels/test/c.txt": Self.line,
        "data.yaml": "train: images/train\nval: images/val\nnames: [a]\n",
      ])
    let found = try CollectedObjects(detecting: tree)
    #expect(found.keys == ["images/test/c.png", "images/train/a.png", "images/val/b.png"])
    #expect(found.splits == [nil, "train", "val"])
    #expect(
      found.issues.map { "\($0.kind) \($0.severity) \($0.location): \($0.message)" } == [
        "unknownSplit warning images/test: 1 image (images/test/c.png) with labels that data.yaml "
          + "does not name; imported without a split",
        "missingLabel error images/test: 1 image (images/test/d.png) without a label file that "
          + "data.yaml does not name; left out",
        "missingLabel error plots: 1 image (plots/p.png) without a label file that data.yaml does "
          + "not name; left out",
        "missingLabel warning images/val/b.png: the only image of split 'val' (images/val/b.png) "
          + "has no label file; imported as an image without objects",
      ])
  }

  @Test("Entries that lead nowhere are issues; if all do, the folders give the splits")
  func nowhere() throws {
    let found = try CollectedObjects(
      tree("train: pictures\nval: [images/val/b.png, nothing.txt]\nnames: [a]\n"))
    #expect(found.splits == ["train", "val"])
    #expect(
      found.places == [
        "missingImage warning data.yaml:1", "missingImage warning data.yaml:2",
        "missingImage warning data.yaml:2",
      ])
    let empty = try CollectedObjects(
      tree("train: labels\nval: images/val\nnames: [a]\n"))
    #expect(empty.splits == [nil, "val"])
    #expect(empty.issues[0].message == "'train' names labels, which contains no image")
  }

  @Test("A number of classes that is not the number of names is an issue")
  func classCount() throws {
    let found = try CollectedObjects(
      tree("train: images/train\nval: images/val\nnc: 3\nnames: [a, b]\n"))
    #expect(found.names == ["a", "b"] && found.places == ["badField warning data.yaml"])
    #expect(found.issues[0].message.contains("states 3 classes, and it has 2 names"))
    let odd = try CollectedObjects(tree("train: images/train\nval: images/val\nnc: many\n"))
    #expect(odd.places == ["badField warning data.yaml:3"] && odd.names == ["0"])
    // Without names, the number of classes still bounds the labels.
    let bound = try CollectedObjects(
      tree("train: images\nnc: 1\n", more: ["labels/val/b.txt": "1 0.5 0.5 0.2 0.2\n"]))
    #expect(bound.objects.count == 1 && bound.kinds == [.unknownLabel])
  }

  @Test("Gaps and repeated names of classes are issues; classes stay separate")
  func names() throws {
    let found = try CollectedObjects(
      tree(
        "train: images\nnames: {0: cup, 2: cup, 3: ''}\n",
        more: [
          "labels/train/a.txt":
            "0 0.5 0.5 0.2 0.2\n1 0.5 0.5 0.2 0.2\n2 0.5 0.5 0.2 0.2\n3 0.5 0.5 0.2 0.2\n"
        ]))
    #expect(found.names == ["cup", "cup (id 2)"])
    #expect(found.samples[0].objects.map(\.label) == ["cup", "cup (id 2)"])
    #expect(
      found.places == [
        "duplicateID warning data.yaml", "missingField warning data.yaml",
        "unknownLabel error labels/train/a.txt:2", "unknownLabel error labels/train/a.txt:4",
      ])
    #expect(found.issues[2].message == "class 1 has no name; left out")
  }

  @Test(
    "An invalid data file is refused with its line",
    arguments: [
      ("train: images\nnames: [a\nval: x\n", ":", "invalid YAML"),
      ("train: images\nnames: &n [a]\nval: x\n", ":2:", "anchors"),
      (
        "train: images\nnames: \(String(repeating: "[", count: 100))\n", ":2:",
        "nested more than 64"
      ),
      ("train: images\nnames: 3\n", ":2:", "'names' must be a list of names"),
      ("train: images\nnames: {a: 0}\n", ":2:", "'names' must be"),
      ("train: images\nnames: {0: a, '0': b}\n", ":2:", "class 0 has two names"),
      ("train: images\nnames: [[a]]\n", ":2:", "'names' must be"),
      ("train: {a: b}\nnames: [a]\n", ":1:", "'train' must be a text or a list of texts"),
      ("train: images\nnames: [a]\nkpt_shape: [17]\n", ":3:", "'kpt_shape' must be [n, 2]"),
      ("train: images\nnames: [a]\nkpt_shape: [2, 4]\n", ":3:", "'kpt_shape' must be [n, 2]"),
      ("train: images\nnames: [a]\ntrain: x\n", ":", "'train' is repeated"),
    ])
  func invalid(data: String, line: String, says: String) throws {
    let error = #expect(throws: FormatError.self) {
      try CollectedObjects(detecting: tree(data))
    }
    let text = "\(try #require(error))"
    #expect(text.hasPrefix("data.yaml\(line)") && text.contains(says), "\(text)")
  }

  @Test("YAML and data files of other programs are not read")
  func others() throws {
    let found = try CollectedObjects(
      detecting: tree(
        "train: images/train\nval: images/val\nnames: [a]\n",
        more: [
          "hyp.yaml": "lr0: 0.01\n", "model.yaml": "nc: 80\nbackbone: [[-1, 1]]\n",
          "broken.yml": "a: [b\n", "x.data": "something else\n",
        ]))
    #expect(found.splits == ["train", "val"] && found.issues.isEmpty && found.run.notes.isEmpty)
  }

  @Test("Several data files must mean the same")
  func several() throws {
    let data = "train: images/train\nval: images/val\nnames: [a]\n"
    let same = try CollectedObjects(
      detecting: tree(data, more: ["other.yaml": "names: {0: a}\n" + data.prefix(36)]))
    #expect(same.splits == ["train", "val"])
    #expect(same.run.notes == ["data.yaml is used; other.yaml means the same"])
    for other in [
      data.replacing("[a]", with: "[b]"), data.replacing("val: images/val", with: "val: images"),
    ] {
      let tree = try tree(data, more: ["fold2.yaml": other])
      let error = #expect(throws: FormatError.self) { try CollectedObjects(detecting: tree) }
      #expect(
        "\(try #require(error))".contains(
          "data files that differ in their classes, keypoints or splits (data.yaml, fold2.yaml); keep one"
        ))
    }
  }

  @Test("Darknet's data file takes comments, other splits and a number of classes")
  func darknet() throws {
    let found = try CollectedObjects(
      detecting: MemoryTree(
        images: ["obj_train_data/a.png", "obj_extra_data/b.png"],
        texts: [
          "obj_train_data/a.txt": Self.line, "obj_extra_data/b.txt": Self.line,
          "data/obj.data":
            "# made by hand\nclasses= 3\nnames=data/obj.names # names\ntrain = data/train.txt\n"
            + "extra = data/extra.txt\nbackup = backup/\nvalid = data/valid.txt\n",
          "data/obj.names": "cat\ndog\n\n", "data/train.txt": "data/obj_train_data/a.png\n",
          "data/extra.txt": "/home/me/darknet/obj_extra_data/b.png\n",
        ]))
    #expect(found.splits == ["extra", "train"] && found.names == ["cat", "dog"])
    #expect(
      found.places == [
        "badField warning data/obj.data", "missingImage warning data/obj.data:7",
      ])
  }
}
