import AssayCore
import AssayFormats
import AssayTestSupport
import Testing

@Suite("Files that datasets are published with, and their copies")
struct PublishedFileTests {
  private static let png = DatasetLayout.png

  private func tree(_ images: [String], _ texts: [String: String]) throws -> MemoryTree {
    try MemoryTree(images: images, texts: texts)
  }

  private func refusal(_ tree: some SourceTree, as format: DatasetFormat? = nil) -> String {
    do {
      let detection = try FormatDetector.detect(tree, forced: format)
      _ = try Collected(tree, as: detection.format)
      return "imported as \(detection.format.rawValue)"
    } catch {
      return "\(error)"
    }
  }

  // MARK: Open Images

  private static let boxes = "ImageID,LabelName,XMin,XMax,YMin,YMax\na,/m/1,0,1,0,1\n"

  @Test("Lists of attributes are no classes; point labels and narratives are named, not read")
  func openImages() throws {
    let points = "ImageId,X,Y,Label,EstimatedYesNo,Source\na,0.4,0.5,/m/1,yes,ih\n"
    let narrative = #"{"image_id": "a", "caption": "a b", "timed_caption": [], "traces": []}"#
    let found = try CollectedObjects(
      detecting: tree(
        ["train/a.png"],
        [
          "train/labels/detections.csv": Self.boxes, "metadata/attributes.csv": "/m/9,Wooden\n",
          "metadata/classes.csv": "/m/1,Car\n/m/2,Dog\n", "oidv7-train-point-labels.csv": points,
          "narratives.jsonl": narrative,
        ]))
    #expect(found.names == ["Car", "Dog"] && found.objects.map(\.label) == ["Car"])
    #expect(
      found.places == [
        "unsupportedField warning narratives.jsonl",
        "unsupportedField warning oidv7-train-point-labels.csv",
      ])
    #expect(found.issues.map(\.message).contains("the file holds point labels, which are not read"))
    // What is read with the folder is not proposed as a table of its own.
    let coco =
      #"{"images": [{"id": 1, "file_name": "a.png"}], "annotations": [], "categories": []}"#
    let text = refusal(
      try tree(
        ["a.png"],
        ["boxes.csv": Self.boxes, "coco.json": coco, "class-descriptions.csv": "/m/1,Car\n"]),
      as: nil)
    #expect(!text.contains("--columns") && !text.contains("to import a CSV file"), "\(text)")
  }

  // MARK: Images in files

  private static func idx(_ sizes: [UInt8], _ values: [UInt8]) -> [UInt8] {
    [0, 0, 8, UInt8(sizes.count)] + sizes.flatMap { [0, 0, 0, $0] } + values
  }

  @Test("Class names beside IDX files name the labels; copies are read once")
  func idx() throws {
    let images = Self.idx([2, 1, 1], [5, 6])
    var files = [
      "train-images.idx3-ubyte": images, "train-labels.idx1-ubyte": Self.idx([2], [1, 0]),
      "train-images-idx3-ubyte/train-images-idx3-ubyte": images,
    ]
    let names = ["dataset_meta.json": #"{"labels": ["cat", "dog"]}"#, "labels.txt": "cat\ndog\n"]
    for (name, text) in names {
      files[name] = Array(text.utf8)
      let found = try Collected(detecting: MemoryTree(folder: files))
      #expect(found.labels == ["dog", "cat"] && found.classes == ["cat", "dog"])
      #expect(found.run.notes.contains("\(name) names the classes, from 0"))
      #expect(found.run.notes.contains { $0.contains("is a copy of") })
      files[name] = nil
    }
    files["labels.txt"] = Array("cat\n".utf8)
    #expect(refusal(MemoryTree(folder: files)).contains("labels.txt names 1 class, from 0"))
    files["labels.txt"] = nil
    files["train-images.idx3-ubyte"] = Self.idx([2, 1, 1], [5, 7])
    #expect(refusal(MemoryTree(folder: files)).contains("are both the images of the split train"))
  }

  @Test("classnames.txt names the numbers of shards; without names a note says that")
  func shards() throws {
    let shard = try FileTree(fixture: "webdataset/numbers").readAll(
      "train-000000.tar", limit: 1 << 20)
    let named = try Collected(
      detecting: MemoryTree(folder: [
        "train-000000.tar": shard, "classnames.txt": Array("cat\ndog\n".utf8),
      ]))
    #expect(named.labels == ["dog", "cat"] && named.run.notes.isEmpty)
    let plain = try Collected(detecting: MemoryTree(folder: ["train-000000.tar": shard]))
    #expect(plain.labels == ["1", "0"])
    #expect(plain.run.notes.contains { $0.hasPrefix("nothing names the numbers of the labels") })
  }

  // MARK: Folders

  @Test("The cache that Ultralytics writes beside the folders of classes is no companion")
  func cache() throws {
    let found = try Collected(
      detecting: MemoryTree(folder: [
        "train/a/1.png": Self.png, "val/b/2.png": Self.png, "train.cache": [0x80, 4],
      ]))
    #expect(found.labels == ["a", "b"] && found.issues.isEmpty)
    let other = MemoryTree(folder: ["train/a/1.png": Self.png, "x.cache": [0x80, 4, 0x95, 0]])
    #expect(refusal(other).contains("Python pickles"))
  }

  @Test("The folds of LFW's pairs are read if there is no list of all")
  func folds() throws {
    let images = ["lfw/Al_Ba/Al_Ba_0001.png", "lfw/Al_Ba/Al_Ba_0002.png"]
    let all = try Collected(
      detecting: tree(
        images, ["lfw/pairs_01.txt": "Al_Ba\t1\t2\n", "lfw/pairs.txt": "1\t1\nAl_Ba\t1\t2\n"]))
    #expect(all.labels == ["Al_Ba", "Al_Ba"])
    #expect(all.issues.map(\.location.file) == ["lfw/pairs.txt"])
    let fold = try Collected(detecting: tree(images, ["lfw/pairs_01.txt": "Al_Ba\t1\t2\n"]))
    #expect(fold.issues.map(\.location.file) == ["lfw/pairs_01.txt"])
  }

  // MARK: Annotations

  @Test("DOTA's labels of which YOLO's were made are named; a second set of labels is refused")
  func yolo() throws {
    var texts = [
      "labels/train/a.txt": "0 0.1 0.1 0.3 0.1 0.3 0.4 0.1 0.4\n",
      "labels/train_original/a.txt": "gsd:0.1\n1 1 3 1 3 4 1 4 ship 0\n",
    ]
    let found = try CollectedObjects(detecting: tree(["images/train/a.png"], texts))
    #expect(found.objects.count == 1 && found.issues.isEmpty)
    #expect(
      found.run.notes.contains { $0.hasPrefix("labels/train_original holds the DOTA labels") })
    texts["labels/train_original/b.txt"] = "1 1 3 1 3 4 1 4 ship 0\n"
    let unknown = try tree(["images/train/a.png", "images/train/b.png"], texts)
    #expect(refusal(unknown).contains("DOTA labels"))

    let two = ["labels/a.txt": "0 0.5 0.5 0.1 0.1\n", "labels_old/a.txt": "1 0.5 0.5 0.2 0.2\n"]
    #expect(
      refusal(try tree(["images/a.png"], two)).contains(
        "1 label file in labels_old is called like those in labels, which are read, so it is a "
          + "second set of labels"))
    // Labels of another split can have the same names.
    let splits = [
      "labels/train/a.txt": "0 0.5 0.5 0.1 0.1\n", "labels/val/a.txt": "1 0.5 0.5 0.2 0.2\n",
    ]
    #expect(refusal(try tree(["images/train/a.png"], splits)) == "imported as yolo")
  }

  @Test("The keys of Darknet's data files and names such as train_mini keep their spelling")
  func splits() throws {
    let darknet = try CollectedObjects(
      detecting: tree(
        ["obj_Train_data/a.png"],
        [
          "obj.data": "classes = 1\nTrain = data/Train.txt\nnames = data/obj.names\n",
          "obj.names": "cat\n", "Train.txt": "data/obj_Train_data/a.png\n",
          "obj_Train_data/a.txt": "0 0.5 0.5 0.1 0.1\n",
        ]))
    #expect(darknet.splits == ["Train"])
    func coco(_ name: String) -> String {
      #"{"images": [{"id": 1, "file_name": "\#(name)", "width": 10, "height": 10}], "categories": "#
        + #"[{"id": 1, "name": "a"}], "annotations": [{"id": 1, "image_id": 1, "category_id": 1, "#
        + #""bbox": [1, 1, 2, 2], "area": 4, "iscrowd": 0}]}"#
    }
    let found = try COCOCollected(
      tree(
        ["train_mini/a.png", "val/b.png"],
        ["train_mini.json": coco("train_mini/a.png"), "val_list.json": coco("val/b.png")]),
      as: .coco)
    #expect(found.splits == ["train_mini", "val"])
  }

  @Test("Manifests of the same images are refused with a command for each")
  func manifests() throws {
    let line =
      #"{"source-ref": "s3://b/a.png", "x": {"image_size": [{"width": 10, "height": 10}], "#
      + #""annotations": []}, "x-metadata": {"class-map": {"0": "cat"}, "#
      + #""type": "groundtruth/object-detection"}}"#
    let text = refusal(
      try tree(["a.png"], ["1/output.manifest": line, "output/output.manifest": line]))
    #expect(text.contains("1/output.manifest and output/output.manifest describe the same images"))
    #expect(text.contains("assay import PATH/1/output.manifest:ground-truth --images PATH"))
    let other = line.replacing("a.png", with: "b.png")
    #expect(
      refusal(try tree(["a.png", "b.png"], ["1.manifest": line, "2.manifest": other]))
        == "imported as ground-truth")
  }

  @Test("A shape without a label in CVAT's XML is kept as unlabeled")
  func unlabeled() throws {
    let text =
      #"<annotations><image id="0" name="a.png" width="10" height="10"><box label="" xtl="1" "#
      + #"ytl="1" xbr="3" ybr="4"/></image></annotations>"#
    let found = try CollectedObjects(detecting: tree(["a.png"], ["annotations.xml": text]))
    #expect(found.objects.map(\.label) == ["unlabeled"])
    #expect(found.places == ["missingLabel warning annotations.xml:1"] && found.isBalanced)
  }

  @Test("A JSON with an empty list of images beside COCO's files has nothing to lose")
  func emptyList() throws {
    let lvis =
      #"{"images": [{"id": 1, "width": 10, "height": 10, "coco_url": "x/a.png", "#
      + #""neg_category_ids": [], "not_exhaustive_category_ids": []}], "categories": "#
      + #"[{"id": 1, "name": "a"}], "annotations": [{"id": 1, "image_id": 1, "category_id": 1, "#
      + #""bbox": [1, 1, 2, 2], "area": 4, "segmentation": [[1, 1, 3, 1, 3, 3]]}]}"#
    let empty =
      #"{"info": {}, "images": [], "categories": [{"id": 1, "synset": "a", "frequency": "c"}]}"#
    let texts = ["lvis_v1_val.json": lvis, "lvis_v1_image_info_test_dev.json": empty]
    #expect(refusal(try tree(["x/a.png"], texts)) == "imported as lvis")
    let others = empty.replacing(#""images": [], "#, with: "")
    let other = ["lvis_v1_val.json": lvis, "lvis_v1_image_info_test_dev.json": others]
    #expect(refusal(try tree(["x/a.png"], other)).contains("LVIS annotations"))
  }

  @Test(
    "Exports that are not read are named, without a command that would read them wrong",
    arguments: [
      (
        "1.csv",
        "annotation_id,annotator,id,image,label,lead_time\n1,1,1,/x/a.png,\"[{\"\"x\"\": 1}]\",2\n",
        "Label Studio annotations (CSV)"
      ),
      (
        "1.json", #"{"frames": {"a.png": []}, "inputTags": "cat", "visitedFrames": [0]}"#,
        "annotations of VoTT 1"
      ),
    ])
  func named(file: String, text: String, says: String) throws {
    let found = refusal(try tree(["a.png"], [file: text]))
    #expect(found.contains(says) && !found.contains("--columns"), "\(found)")
  }

  @Test("A table beside annotations is refused, and the other way keeps the annotations")
  func table() throws {
    let xml = VOCText.annotation(objects: [VOCText.object("a", 1, 1, 2, 2)])
    let text = refusal(
      try tree(["a.png"], ["a.xml": xml, "labels.csv": "image,label\na.png,cat\n"]))
    #expect(text.contains("or what voc reads, without it: PATH:voc --ignore-companions"), "\(text)")
    #expect(!text.contains("images without labels"))
  }

  @Test("A Label Studio task about a video says so")
  func video() throws {
    let text = #"[{"id": 1, "data": {"video": "/v.mp4"}, "annotations": [{"result": []}]}]"#
    #expect(
      refusal(try tree(["a.png"], ["p.json": text]), as: .labelStudio)
        .contains("the task is a video"))
  }
}
