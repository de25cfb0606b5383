import AssayTestSupport
import Foundation
import Testing

/// A small tree, made in memory, of a dataset layout that assay does not import.
struct DatasetLayout: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var files: [String: [UInt8]]
  /// A part of the error message.
  var says: String

  init(_ name: String, _ files: [String: [UInt8]], says: String) {
    (testDescription, self.files, self.says) = (name, files, says)
  }

  /// File contents, or `nil` for a file that is a PNG.
  init(_ name: String, texts: [String: String?], says: String) {
    self.init(
      name, texts.mapValues { $0.map { Array($0.utf8) } ?? Self.png }, says: says)
  }

  /// A complete PNG of 3×2 pixels.
  static let png =
    (try? Data(
      contentsOf: PackageFolder.fixture("image-folder/classes/cat/1.png"))).map { Array($0) } ?? []

  static let voc = """
    <annotation><folder>JPEGImages</folder><filename>1.jpg</filename>
    <object><name>cat</name><bndbox><xmin>1</xmin></bndbox></object></annotation>
    """

  /// Labels next to images, or images in folders that are not classes.
  static let texts: [DatasetLayout] = [
    DatasetLayout(
      "YOLO's data.yaml alone",
      texts: ["train/images/a.png": nil, "data.yaml": "nc: 1\nnames: [a]\n"],
      says: "YOLO data files (data.yaml)"),
    DatasetLayout(
      "YOLO beside COCO's captions",
      texts: [
        "images/a.png": nil, "labels/a.txt": "0 0.5 0.5 0.2 0.1\n",
        "captions.json": #"{"list": [{"image_id": 1, "id": 2, "caption": "a cat"}]}"#,
      ], says: "COCO captions"),
    DatasetLayout(
      "YOLO for Darknet without labels",
      texts: [
        "obj_train_data/a.png": nil, "obj.data": "names = obj.names\n", "obj.names": "cat\n",
      ], says: "YOLO data files (Darknet)"),
    DatasetLayout(
      "Pascal VOC without annotations", texts: ["JPEGImages/1.png": nil],
      says: "the folder JPEGImages is part of a dataset's layout (Pascal VOC), not a class"),
    DatasetLayout(
      "COCO's captions",
      texts: [
        "images/1.png": nil,
        "captions.json": #"{"list": [{"image_id": 1, "id": 2, "caption": "a cat"}]}"#,
      ], says: "COCO captions"),
    DatasetLayout(
      "COCO's annotations without images' list",
      texts: [
        "val/1.png": nil,
        "x.json": #"{"annotations": [{"category_id": 1, "bbox": [0, 0, 1, 1]}]}"#,
      ], says: "COCO annotations"),
    DatasetLayout(
      "Open Images",
      texts: [
        "train/1.png": nil,
        "train-annotations-bbox.csv": "ImageID,Source,LabelName,Confidence,XMin\n1,x,/m/1,1,0\n",
      ], says: "Open Images annotations (CSV)"),
    DatasetLayout(
      "Hugging Face, JSON Lines",
      texts: [
        "train/1.png": nil, "train/metadata.jsonl": #"{"file_name": "1.png", "parts": [1]}"#,
      ],
      says: "Hugging Face image-folder metadata"),
    DatasetLayout(
      "Hugging Face, CSV",
      texts: [
        "a/1.png": nil, "b/2.png": nil, "metadata.csv": "file_name,score\na/1.png,1\n",
      ],
      says: "Hugging Face image-folder metadata"),
    DatasetLayout(
      "SageMaker Ground Truth",
      texts: [
        "1.png": nil,
        "output.manifest":
          #"{"source-ref": "s3://b/1.png", "job": {"annotations": [{"class_id": 0}]}}"#,
      ], says: "SageMaker Ground Truth manifests"),
    DatasetLayout(
      "VIA",
      texts: [
        "1.png": nil, "via.json": #"{"1.png12": {"regions": [{"shape_attributes": {}}]}}"#,
        "via.csv": "filename,file_size,region_shape_attributes\n1.png,12,{}\n",
      ], says: "VIA annotations"),
    DatasetLayout(
      "Datumaro beside YOLO",
      texts: [
        "images/default/1.png": nil, "labels/default/1.txt": "0 0.5 0.5 0.2 0.1\n",
        "annotations/default.json": #"{"info": {}, "categories": {}, "items": []}"#,
      ], says: "YOLO labels"),
    DatasetLayout(
      "CrowdHuman",
      texts: [
        "Images/1.png": nil,
        "annotation_train.odgt":
          #"{"ID": "1", "gtboxes": [{"tag": "person", "fbox": [1, 2, 3, 4]}]}"#,
      ], says: "CrowdHuman annotations"),
    DatasetLayout(
      "ADE20K's parts",
      texts: [
        "training/airport/ADE_1.jpg": nil, "training/airport/ADE_1_atr.txt": "001 # 0 # 0 # sky\n",
      ], says: "1 .txt file looks like ADE20K annotations"),
    DatasetLayout(
      "ADE20K, JSON",
      texts: [
        "training/airport/ADE_1.png": nil,
        "training/airport/ADE_1.json":
          #"{"annotation": {"folder": "x", "object": [{"parts": {}}]}}"#,
      ], says: "ADE20K annotations"),
    DatasetLayout(
      "MOT Challenge", texts: ["img1/000001.png": nil, "gt/gt.txt": "1,1,10,20,30,40,1,1,0.5\n"],
      says: "MOT Challenge labels"),
    DatasetLayout(
      "MOT Challenge, with a description of the sequence",
      texts: [
        "img1/000001.png": nil, "gt/gt.txt": "1,1,10,20,30,40,1,1,0.5\n",
        "seqinfo.ini": "[Sequence]\nname=a\nframeRate=30\n",
      ], says: "datum convert -i PATH -if mot_seq -f datumaro -o DIR -- --save-media"),
    DatasetLayout(
      "oriented boxes",
      texts: ["x/1.png": nil, "labelTxt/1.txt": "1 1 9 1 9 9 1 9 plane 0\n"],
      says: "-if dota -f cvat -o DIR -- --save-media --allow-undeclared-attrs"),
    DatasetLayout(
      "WIDER FACE",
      texts: [
        "WIDER_train/images/0--Parade/0_Parade_1.png": nil,
        "wider_face_split/wider_face_train_bbx_gt.txt":
          "0--Parade/0_Parade_1.png\n2\n4 5 20 22 2 0 0 0 0 0 \n40 5 10 12 0 0 0 0 0 0 \n",
      ], says: "WIDER FACE boxes"),
    DatasetLayout(
      "ICDAR 2015",
      texts: [
        "images/img_1.png": nil,
        "gt_img_1.txt":
          "\u{FEFF}377,117,463,117,465,130,378,130,Genaxis Theatre\r\n1,2,3,2,3,4,1,4,a,b\r\n",
      ], says: "ICDAR text regions"),
    DatasetLayout(
      "ICDAR 2013",
      texts: ["images/img_1.png": nil, "gt_img_1.txt": "38, 43, 920, 215, \"Tiredness\"\n"],
      says: "-if icdar_text_localization"),
    DatasetLayout(
      "VisDrone",
      texts: [
        "images/1.png": nil,
        "annotations/1.txt": "684,8,273,116,0,0,0,0\n406,119,265,70,1,4,0,0,\n",
      ], says: "VisDrone labels"),
    DatasetLayout(
      "CUB-200",
      texts: [
        "images/001.Albatross/a.png": nil, "images.txt": "1 001.Albatross/a.png\n",
        "bounding_boxes.txt": "1 60.0 27.0 325.0 304.0\n",
      ], says: "2 .txt files look like CUB-200 lists"),
    DatasetLayout(
      "Keras YOLO, as Roboflow writes it",
      texts: [
        "train/a.png": nil,
        "train/_annotations.txt": "a.png 1,2,30,40,0 5,6,7,8,1\nb.png 1,2,3,4,0\n",
        "train/_classes.txt": "cat\ndog\n",
      ], says: "Keras YOLO lists"),
    DatasetLayout(
      "KITTI's tracks",
      texts: [
        "image_02/0000/000000.png": nil,
        "label_02/0000.txt":
          "0 2 Car 0 0 -1.79 296.7 161.7 455.2 292.3 2.0 1.8 4.4 -4.5 1.8 13.4 -2.1\n",
      ], says: "KITTI tracking labels"),
    DatasetLayout(
      "boxes in a table",
      texts: [
        "1.png": nil, "labels.csv": "filename,width,height,class,xmin,ymin\n1.png,3,2,a,0,0\n",
      ],
      says: "tables of boxes (CSV)"),
    DatasetLayout(
      "labels in a table", texts: ["1.png": nil, "train.csv": "id,label\n1.png,cat\n"],
      says: "tables of images and labels (CSV)"),
    DatasetLayout(
      "pixels in a table",
      texts: [
        "1.png": nil,
        "mnist.csv": (["label"] + (0..<200).map { "pixel\($0)" }).joined(separator: ",") + "\n",
      ], says: "tables of pixels (MNIST CSV)"),
    DatasetLayout(
      "a text that tells nothing", texts: ["cat/1.png": nil, "cat/notes.txt": "hello\n"],
      says: "1 .txt file of unknown content (cat/notes.txt)"),
    DatasetLayout(
      "images alone in images/", texts: ["images/1.png": nil],
      says: "the folder images is part of a dataset's layout"),
  ]

  /// A tar archive with one member.
  private static func tar(_ member: String) -> [UInt8] {
    var header = [UInt8](repeating: 0, count: 1024)
    header.replaceSubrange(0..<member.utf8.count, with: member.utf8)
    header.replaceSubrange(124..<135, with: "00000000003".utf8)
    header.replaceSubrange(257..<262, with: "ustar".utf8)
    return header
  }

  private static func padded(_ bytes: [UInt8], at offset: Int, count: Int) -> [UInt8] {
    var whole = [UInt8](repeating: 0, count: count)
    whole.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    return whole
  }

  private static func binary(
    _ name: String, _ path: String, _ bytes: [UInt8], says: String
  ) -> DatasetLayout {
    DatasetLayout(name, ["a/1.png": png, path: bytes], says: says)
  }

  /// Archives and arrays next to an image.
  static let binaries: [DatasetLayout] = [
    binary("ZIP", "x.zip", Array("PK\u{3}\u{4}".utf8), says: "ZIP archives"),
    binary("tar", "x.tar", tar("notes.txt"), says: "tar archives"),
    binary("WebDataset", "0000.tar", tar("a/1.jpg"), says: "WebDataset shards"),
    binary("gzip tar", "x.tar.gz", [0x1F, 0x8B, 8, 0], says: "tar archives"),
    binary("NumPy", "x.npz", Array("PK\u{3}\u{4}".utf8), says: "NumPy arrays"),
    binary("IDX", "t10k-images-idx3-ubyte", [0, 0, 8, 3, 0, 0, 0, 1], says: "IDX files"),
    binary("IDX, packed", "t10k-images-idx3-ubyte.gz", [0x1F, 0x8B, 8, 0], says: "IDX files"),
    binary(
      "CIFAR, binary", "data_batch_1.bin", [UInt8](repeating: 6, count: 3073),
      says: "CIFAR batches (binary)"),
    binary("CIFAR, pickle", "data_batch_1", [0x80, 2, 0], says: "CIFAR batches (Python pickles)"),
    binary(
      "TFRecord", "train.tfrecord-00000-of-00001", [9, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 0x0A, 7],
      says: "TFRecord files"),
    binary("Parquet", "train-0.parquet", Array("PAR1".utf8), says: "Parquet tables"),
    binary(
      "NIfTI", "x.nii", padded(Array("n+1\u{0}".utf8), at: 344, count: 352), says: "NIfTI volumes"),
    binary("NIfTI, packed", "x.nii.gz", [0x1F, 0x8B, 8, 0], says: "NIfTI volumes"),
    binary(
      "DICOM", "x.dcm", padded(Array("DICM".utf8), at: 128, count: 140), says: "DICOM images"),
    binary("HDF5", "x.h5", [0x89, 0x48, 0x44, 0x46, 0x0D], says: "HDF5 files"),
    binary("MATLAB", "x.mat", Array("MATLAB 5.0 MAT-file".utf8), says: "MATLAB files"),
    binary(
      "a file of another kind", "x.dat", [1, 2, 3, 0], says: "1 .dat file of unknown content"),
  ]
}
