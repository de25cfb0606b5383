import AssayCore
import AssayImaging

/// The images of a dataset in Cityscapes' layout, for ``RegionImport``.
struct CityscapesSource: RegionSource {
  let name: String
  let items: [CityscapesItem]
  let classes: [Category]
  let issues: [Issue]

  private let tree: any SourceTree
  private let layout: CityscapesLayout
  private let meanings: CityscapesClasses

  /// The maximum size of a file of polygons, and of a label image.
  static let polygonLimit = 16 << 20
  private static let imageLimit = 512 << 20

  init(_ tree: any SourceTree, _ layout: CityscapesLayout, _ classes: CityscapesClasses) {
    self.tree = tree
    self.layout = layout
    name = tree.name
    items = layout.items
    meanings = classes
    self.classes = classes.declared
    issues = classes.issues + layout.issues
  }

  func path(of item: CityscapesItem) -> String { layout.path(of: item) }

  func split(of item: CityscapesItem) -> String? {
    item.split < 0 ? nil : layout.splitNames[Int(item.split)]
  }

  func read(_ item: CityscapesItem, image: ImageProbe?) -> LabeledImage {
    var result = LabeledImage()
    guard item.annotation >= 0 else { return result }
    let (file, key) = (layout.files[Int(item.annotation)], path(of: item))
    func reject(_ kind: IssueKind, _ message: String) {
      result.isRejected = true
      result.issues.append(
        Issue(
          kind, .error, at: IssueLocation(file: file), sampleKey: key,
          "\(message); the image is left out"))
    }
    var size: ImageSize?
    if let image {
      // Another problem with the image is reported by the import.
      guard case .success(let found) = image.size else {
        result.isRejected = true
        return result
      }
      size = found
    }
    do {
      guard item.kind != .polygons else {
        let bytes = try tree.readAll(file, limit: Self.polygonLimit)
        guard let text = String(validating: bytes, as: UTF8.self) else {
          reject(.badUTF8, "the file is not UTF-8 text")
          return result
        }
        let value = try JSONValue(parsing: text)
        var objects = CityscapesPolygons(file: file, key: key, classes: meanings)
        objects.read(value, size: size, into: &result)
        return result
      }
      let bytes = try tree.readAll(file, limit: Self.imageLimit)
      let found = try ImageCodec.header(of: bytes).size
      if let size, size != found {
        reject(.maskSize, "the label image is \(found), and the image is \(size)")
        return result
      }
      let raster = try ImageCodec.decodeValues(bytes)
      result.statedSize = found
      guard let masks = ValueMasks.masks(of: raster) else {
        reject(.maskValue, "the label image has more than \(ValueMasks.limit) values")
        return result
      }
      for (value, mask) in masks { add(Int(value), mask, item.kind, file, key, &result) }
    } catch let error as JSONError {
      reject(.badField, "broken JSON: \(error)")
    } catch let error as ImageError {
      reject(.unreadableImage, "\(error)")
    } catch {
      reject(.unsupportedFile, "\(error)")
    }
    return result
  }

  /// Adds the region of a value. Below 1,000 it is a class, else an instance: class · 1000 + number.
  private func add(
    _ value: Int, _ mask: Mask, _ kind: CityscapesName.Kind, _ file: String, _ key: String,
    _ image: inout LabeledImage
  ) {
    let isInstance = kind == .instanceIDs && value >= 1000
    let meaning =
      kind == .trainIDs
      ? meanings.meaning(ofTrainID: value)
      : meanings.meaning(ofID: isInstance ? value / 1000 : value)
    if let meaning, meaning.isBackground { return }
    image.annotationsRead += 1
    guard let meaning else {
      image.issues.append(
        Issue(
          .maskValue, .error, at: IssueLocation(file: file), sampleKey: key,
          "\(mask.area) \(mask.area == 1 ? "pixel has" : "pixels have") the value \(value), which is "
            + "no class; left out"))
      return
    }
    var region = LabeledRegion(
      category: meaning.category, shape: .mask(mask), at: IssueLocation(file: file),
      title: "value \(value) (\(meaning.category.name))")
    // A class whose objects are told apart, without an object's number: a group of them.
    region.isCrowd = kind == .instanceIDs && !isInstance && meaning.hasInstances
    if isInstance { region.sourceID = .integer(Int64(value)) }
    image.regions.append(region)
  }
}
