import AssayCore
import Synchronization

/// The images of a dataset of the LabelMe tool and their objects, for ``RegionImport``.
struct LabelMeXMLSource: RegionSource {
  let layout: LabelMeXMLLayout
  /// The number of objects that are marked as deleted.
  let deleted = LabelMeXMLTally()

  var name: String { layout.tree.name }
  var items: [LabelMeXMLLayout.Item] { layout.items }
  var classes: [Category] { [] }
  var issues: [Issue] { layout.issues }
  var imagesLeftOut: Int { layout.imagesLeftOut }

  init(_ layout: LabelMeXMLLayout) { self.layout = layout }

  func path(of item: LabelMeXMLLayout.Item) -> String { item.path }

  func split(of item: LabelMeXMLLayout.Item) -> String? { item.split }

  func read(_ item: LabelMeXMLLayout.Item, image: ImageProbe?) -> LabeledImage {
    var result = LabeledImage()
    let file = layout.files.files[item.xml]
    func reject(_ issue: Issue) -> LabeledImage {
      result.issues.append(issue)
      result.isRejected = true
      return result
    }
    let root: XMLElement
    do {
      root = try VOCAnnotation.root(file, in: layout.tree)
    } catch {
      let problem = error as? XMLProblem
      return reject(
        Issue(
          .unsupportedFile, .error, at: IssueLocation(file: file.path, line: problem?.line),
          sampleKey: item.path, "\(problem?.text ?? "\(error)"); the image is left out"))
    }
    guard LabelMeXMLReader.isLabelMe(root) else {
      return reject(
        Issue(
          .unsupportedFile, .error, at: IssueLocation(file: file.path, line: root.line),
          sampleKey: item.path,
          "the file is XML, but no annotation of the LabelMe tool (its root is '\(root.name)'); the "
            + "image is left out"))
    }
    var size = LabelMeXMLReader.size(of: root)
    result.statedSize = size
    if let image, case .success(let found) = image.size { size = found }
    var reader = LabelMeXMLReader(
      layout.tree, layout.files, file: file.path, key: item.path, size: size)
    reader.read(root)
    result.annotationsRead = reader.read
    if let rejection = item.rejection { return reject(rejection) }
    if let image, case .failure = image.size {
      result.isRejected = true
      return result
    }
    result.regions = reader.regions
    result.issues = reader.issues
    deleted.add(reader.deleted)
    return result
  }
}

/// A number that all workers add to.
final class LabelMeXMLTally: Sendable {
  private let total = Mutex(0)

  func add(_ count: Int) { total.withLock { $0 += count } }

  var count: Int { total.withLock { $0 } }
}
