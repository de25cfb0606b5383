/// A sample with what one worker of a pool computed of it.
package struct ComputedSample: Sendable {
  package let picture: NamedRaster
  package let outputs: [Float]
  /// The worker's number.
  package let worker: Int

  package init(_ picture: NamedRaster, outputs: [Float], worker: Int) {
    self.picture = picture
    self.outputs = outputs
    self.worker = worker
  }
}
