package import AssayCore

/// The size of image files as they are displayed.
package enum ImageFrame {
  /// The size with EXIF orientation applied; `nil` if there is no file, or it is not an image that
  /// importers accept.
  package static func displayedSize(of path: String, in tree: any SourceTree) -> ImageSize? {
    try? ImageProbe(tree, SourceFile(path: path, size: 0, modified: 0)).size.get()
  }
}
