package import AssayCore
import GRDB

extension Catalog {
  /// Passes on the image files of a dataset's samples whose size and time were kept: the location, the
  /// file's state, and the size of the image.
  ///
  /// - Throws: ``StoreError``.
  package func forEachFileStamp(
    of dataset: Int64, _ body: (String, FileStamp, ImageSize) -> Void
  ) throws {
    try read("reading the files of a dataset") { database in
      let rows = try Row.fetchCursor(
        database,
        sql: """
          SELECT location, fileSize, fileModified, width, height FROM sample
          WHERE dataset = ? AND retired = 0 AND location IS NOT NULL AND fileSize IS NOT NULL
            AND fileModified IS NOT NULL
          """, arguments: [dataset])
      while let row = try rows.next() {
        guard let width = row["width"] as Int?, let height = row["height"] as Int?,
          let size = ImageSize.checked(width: width, height: height)
        else { continue }
        body(row["location"], FileStamp(size: row["fileSize"], modified: row["fileModified"]), size)
      }
    }
  }
}
