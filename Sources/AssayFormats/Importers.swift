package import AssayCore

/// The list of importers.
package enum Importers {
  /// The importer of a format.
  package static func importer(for format: DatasetFormat) -> any DatasetImporter {
    switch format {
    case .fer: FERImporter()
    case .pixelCSV: PixelCSVImporter()
    case .multiLabelCSV: MultiLabelCSVImporter()
    case .frames: FramesImporter()
    case .mnist: MNISTImporter()
    case .cifar: CIFARImporter()
    case .lvis: LVISImporter()
    case .csv: CSVImporter()
    case .coco: COCOImporter()
    case .cocoLabels: COCOLabelsImporter()
    case .datumaro: DatumaroImporter()
    case .yolo: YOLOImporter()
    case .cityscapes: CityscapesImporter()
    case .ade20k: ADE20KImporter()
    case .voc: VOCImporter()
    case .kitti: KITTIImporter()
    case .cvat: CVATImporter()
    case .openImages: OpenImagesImporter()
    case .imageNet: ImageNetImporter()
    case .celebA: CelebAImporter(withFaces: false)
    case .celebAFaces: CelebAImporter(withFaces: true)
    case .lfw: LFWImporter()
    case .hfImageFolder: HFImageFolderImporter()
    case .labelMe: LabelMeImporter()
    case .parquet: ParquetImporter(withLabels: false)
    case .parquetLabels: ParquetImporter(withLabels: true)
    case .tfRecord: TFRecordImporter()
    case .createML: CreateMLImporter()
    case .labelStudio: LabelStudioImporter()
    case .voTT: VoTTImporter()
    case .bdd100k: BDD100KImporter()
    case .via: VIAImporter()
    case .supervisely: SuperviselyImporter()
    case .groundTruth: GroundTruthImporter(withLabels: false)
    case .groundTruthLabels: GroundTruthImporter(withLabels: true)
    case .webDataset: WebDatasetImporter()
    case .camVid: CamVidImporter()
    case .masks: MasksImporter()
    case .imageFolder: ImageFolderImporter()
    }
  }

  /// All importers, in the order in which they check a source.
  package static var all: [any DatasetImporter] { DatasetFormat.allCases.map(importer(for:)) }
}
