/// What can be odd about a file of COCO's truth or results where the two are judged, one case a rule.
package enum COCOOddity: String, CaseIterable, Sendable, Codable {
  // The truth's lists
  case repeatedList = "repeated_list"
  case noAnnotations = "no_annotations"
  case badImage = "bad_image"
  case imageWithoutID = "image_without_id"
  case repeatedImageID = "repeated_image_id"
  case noImageSize = "no_image_size"
  case badCategory = "bad_category"
  case categoryWithoutID = "category_without_id"
  case categoryWithoutName = "category_without_name"
  case repeatedCategoryID = "repeated_category_id"
  case repeatedCategoryName = "repeated_category_name"
  // The truth's annotations
  case badAnnotation = "bad_annotation"
  case truthWithoutReference = "truth_without_reference"
  case truthOfUnknownImage = "truth_of_unknown_image"
  case truthOfUnknownCategory = "truth_of_unknown_category"
  case mistypedTruth = "mistyped_truth"
  case annotationWithoutID = "annotation_without_id"
  case textAnnotationID = "text_annotation_id"
  case zeroID = "zero_id"
  case repeatedID = "repeated_id"
  case noArea = "no_area"
  case textArea = "text_area"
  case notFiniteArea = "not_finite_area"
  case negativeArea = "negative_area"
  case noCrowd = "no_iscrowd"
  case badCrowd = "bad_iscrowd"
  case textCrowd = "text_iscrowd"
  case truthWithoutBox = "truth_without_bbox"
  case notFiniteTruthBox = "not_finite_truth_bbox"
  case negativeTruthBox = "negative_truth_bbox"
  case truthWithoutRegion = "truth_without_segmentation"
  case oddTruthRegion = "odd_truth_segmentation"
  case strangeTruthRegion = "strange_truth_segmentation"
  case truthMaskSize = "truth_mask_size"
  case badTruthRegion = "bad_truth_segmentation"
  case truthWithoutShape = "truth_without_shape"
  // The results
  case wrappedResults = "wrapped_results"
  case noResults = "no_results"
  case badResult = "bad_result"
  case resultWithoutReference = "result_without_reference"
  case resultOfUnknownImage = "result_of_unknown_image"
  case resultOfUnknownCategory = "result_of_unknown_category"
  case mistypedImage = "mistyped_image_id"
  case mistypedCategory = "mistyped_category_id"
  case noScore = "no_score"
  case textScore = "text_score"
  case notFiniteScore = "not_finite_score"
  case resultWithoutBox = "result_without_bbox"
  case notFiniteBox = "not_finite_bbox"
  case negativeBox = "negative_bbox"
  case boxAsRegion = "bbox_as_segmentation"
  case uncompressedRegion = "uncompressed_segmentation"
  case oddRegion = "odd_segmentation"
  case strangeRegion = "strange_segmentation"
  case maskSize = "mask_size"
  case badRegion = "bad_segmentation"
  case resultWithoutShape = "result_without_shape"

  /// Which of the two files it is in.
  package var side: COCOSide {
    // The list above has the truth's first.
    Self.places[self, default: 0] < Self.places[.wrappedResults, default: 0] ? .truth : .results
  }

  /// The list that its places are in, as a pointer; `nil` for the list of results.
  var list: String? {
    switch self {
    case .badImage, .imageWithoutID, .repeatedImageID, .noImageSize: "/images"
    case .badCategory, .categoryWithoutID, .categoryWithoutName, .repeatedCategoryID,
      .repeatedCategoryName:
      "/categories"
    default: side == .truth ? "/annotations" : nil
    }
  }

  private static let places = Dictionary(
    uniqueKeysWithValues: zip(allCases, allCases.indices))

  /// Its place among all.
  var index: Int { Self.places[self, default: 0] }
}

/// One of the two files that are judged together.
package enum COCOSide: String, Sendable, Codable {
  case truth, results
}
