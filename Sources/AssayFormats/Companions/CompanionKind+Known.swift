import AssayCore

/// The kinds of annotations that are recognized beside images.
extension CompanionKind {
  static let yolo = CompanionKind("YOLO labels", .yolo)
  static let yoloData = CompanionKind("YOLO data files (data.yaml)", .yolo)
  static let darknetData = CompanionKind("YOLO data files (Darknet)", .yolo)
  static let yoloNames = CompanionKind("YOLO class names")
  static let kerasYOLO = CompanionKind(
    "Keras YOLO lists (an image and x1,y1,x2,y2,class), which are not imported; export them as "
      + "COCO JSON or YOLO labels")
  static let voc = CompanionKind("Pascal VOC annotations", .voc)
  static let vocSets = CompanionKind("Pascal VOC image sets")
  static let vocMaps = CompanionKind("Pascal VOC label maps")
  static let coco = CompanionKind("COCO annotations", .coco)
  static let cocoCaptions = CompanionKind("COCO captions", .coco)
  static let narratives = CompanionKind("Localized Narratives (spoken captions)")
  static let cocoPanoptic = CompanionKind("COCO panoptic annotations", .coco)
  /// A model's detections; not a dataset's labels.
  static let cocoResults = CompanionKind(other: "COCO results")
  static let lvis = CompanionKind("LVIS annotations", .lvis)
  static let crowdHuman = CompanionKind("CrowdHuman annotations (.odgt)")
  static let cvat = CompanionKind("CVAT annotations (XML)", .cvat)
  static let dlib = CompanionKind("dlib annotations (XML)")
  static let labelMe = CompanionKind("LabelMe annotations (JSON)", .labelMe)
  static let labelMeXML = CompanionKind("LabelMe annotations (XML)", .labelMe)
  static let labelStudio = CompanionKind("Label Studio annotations", .labelStudio)
  static let labelStudioTable = CompanionKind(
    "Label Studio annotations (CSV), which are not imported; export the project as JSON")
  static let voTT1 = CompanionKind(
    "annotations of VoTT 1, which are not imported; convert the project with VoTT 2")
  static let createML = CompanionKind("Create ML annotations", .createML)
  static let voTT = CompanionKind("VoTT annotations", .voTT)
  static let via = CompanionKind("VIA annotations", .via)
  static let viaTable = CompanionKind("VIA annotations (CSV)", .via)
  static let via3 = CompanionKind("VIA 3 annotations", .via)
  static let cityscapes = CompanionKind("Cityscapes polygons", .cityscapes)
  static let supervisely = CompanionKind("Supervisely annotations", .supervisely)
  static let datumaro = CompanionKind("Datumaro annotations", .datumaro)
  static let bdd100K = CompanionKind("BDD100K labels", .bdd100k)
  static let ade20K = CompanionKind("ADE20K annotations", .ade20k)
  static let groundTruth = CompanionKind("SageMaker Ground Truth manifests", .groundTruth)
  static let openImages = CompanionKind("Open Images annotations (CSV)", .openImages)
  static let celebA = CompanionKind("CelebA annotations", .celebA)
  static let celebATable = CompanionKind("CelebA annotations (CSV)", .celebA)
  static let lfw = CompanionKind("LFW annotations", .lfw)
  static let kitti = CompanionKind("KITTI labels", .kitti)
  static let hfMetadata = CompanionKind("Hugging Face image-folder metadata", .hfImageFolder)
  static let imageNetNames = CompanionKind("ImageNet class names")
  static let imageNetLists = CompanionKind("ImageNet lists (an image and its class)")
  static let imageLists = CompanionKind("lists of images")
  static let labelLists = CompanionKind("lists of images and labels")
  static let classNames = CompanionKind("lists of class names")
  static let boxTables = CompanionKind("tables of boxes (CSV)")
  static let labelTables = CompanionKind("tables of images and labels (CSV)")
  static let pixelTables = CompanionKind("tables of pixels (MNIST CSV)")
  static let parquet = CompanionKind("Parquet tables", .parquet)
  static let tfRecord = CompanionKind("TFRecord files", .tfRecord)
  static let idx = CompanionKind("IDX files (MNIST, EMNIST)", .mnist)
  static let cifar = CompanionKind("CIFAR batches (binary)", .cifar)
  static let cifarPickles = CompanionKind("CIFAR batches (Python pickles)")
  static let shards = CompanionKind("WebDataset shards", .webDataset)
  static let numPy = CompanionKind("NumPy arrays")
  static let nifti = CompanionKind("NIfTI volumes")
  static let dicom = CompanionKind("DICOM images")
  static let cub = CompanionKind("CUB-200 lists")
  static let visDrone = CompanionKind("VisDrone labels")
  static let kittiTracks = CompanionKind("KITTI tracking labels")

  static let mot = CompanionKind(
    "MOT Challenge labels", conversion: Self.datum("mot_seq"))
  static let runLengthTables = CompanionKind(
    "tables of masks as run lengths (Kaggle's EncodedPixels), which are not read; COCO JSON holds such masks"
  )
  static let wider = CompanionKind("WIDER FACE boxes", conversion: Self.datum("wider_face"))
  static let icdar = CompanionKind(
    "ICDAR text regions", conversion: Self.datum("icdar_text_localization"))
  static let dota = CompanionKind(
    "DOTA labels (oriented boxes)",
    conversion: Self.datum("dota", to: .cvat, "--save-media --allow-undeclared-attrs"))

  /// Datumaro's command.
  ///
  /// - Parameters:
  ///   - source: its name of the layout.
  ///   - format: one that both programs know by this name.
  private static func datum(
    _ source: String, to format: DatasetFormat = .datumaro, _ options: String = "--save-media"
  ) -> String {
    "datum convert -i PATH -if \(source) -f \(format.rawValue) -o DIR -- \(options) "
      + "(pip install 'datumaro[cli]')"
  }
}
