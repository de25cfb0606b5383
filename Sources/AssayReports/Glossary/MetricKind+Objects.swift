import AssayCore

/// The words for the metrics of objects.
extension MetricKind {
  var objectTitle: String {
    switch self {
    case .perCategoryAP: "AP"
    case .perCategoryAP50: "AP50"
    case .vocAP: "VOC AP"
    case .classErrorCost: "class errors"
    case .placeErrorCost: "place errors"
    case .bothErrorCost: "both wrong"
    case .duplicateErrorCost: "duplicates"
    case .backgroundErrorCost: "background errors"
    case .missedErrorCost: "missed objects"
    case .bestF1: "best F1"
    case .bestThreshold: "best threshold"
    default: rawValue
    }
  }

  var objectDefinition: String {
    switch self {
    case .ap:
      "COCO’s average precision: precision read at 101 recalls, the mean over the IoU thresholds 0.50 to "
        + "0.95 and the classes that occur."
    case .ap50, .ap75:
      "Average precision where an overlap of IoU 0.\(rawValue.dropFirst(2)) makes a detection right."
    case .apSmall: "AP of objects of at most 32² pixels."
    case .apMedium: "AP of objects of 32² to 96² pixels."
    case .apLarge: "AP of objects of at least 96² pixels."
    case .ar1, .ar10, .ar100:
      "The share of the objects that is found with at most \(rawValue.dropFirst(2)) "
        + "\(self == .ar1 ? "detection" : "detections") of a class in "
        + "an image, the mean over the IoU thresholds and the classes."
    case .arSmall: "AR100 of objects of at most 32² pixels."
    case .arMedium: "AR100 of objects of 32² to 96² pixels."
    case .arLarge: "AR100 of objects of at least 96² pixels."
    case .vocAP:
      "VOC’s average precision at one IoU: the area below the precision–recall curve, made non-increasing; "
        + "the mean over the classes that occur."
    case .classErrorCost:
      "AP50 lost to detections in the right place that were given another class."
    case .placeErrorCost: "AP50 lost to detections of the right class that overlap too little."
    case .bothErrorCost:
      "AP50 lost to detections of another class that overlap too little."
    case .duplicateErrorCost: "AP50 lost to further detections of objects that were found already."
    case .backgroundErrorCost: "AP50 lost to detections of nothing."
    case .missedErrorCost: "AP50 lost to objects that nothing was found for."
    case .perCategoryAP: "Average precision of the class, over the IoU thresholds 0.50 to 0.95."
    case .perCategoryAP50: "Average precision of the class at IoU 0.50."
    case .bestF1: "The largest F1 that a threshold on the score gives the class."
    case .bestThreshold: "The highest score with which that F1 is reached, chosen on these samples."
    default: rawValue
    }
  }
}
