package import AssayCore

/// The errors in a manifest's text.
package enum ManifestFault: Error, Hashable {
  /// Invalid YAML.
  case syntax(String)
  /// Nesting deeper than in any valid manifest.
  case tooDeep(limit: Int)
  /// An anchor (`&name`), which no manifest needs.
  case anchor
  /// A `TODO` of a draft that has not been resolved.
  case open(String)
  case unknownKey(String, suggestion: String?, known: [String])
  /// A key that occurs twice.
  case repeatedKey(String)
  case missing(key: String, example: String)
  /// A value of an unexpected type.
  case expected(key: String, String, found: String)
  /// A value that is not one of the known ones.
  case notAmong(key: String, value: String, known: [String], suggestion: String?)
  /// A number out of its range.
  case outOfRange(key: String, value: String, range: String)
  /// A number of values that is neither one nor the number of the input's channels.
  case channelCount(key: String, found: Int, channels: Int)
  case fillWithoutLetterbox
  /// `filter: warp` with a resize to whole pixels, or `rounding: none` with another filter.
  case warpOfWholePixels
  /// `rounding: none` for something whose masks lie on whole pixels.
  case masksBetweenPixels(String)
  /// `rounding: none` with an `anchor` other than the center.
  case notCentered
  /// `rounding: none` with a `multiple`.
  case multipleOfExact
  case shorterWithoutCrop
  case longerWithoutEdges
  /// A multiple for a resize to a fixed size.
  case multipleOfFixed
  /// A width or height for a resize whose result has a size of its own for each image.
  case sizeWithEdges
  /// Inputs besides the image for a runner, which gets only images.
  case constantsOfRunner
  /// A task or head that needs the same input size for all images.
  case needsFixedSize(String)
  /// Both mean and scale.
  case meanAndScale
  /// A segmentation with a crop whose outside cannot be left out of its evaluation.
  case croppedSegmentation
  /// A map of classes without the list that defines their order.
  case orderUnknown
  /// Both `outputs` and a list of `classes`.
  case twoLists
  /// A class in the map that is not an output.
  case unknownOutput(String, suggestion: String?)
  /// Two outputs with the same name.
  case duplicateClass(String)
  /// Placeholder names that a draft gave to classes, and the number of all classes.
  case placeholders([String], of: Int)
  case tooManyClasses(Int, limit: Int)
  /// A file of class names that cannot be used, with the reason.
  case classesFile(String, reason: String)
  /// A key that belongs to another task: that task, and the manifest's own.
  case otherTask(key: String, owner: ModelTask, ModelTask)
  /// A segmentation with no class but the background.
  case onlyBackground
  /// A threshold for a model with this many classes.
  case thresholdOfMany(Int)
  /// A class that a binary classifier does not have, or a classifier of other than two classes.
  case positiveOfMany(String, of: [String])
  /// A key that label maps do not have.
  case keyOfLabelMap(String)
  case labelMapOfOne
  /// A key of classifiers with a score per class.
  case keyOfClassNumbers(String)
  /// An offset of outputs without a scale, or the reverse.
  case halfOutputScale(missing: String)
  /// One conversion of numbers for several outputs.
  case scaleOfSeveral(key: String, String)
  /// A softmax of one class.
  case softmaxOfOne
  /// A key that belongs to another head of a detector: that head, and the manifest's own.
  case otherHead(key: String, owner: String, String)
  /// A detector that does not see the whole image.
  case croppedDetector
  /// An input size that is not a multiple of a stride.
  case noWholeCells(input: ImageSize, stride: Int)
  /// A key of boxes with all that belongs to them in one output, beside the names of several.
  case keyOfOneOutput(String)
  /// An activation of scores that the model chose its boxes by.
  case activationOfFinal(Activation)
  /// A number of the first class of boxes that have none.
  case classBaseWithoutNumbers
  /// This many classes of boxes without the numbers of their classes.
  case classesWithoutNumbers(Int)
  /// A softmax of a head whose classes are independent.
  case softmaxOfCells(head: String)
  /// An angle of boxes that are not given by their center.
  case angleOfEdges(BoxOrder)
  /// An angle beside masks or keypoints.
  case angleAndParts(String)
  /// A key that says what heat maps say themselves.
  case besideHeatMaps(String)
  /// A decoding of keypoints that the model gives as numbers.
  case decodeOfPoints
  /// A depth of keypoints that are not three numbers each.
  case depthOfOthers
  /// A factor of centers beside a decoding that has its own.
  case centerScaleFixed
  /// A softmax over classes that can occur together in an image.
  case softmaxOfLabels
}

extension ManifestFault: CustomStringConvertible {
  package var description: String {
    switch self {
    case .syntax(let reason): "invalid YAML: \(reason)"
    case .tooDeep(let limit): "it is nested more than \(limit) levels deep"
    case .anchor: "anchors (“&name”) are unsupported; repeat the value, or quote the text"
    case .open(let text):
      "this line is still marked TODO: \(text); check the value and delete the marker “# TODO”"
    case .unknownKey(let key, let suggestion, let known):
      "unknown key “\(key)”"
        + (suggestion.map { "; did you mean “\($0)”?" }
          ?? "; known keys: \(known.joined(separator: ", "))")
    case .repeatedKey(let key): "“\(key)” is given twice"
    case .missing(let key, let example): "“\(key)” is missing, for example \(example)"
    case .expected(let key, let expected, let found):
      "“\(key)” must be \(expected), but is \(found)"
    case .notAmong(let key, let value, let known, let suggestion):
      "“\(key)” is “\(value)”"
        + (suggestion.map { "; did you mean “\($0)”?" }
          ?? "; it must be \(known.joined(separator: ", "))")
    case .outOfRange(let key, let value, let range): "“\(key)” is \(value); it must be \(range)"
    case .channelCount(let key, let found, let channels):
      "“\(key)” has \(found) values; expected one for all channels"
        + (channels == 1 ? "" : " or \(channels), one per channel")
    case .fillWithoutLetterbox: "“fill”, “anchor” and “rounding” belong to “resize: letterbox”"
    case .warpOfWholePixels:
      "“filter: warp” and “rounding: none” belong together (or “filter: warp” and “resize: stretch”): no other filter"
        + " places an image between whole pixels, and no other resize does"
    case .masksBetweenPixels(let reader):
      "“rounding: none” is not supported for \(reader), whose masks are mapped back by whole pixels; set another"
        + " “rounding” with another “filter”, or “resize: stretch”, as the model was trained"
    case .notCentered: "“rounding: none” places the image in the middle; remove “anchor”"
    case .multipleOfExact: "“multiple” cannot be combined with “rounding: none”"
    case .shorterWithoutCrop:
      "“shorter” belongs to “resize: shorter-crop”, “stretch-crop” and “edges”"
    case .longerWithoutEdges: "“longer” belongs to “resize: edges”"
    case .multipleOfFixed: "“multiple” belongs to “resize: edges” and “resize: letterbox”"
    case .sizeWithEdges:
      "with “resize: edges” each image's input has a size of its own, at most “longer”; remove “width” and “height”"
    case .constantsOfRunner:
      "“constant-inputs” cannot be combined with “runner”, which gets only images: set the values in the program"
    case .needsFixedSize(let reader):
      "\(reader) needs inputs of one size; with “resize: edges”, or with a “multiple”, each image has its own."
        + " Set letterbox or stretch with the model's size"
    case .meanAndScale:
      "“mean” and “std” are another spelling of “scale” and “offset”; give one of the two"
    case .croppedSegmentation:
      "“resize: shorter-crop” is for classification and multilabel; for segmentation set center-crop, letterbox"
        + " or stretch, as the model was trained"
    case .orderUnknown:
      "“classes” is a map, which has no order; list the model's"
        + " names in output order under “outputs”"
    case .twoLists:
      "“outputs” and a list of “classes” both list the model's classes; with “outputs”, “classes” must be a map"
        + " from the model's names to the dataset's where they differ"
    case .unknownOutput(let name, let suggestion):
      "“classes” maps “\(name)”, which is not in “outputs”"
        + (suggestion.map { "; did you mean “\($0)”?" } ?? "")
    case .duplicateClass(let name):
      "two outputs have the name “\(name)” (in “outputs”, or in “classes” without it). If several are no class of yours,"
        + " give each a name of its own, such as “\(name) 2”, and map them with “classes: {OUTPUT: CLASS}”"
    case .placeholders(let names, let count):
      "“classes” still has the draft's placeholders (\(names.prefix(3).joined(separator: ", "))"
        + "\(names.count > 3 ? ", …" : ""); \(names.count) of \(count)): write the classes' names in output"
        + " order, as the dataset spells them; if these are the real names, list them under “outputs” in"
        + " place of “classes”"
    case .classesFile(let name, let reason): "the file of classes “\(name)” \(reason)"
    case .tooManyClasses(let count, let limit): "\(count) classes exceed the limit of \(limit)"
    case .otherTask(let key, let owner, let task):
      "“\(key)” belongs to “task: \(owner.rawValue)”; this model's task is \(task.rawValue)"
    case .onlyBackground:
      "“classes” names only the background; name the class that the model predicts"
    case .thresholdOfMany(let count):
      "“threshold” applies to models with one class; this model has \(count) besides the"
        + " background, and each pixel gets its most likely class; remove “threshold”"
    case .positiveOfMany(let name, let names):
      "“positive: \(name)” is for a classifier of two classes that gives one value: the probability of that"
        + " class; this manifest names \(names.count)"
        + (names.count == 2 ? ", \(names.joined(separator: " and "))" : "")
    case .keyOfLabelMap(let key):
      "“\(key)” cannot be combined with “label-map: yes”: the model gives the number of each pixel's class, not"
        + " probabilities"
    case .labelMapOfOne:
      "“label-map: yes” needs the names of all numbers that the model gives, from 0 on; call those that are no"
        + " class “background”"
    case .keyOfClassNumbers(let key):
      "“\(key)” cannot be combined with “labels-output”: the model gives the number of the class, not the"
        + " probabilities of all"
    case .scaleOfSeveral(let key, let other):
      "“\(key)” is for a detector with one output; with “\(other)” each output would need its own. Export the model"
        + " with outputs of floats"
    case .halfOutputScale(let missing):
      "“\(missing)” is missing: a value is the output's number · output-scale + output-offset"
    case .softmaxOfOne:
      "“activation: softmax” over one class is 1 everywhere; set “activation: sigmoid” for logits, none"
        + " if the model already applies a sigmoid"
    case .otherHead(let key, let owner, let head):
      "“\(key)” belongs to “head: \(owner)”; this model's head is \(head)"
    case .croppedDetector:
      "“resize: center-crop” removes the part of the image outside the crop, which a detector"
        + " needs; set letterbox or stretch, as the model was trained"
    case .noWholeCells(let input, let stride):
      "the stride \(stride) does not divide the input size \(input) into whole cells; width and"
        + " height must be multiples of it"
    case .keyOfOneOutput(let key):
      "“\(key)” is for boxes and scores in one output; with “boxes-output” and “scores-output” remove it"
    case .activationOfFinal(let activation):
      "“activation: \(activation.rawValue)” cannot be combined with “head: final”: the model chose its boxes by"
        + " their scores, which are probabilities already"
    case .classBaseWithoutNumbers:
      "“class-base” is the number of the first class, but the boxes have no class numbers; name the output that has"
        + " them (“labels-output: NAME”, or another “row:”), or remove “class-base” if the model has one class"
    case .classesWithoutNumbers(let count):
      "the boxes have no class numbers, so “classes” must name one class, not \(count); name the output with the"
        + " numbers (“labels-output: NAME”, “class-base: 0” or 1), or another “row:”"
    case .softmaxOfLabels:
      "“activation: softmax” makes the classes exclude each other, which contradicts “task: multilabel”;"
        + " set “activation: sigmoid” for logits, none if the model already applies a sigmoid"
    case .angleOfEdges(let order):
      "“angle” is the rotation of a box about its center, which needs “box-order: cxcywh” (now \(order.rawValue))"
    case .angleAndParts(let key):
      "“\(key)” cannot be combined with “angle”: the outline of a rotated box is its region"
    case .besideHeatMaps(let key):
      "“\(key)” cannot be combined with “heat-maps-output”, from which the keypoints are read"
    case .decodeOfPoints:
      "“decode” belongs to “heat-maps-output”; the values of “keypoints-output” are read as they are"
    case .depthOfOthers:
      "“keypoint-depth: yes” is for “keypoints-output” with x, y and a depth of each keypoint, such as “keypoints:"
        + " 468x3”; the third of four or five values always is a depth, and heat maps have none"
    case .centerScaleFixed:
      "“center-scale” belongs to “decode: yolov3”; with “decode: yolov5” it is 2"
    case .softmaxOfCells(let head):
      "“activation: softmax” cannot be combined with “head: \(head)”, whose class scores are"
        + " independent: set none if the model already applies sigmoids, else sigmoid"
    }
  }
}
