extension Mask {
  /// A mask that changes at ascending positions in column-major order; a position that occurs twice
  /// has no effect, and the area itself can be among them.
  init(size: ImageSize, changes: [UInt32]) {
    let area = UInt32(size.area)
    let runs = changes.withUnsafeBufferPointer { changes in
      [UInt32](unsafeUninitializedCapacity: changes.count + 1) { runs, count in
        var index = 0
        var last: UInt32 = 0
        while index < changes.count {
          let place = changes[index]
          if index + 1 < changes.count, changes[index + 1] == place {
            index += 2
            continue
          }
          index += 1
          if place == area { break }
          runs[count] = place &- last
          count += 1
          last = place
        }
        runs[count] = area &- last
        count += 1
      }
    }
    self.init(size: size, canonical: runs)
  }
}
