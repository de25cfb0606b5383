import AssayCore

/// Reads the text of a label file.
struct YOLOLabelReader: Sendable {
  var classes: YOLOClasses
  /// The dataset's keypoints; `nil` if it has none.
  var keypoints: YOLOKeypointShape?

  /// The maximum size of a label file in bytes: 16 MiB.
  static let byteLimit = 1 << 24

  /// The number of lines that are not blank.
  static func lineCount(_ bytes: [UInt8]) -> Int {
    bytes.withUnsafeBytes { bytes in
      var lines = YOLOTextLines(bytes)
      var fields: [UnsafeRawBufferPointer] = []
      var count = 0
      while lines.next(&fields) { count += fields.isEmpty ? 0 : 1 }
      return count
    }
  }

  /// Reads the lines of a file into regions and issues of `image`, and returns their counts.
  ///
  /// - Parameters:
  ///   - size: the displayed size of the image, in pixels.
  ///   - file: the path of the label file.
  ///   - key: the key of the image's sample.
  func read(
    _ bytes: [UInt8], size: ImageSize, file: String, key: String, into image: inout LabeledImage
  ) -> YOLOCounts {
    var counts = YOLOCounts()
    bytes.withUnsafeBytes { bytes in
      var lines = YOLOTextLines(bytes)
      var fields: [UnsafeRawBufferPointer] = []
      var seen: [YOLOLine: Int] = [:]
      while lines.next(&fields) {
        guard !fields.isEmpty else { continue }
        let location = IssueLocation(file: file, line: lines.line)
        image.annotationsRead += 1
        let line: YOLOLine
        do throws(YOLOLine.Problem) {
          line = try YOLOLine(fields, keypoints: keypoints)
        } catch {
          image.issues.append(
            Issue(error.kind, .error, at: location, sampleKey: key, "\(error.text); left out"))
          continue
        }
        if let first = seen[line] {
          image.issues.append(
            Issue(
              .duplicateID, .warning, at: location, sampleKey: key,
              "the line is the same as line \(first); counted once"))
          continue
        }
        seen[line] = lines.line
        counts.add(line, at: YOLOCounts.Place(file: file, line: lines.line))
        guard let category = classes.category(line.category) else {
          image.issues.append(
            Issue(
              .unknownLabel, .error, at: location, sampleKey: key,
              "\(classes.complaint(line.category)); left out"))
          continue
        }
        image.regions.append(
          region(line, category, size: size, at: location, key: key, &image.issues))
      }
    }
    return counts
  }

  private func region(
    _ line: YOLOLine, _ category: Category, size: ImageSize, at location: IssueLocation,
    key: String, _ issues: inout [Issue]
  ) -> LabeledRegion {
    let title = "the object (\(category.name))"
    let (width, height) = (Double(size.width), Double(size.height))
    let values = line.values
    guard line.form != .polygon else {
      let points = values.indices.map { values[$0] * ($0.isMultiple(of: 2) ? width : height) }
      return LabeledRegion(
        category: category, shape: .polygons([points]), at: location, title: title)
    }
    let box = Box(
      x: (values[0] - values[2] / 2) * width, y: (values[1] - values[3] / 2) * height,
      width: values[2] * width, height: values[3] * height)
    var region = LabeledRegion(category: category, shape: .box(box), at: location, title: title)
    if line.form == .scored {
      region.attributes = [JSONValue.Member("confidence", .number(values[4]))]
    }
    if line.form == .pose, let keypoints {
      region.attributes = attributes(
        of: values[4...], keypoints, width, height, at: location, key: key, &issues)
    }
    return region
  }

  /// COCO's fields: x, y in pixels and the visibility of each keypoint, and the number of keypoints
  /// whose visibility is not 0.
  private func attributes(
    of values: ArraySlice<Double>, _ keypoints: YOLOKeypointShape, _ width: Double,
    _ height: Double, at location: IssueLocation, key: String, _ issues: inout [Issue]
  ) -> [JSONValue.Member] {
    var list: [JSONValue] = []
    var labeled = 0
    var odd: Double?
    for start in stride(from: values.startIndex, to: values.endIndex, by: keypoints.dimensions) {
      let visibility = keypoints.dimensions == 3 ? values[start + 2] : 2
      list.append(.number(values[start] * width))
      list.append(.number(values[start + 1] * height))
      if let whole = [0, 1, 2].first(where: { Double($0) == visibility }) {
        list.append(.integer(Int64(whole)))
      } else {
        list.append(.number(visibility))
        odd = odd ?? visibility
      }
      if visibility > 0 { labeled += 1 }
    }
    if let odd {
      issues.append(
        Issue(
          .badField, .warning, at: location, sampleKey: key,
          "a keypoint has the visibility \(odd), expected 0, 1 or 2; kept"))
    }
    return [
      JSONValue.Member("keypoints", .array(list)),
      JSONValue.Member("num_keypoints", .integer(Int64(labeled))),
    ]
  }
}
