/// The element types of tensors that can be converted from and to float32. The raw value is
/// OpenVINO's spelling.
package enum TensorElement: String, CaseIterable, Sendable {
  case f32, f64, f16, u8, i8, u16, i16, u32, i32, u64, i64, boolean

  /// The range of whole numbers that an integer type holds; `nil` for floats.
  package var range: ClosedRange<Double>? {
    switch self {
    case .f32, .f64, .f16: nil
    case .u8: 0...255
    case .boolean: 0...1
    case .i8: -128...127
    case .u16: 0...65_535
    case .i16: -32_768...32_767
    // The numbers of 64 bits are limited to those that a double holds exactly.
    case .u32: 0...4_294_967_295
    case .i32: -2_147_483_648...2_147_483_647
    case .u64: 0...9_007_199_254_740_992
    case .i64: -9_007_199_254_740_992...9_007_199_254_740_992
    }
  }

  /// Appends the values of a tensor in float32. Whole numbers above 2^24 and doubles are rounded.
  ///
  /// - Precondition: `memory` holds `range.upperBound` values of this type.
  func append(_ range: Range<Int>, of memory: UnsafeRawPointer, to values: inout [Float]) {
    switch self {
    case .f32:
      values += UnsafeBufferPointer(
        rebasing: UnsafeBufferPointer(
          start: memory.assumingMemoryBound(to: Float.self), count: range.upperBound)[range])
    case .f64: values += Self.read(memory, range) { (value: Double) in Float(value) }
    case .f16: values += Self.read(memory, range) { (value: Float16) in Float(value) }
    case .u8: values += Self.read(memory, range) { (value: UInt8) in Float(value) }
    case .boolean: values += Self.read(memory, range) { (value: UInt8) in value == 0 ? 0 : 1 }
    case .i8: values += Self.read(memory, range) { (value: Int8) in Float(value) }
    case .u16: values += Self.read(memory, range) { (value: UInt16) in Float(value) }
    case .i16: values += Self.read(memory, range) { (value: Int16) in Float(value) }
    case .u32: values += Self.read(memory, range) { (value: UInt32) in Float(value) }
    case .i32: values += Self.read(memory, range) { (value: Int32) in Float(value) }
    case .u64: values += Self.read(memory, range) { (value: UInt64) in Float(value) }
    case .i64: values += Self.read(memory, range) { (value: Int64) in Float(value) }
    }
  }

  /// Writes values into a tensor's memory. Floats are rounded to the nearest.
  ///
  /// - Precondition: `memory` has room for the values; those of an integer type are whole numbers in
  ///   ``range``.
  func write(_ values: UnsafeBufferPointer<Float>, to memory: UnsafeMutableRawPointer) {
    switch self {
    case .f32: Self.write(values, memory) { $0 }
    case .f64: Self.write(values, memory) { Double($0) }
    case .f16: Self.write(values, memory) { Float16($0) }
    case .u8, .boolean: Self.write(values, memory) { UInt8($0) }
    case .i8: Self.write(values, memory) { Int8($0) }
    case .u16: Self.write(values, memory) { UInt16($0) }
    case .i16: Self.write(values, memory) { Int16($0) }
    case .u32: Self.write(values, memory) { UInt32($0) }
    case .i32: Self.write(values, memory) { Int32($0) }
    case .u64: Self.write(values, memory) { UInt64($0) }
    case .i64: Self.write(values, memory) { Int64($0) }
    }
  }

  private static func read<Value: BitwiseCopyable>(
    _ memory: UnsafeRawPointer, _ range: Range<Int>, _ convert: (Value) -> Float
  ) -> [Float] {
    let size = MemoryLayout<Value>.stride
    return range.map { convert(memory.loadUnaligned(fromByteOffset: $0 * size, as: Value.self)) }
  }

  private static func write<Value: BitwiseCopyable>(
    _ values: UnsafeBufferPointer<Float>, _ memory: UnsafeMutableRawPointer,
    _ convert: (Float) -> Value
  ) {
    let size = MemoryLayout<Value>.stride
    for (index, value) in values.enumerated() {
      memory.storeBytes(of: convert(value), toByteOffset: index * size, as: Value.self)
    }
  }
}
