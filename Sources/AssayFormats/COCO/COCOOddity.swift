import AssayCore

/// An oddity of a COCO file that is imported or evaluated.
///
/// For an import, ``kind``, ``severity``, ``issueLimit`` and ``plural`` define the issue: errors
/// omit a record, warnings keep it unchanged or correct it as the message states. For an evaluation
/// from files, ``words`` define the text.
package enum COCOOddity: CaseIterable, Hashable, Sendable {
  // The file
  case noInfo, repeatedList, noAnnotations
  // Images
  case badImage, imageWithoutID, repeatedImageID, oddImageID, oddFileName, repeatedFileName
  case outsideRoot, noImageSize, oddSize, sizeTooLarge, missingImage, unreadableImage
  case sizeMismatch
  // Categories
  case badCategory, categoryWithoutID, categoryWithoutName, repeatedCategoryID
  case repeatedCategoryName, oddCategoryID, categoryFields
  // Annotations
  case badAnnotation, truthWithoutReference, truthOfUnknownImage, truthOfUnknownCategory
  case leftOutImage, mistypedTruth, annotationWithoutID, textAnnotationID, zeroID, repeatedID
  case oddID, noArea, badArea, textArea, notFiniteArea, negativeArea, noCrowd, badCrowd
  case textCrowd, truthWithoutBox, badBox, notFiniteTruthBox, negativeTruthBox
  case truthWithoutRegion, unusableSegmentation, oddTruthRegion, boxPolygon, flatPolygon
  case strangeTruthRegion, beyondImage, truthMaskSize, badTruthRegion, truthWithoutShape
  case nulledAttribute, keypointCount, noCaption, repeatedLabel, labelFields, lvisLists
  case badSegment, repeatedSegment, segmentArea, emptySegment, unlistedPixels, panopticFile
  case panopticSize, truthWithoutKeypoints, badTruthKeypoints, noKeypointCount
  // Results
  case wrappedResults, noResults, badResult, resultWithoutReference, resultOfUnknownImage
  case resultOfUnknownCategory, mistypedImage, mistypedCategory, noScore, textScore
  case notFiniteScore, resultWithoutBox, notFiniteBox, negativeBox, boxAsRegion
  case uncompressedRegion, oddRegion, strangeRegion, maskSize, badRegion, resultWithoutShape
  case resultWithoutKeypoints, badKeypoints

  /// Its name in JSON.
  package var key: String {
    switch self {
    case .noInfo: "no_info"
    case .repeatedList: "repeated_list"
    case .noAnnotations: "no_annotations"
    case .badImage: "bad_image"
    case .imageWithoutID: "image_without_id"
    case .repeatedImageID: "repeated_image_id"
    case .oddImageID: "odd_image_id"
    case .oddFileName: "odd_file_name"
    case .repeatedFileName: "repeated_file_name"
    case .outsideRoot: "outside_root"
    case .noImageSize: "no_image_size"
    case .oddSize: "odd_size"
    case .sizeTooLarge: "size_too_large"
    case .missingImage: "missing_image"
    case .unreadableImage: "unreadable_image"
    case .sizeMismatch: "size_mismatch"
    case .badCategory: "bad_category"
    case .categoryWithoutID: "category_without_id"
    case .categoryWithoutName: "category_without_name"
    case .repeatedCategoryID: "repeated_category_id"
    case .repeatedCategoryName: "repeated_category_name"
    case .oddCategoryID: "odd_category_id"
    case .categoryFields: "category_fields"
    case .badAnnotation: "bad_annotation"
    case .truthWithoutReference: "ground_truth_without_reference"
    case .truthOfUnknownImage: "ground_truth_of_unknown_image"
    case .truthOfUnknownCategory: "ground_truth_of_unknown_category"
    case .leftOutImage: "left_out_image"
    case .mistypedTruth: "mistyped_ground_truth"
    case .annotationWithoutID: "annotation_without_id"
    case .textAnnotationID: "text_annotation_id"
    case .zeroID: "zero_id"
    case .repeatedID: "repeated_id"
    case .oddID: "odd_id"
    case .noArea: "no_area"
    case .badArea: "bad_area"
    case .textArea: "text_area"
    case .notFiniteArea: "not_finite_area"
    case .negativeArea: "negative_area"
    case .noCrowd: "no_iscrowd"
    case .badCrowd: "bad_iscrowd"
    case .textCrowd: "text_iscrowd"
    case .truthWithoutBox: "ground_truth_without_bbox"
    case .badBox: "bad_box"
    case .notFiniteTruthBox: "not_finite_ground_truth_bbox"
    case .negativeTruthBox: "negative_ground_truth_bbox"
    case .truthWithoutRegion: "ground_truth_without_segmentation"
    case .unusableSegmentation: "unusable_segmentation"
    case .oddTruthRegion: "odd_ground_truth_segmentation"
    case .boxPolygon: "box_polygon"
    case .flatPolygon: "flat_polygon"
    case .strangeTruthRegion: "strange_ground_truth_segmentation"
    case .beyondImage: "beyond_image"
    case .truthMaskSize: "ground_truth_mask_size"
    case .badTruthRegion: "bad_ground_truth_segmentation"
    case .truthWithoutShape: "ground_truth_without_shape"
    case .nulledAttribute: "nulled_attribute"
    case .keypointCount: "keypoint_count"
    case .noCaption: "no_caption"
    case .repeatedLabel: "repeated_label"
    case .labelFields: "label_fields"
    case .lvisLists: "lvis_lists"
    case .badSegment: "bad_segment"
    case .repeatedSegment: "repeated_segment"
    case .segmentArea: "segment_area"
    case .emptySegment: "empty_segment"
    case .unlistedPixels: "unlisted_pixels"
    case .panopticFile: "panoptic_file"
    case .panopticSize: "panoptic_size"
    case .truthWithoutKeypoints: "ground_truth_without_keypoints"
    case .badTruthKeypoints: "bad_ground_truth_keypoints"
    case .noKeypointCount: "no_num_keypoints"
    case .wrappedResults: "wrapped_results"
    case .noResults: "no_results"
    case .badResult: "bad_result"
    case .resultWithoutReference: "result_without_reference"
    case .resultOfUnknownImage: "result_of_unknown_image"
    case .resultOfUnknownCategory: "result_of_unknown_category"
    case .mistypedImage: "mistyped_image_id"
    case .mistypedCategory: "mistyped_category_id"
    case .noScore: "no_score"
    case .textScore: "text_score"
    case .notFiniteScore: "not_finite_score"
    case .resultWithoutBox: "result_without_bbox"
    case .notFiniteBox: "not_finite_bbox"
    case .negativeBox: "negative_bbox"
    case .boxAsRegion: "bbox_as_segmentation"
    case .uncompressedRegion: "uncompressed_segmentation"
    case .oddRegion: "odd_segmentation"
    case .strangeRegion: "strange_segmentation"
    case .maskSize: "mask_size"
    case .badRegion: "bad_segmentation"
    case .resultWithoutShape: "result_without_shape"
    case .resultWithoutKeypoints: "result_without_keypoints"
    case .badKeypoints: "bad_keypoints"
    }
  }

  /// The file that contains it if two files are evaluated together.
  package var side: COCOSide {
    switch self {
    case .wrappedResults, .noResults, .badResult, .resultWithoutReference, .resultOfUnknownImage,
      .resultOfUnknownCategory, .mistypedImage, .mistypedCategory, .noScore, .textScore,
      .notFiniteScore, .resultWithoutBox, .notFiniteBox, .negativeBox, .boxAsRegion,
      .uncompressedRegion, .oddRegion, .strangeRegion, .maskSize, .badRegion, .resultWithoutShape,
      .resultWithoutKeypoints, .badKeypoints:
      .results
    default: .truth
    }
  }

  /// The list that its indices refer to, as a pointer; `nil` for the list of results.
  var list: String? {
    switch self {
    case .badImage, .imageWithoutID, .repeatedImageID, .oddImageID, .oddFileName,
      .repeatedFileName, .outsideRoot, .noImageSize, .oddSize, .sizeTooLarge, .missingImage,
      .unreadableImage, .sizeMismatch:
      "/images"
    case .badCategory, .categoryWithoutID, .categoryWithoutName, .repeatedCategoryID,
      .repeatedCategoryName, .oddCategoryID, .categoryFields:
      "/categories"
    default: side == .truth ? "/annotations" : nil
    }
  }

  /// True if it can change masks that are built from the regions of an image.
  package var concernsMasks: Bool {
    switch self {
    case .noImageSize, .annotationWithoutID, .textAnnotationID, .zeroID, .repeatedID, .noArea,
      .textArea, .notFiniteArea, .negativeArea, .noCrowd, .badCrowd, .textCrowd, .truthWithoutBox,
      .notFiniteTruthBox, .negativeTruthBox, .wrappedResults, .noResults, .noScore, .textScore,
      .notFiniteScore, .resultWithoutBox, .notFiniteBox, .negativeBox, .uncompressedRegion,
      .truthWithoutKeypoints, .badTruthKeypoints, .noKeypointCount, .resultWithoutKeypoints,
      .badKeypoints:
      false
    default: true
    }
  }
}

/// One of the two files that are evaluated together.
package enum COCOSide: String, Sendable, Codable {
  case truth, results
}

/// The issues that an import creates for an oddity.
extension COCOOddity {
  /// The kind of the issue.
  var kind: IssueKind {
    switch self {
    case .noInfo, .categoryWithoutName, .imageWithoutID, .noImageSize, .annotationWithoutID,
      .noArea, .noCrowd, .truthWithoutBox, .truthWithoutRegion, .noCaption:
      .missingField
    case .badCategory, .oddCategoryID, .badImage, .oddImageID, .oddFileName, .oddSize,
      .badAnnotation, .mistypedTruth, .oddID, .badArea, .badCrowd, .badBox, .nulledAttribute,
      .unusableSegmentation, .repeatedList, .categoryFields, .keypointCount, .badSegment,
      .segmentArea:
      .badField
    case .repeatedCategoryID, .repeatedCategoryName, .repeatedImageID, .repeatedFileName,
      .repeatedID, .repeatedLabel, .repeatedSegment:
      .duplicateID
    case .outsideRoot: .outsideRoot
    case .sizeTooLarge: .imageTooLarge
    case .missingImage: .missingImage
    case .unreadableImage: .unreadableImage
    case .sizeMismatch: .imageSize
    case .truthOfUnknownImage, .truthOfUnknownCategory, .leftOutImage:
      .unknownReference
    case .truthWithoutShape, .oddTruthRegion, .boxPolygon, .flatPolygon, .beyondImage,
      .badTruthRegion, .emptySegment:
      .badShape
    case .truthMaskSize, .panopticSize: .maskSize
    case .unlistedPixels: .maskValue
    case .panopticFile: .unpairedMask
    case .labelFields, .lvisLists: .unsupportedField
    // Detected only by an evaluation.
    case .noAnnotations, .categoryWithoutID, .truthWithoutReference, .textAnnotationID, .zeroID,
      .textArea, .notFiniteArea, .negativeArea, .textCrowd, .notFiniteTruthBox,
      .negativeTruthBox, .strangeTruthRegion, .wrappedResults, .noResults, .badResult,
      .resultWithoutReference, .resultOfUnknownImage, .resultOfUnknownCategory, .mistypedImage,
      .mistypedCategory, .noScore, .textScore, .notFiniteScore, .resultWithoutBox, .notFiniteBox,
      .negativeBox, .boxAsRegion, .uncompressedRegion, .oddRegion, .strangeRegion, .maskSize,
      .badRegion, .resultWithoutShape, .truthWithoutKeypoints, .badTruthKeypoints,
      .noKeypointCount, .resultWithoutKeypoints, .badKeypoints:
      .badField
    }
  }

  /// Errors omit a record; warnings keep it unchanged, or correct it as the message states.
  var severity: Issue.Severity {
    switch self {
    case .badCategory, .repeatedCategoryID, .badImage, .repeatedImageID, .outsideRoot,
      .sizeTooLarge, .badAnnotation, .truthOfUnknownImage, .truthOfUnknownCategory,
      .leftOutImage, .truthWithoutShape, .badTruthRegion, .truthMaskSize, .badSegment,
      .repeatedSegment, .emptySegment, .panopticFile, .panopticSize:
      .error
    default: .warning
    }
  }

  /// The maximum number of issues of one file that are listed individually: a few examples of
  /// fields that some files omit throughout.
  var issueLimit: Int {
    switch self {
    case .noArea, .noCrowd, .truthWithoutBox, .truthWithoutRegion, .annotationWithoutID, .oddID,
      .oddImageID, .beyondImage, .leftOutImage, .mistypedTruth, .noImageSize, .oddSize,
      .segmentArea, .unlistedPixels, .labelFields:
      100
    default: IssueLimit.limit
    }
  }

  /// The noun for the remaining ones that are not listed.
  var plural: String {
    switch self {
    case .noArea: "annotations without 'area'"
    case .noCrowd: "annotations without 'iscrowd'"
    case .truthWithoutBox: "annotations without 'bbox'"
    case .truthWithoutRegion: "annotations without a segmentation"
    case .annotationWithoutID: "annotations without an id"
    case .oddID, .oddImageID, .oddCategoryID: "odd ids"
    case .beyondImage: "shapes that extend beyond their image"
    case .leftOutImage: "annotations of images that were left out"
    case .mistypedTruth: "references of the wrong type"
    case .noImageSize: "images without a size"
    case .oddSize: "odd sizes"
    case .missingImage: "missing images"
    case .segmentArea: "segments with another area than their pixels"
    case .unlistedPixels: "images with pixels of unlisted segments"
    case .labelFields: "labels with further fields"
    case .truthOfUnknownImage: "annotations of unknown images"
    case .truthOfUnknownCategory: "annotations of unknown categories"
    default: "like it"
    }
  }
}
