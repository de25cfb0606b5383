/// The layouts on disk that assay imports. The raw value is the spelling on the command line
/// (`PATH:FORMAT`) and in the catalog.
package enum DatasetFormat: String, CaseIterable, Sendable, Codable {
  /// FER-2013's CSV: `emotion`, `pixels`, `Usage`, in any order.
  case fer
  /// A labeled CSV of pixels: one column of pixels, or one column per pixel (MNIST-CSV style).
  case pixelCSV = "pixel-csv"
  /// A CSV of images with a set of labels each: listed in one column, or one 0/1 column per class.
  case multiLabelCSV = "multilabel-csv"
  /// A table of boxes or polygons with stated columns, one object per row.
  case csv
  /// Frames of films or cameras with number and time.
  case frames
  /// MNIST's IDX files: gray images in one file, their labels in another.
  case mnist
  /// The binary files of CIFAR-10, CIFAR-100 and STL-10.
  case cifar
  /// LVIS's JSON: COCO's with frequencies of classes and lists of verified classes per image.
  case lvis
  /// COCO's JSON of instances, keypoints, panoptic segments, stuff, captions or images alone, beside
  /// its images or separate from them.
  case coco
  /// COCO's JSON with labels of whole images: annotations without a box.
  case cocoLabels = "coco-labels"
  /// Datumaro's own JSON: `annotations/SUBSET.json` with items, and `images/SUBSET/`.
  case datumaro
  /// YOLO's label files: one text per image with boxes, polygons or keypoints.
  case yolo
  /// Cityscapes' folders `leftImg8bit` and `gtFine`: polygons, or label images.
  case cityscapes
  /// ADE20K: index PNGs of 150 classes, or objects and parts of the full releases.
  case ade20k
  /// Pascal VOC's XML files: one per image, with boxes; masks of classes and of objects beside them.
  case voc
  /// KITTI's object detection: `image_2` and `label_2`, one text per image.
  case kitti
  /// CVAT's XML 1.1: images or tracks of a video with shapes.
  case cvat
  /// Open Images' CSV tables of boxes and masks beside the images.
  case openImages = "openimages"
  /// LabelMe's JSON or XML: one file per image with polygons, boxes, lines, points and masks.
  case labelMe = "labelme"
  /// ImageNet's folders of synsets, and lists of images and classes.
  case imageNet = "imagenet"
  /// CelebA's attributes as a set of labels per image.
  case celebA = "celeba"
  /// CelebA's faces with box, landmarks, identity and attributes.
  case celebAFaces = "celeba-faces"
  /// Labeled Faces in the Wild: a folder per person, with lists of people, pairs and landmarks.
  case lfw
  /// Hugging Face's image folders with `metadata.jsonl` or `metadata.csv`.
  case hfImageFolder = "hf-imagefolder"
  /// Parquet tables with the images in them, as the Hugging Face Hub serves them.
  case parquet
  /// Parquet tables with the images in them and a set of labels each.
  case parquetLabels = "parquet-labels"
  /// TensorFlow's record files with the images in them.
  case tfRecord = "tfrecord"
  /// Create ML's JSON: lists of images with boxes, or with one label each.
  case createML = "createml"
  /// Label Studio's JSON export of tasks, complete or minimal.
  case labelStudio = "label-studio"
  /// VoTT's JSON: one export file, or one file per asset.
  case voTT = "vott"
  /// BDD100K's labels: Scalabel's JSON lists of images, or one JSON per image.
  case bdd100k
  /// The VGG Image Annotator's JSON or CSV, versions 1 and 2.
  case via
  /// Supervisely's projects: `meta.json`, and one JSON per image in `ann/` beside `img/`.
  case supervisely
  /// SageMaker Ground Truth's augmented manifests with boxes or one class per image.
  case groundTruth = "ground-truth"
  /// SageMaker Ground Truth's augmented manifests with a set of labels per image.
  case groundTruthLabels = "ground-truth-labels"
  /// WebDataset's tar shards: members with the same name are one sample.
  case webDataset = "webdataset"
  /// CamVid's folders of index PNGs, `train/` and `trainannot/`, or of colors with a label file.
  case camVid = "camvid"
  /// Images and index or binary PNGs with the same names, in sibling folders.
  case masks
  /// Images in one folder per class, optionally below one folder per split.
  case imageFolder = "image-folder"
}
