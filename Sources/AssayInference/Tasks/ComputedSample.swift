/// A sample with the outputs that one worker of a pool computed for it.
package struct ComputedSample: Sendable {
  package let picture: NamedRaster
  package let outputs: [Float]
  /// The worker's index.
  package let worker: Int

  package init(_ picture: NamedRaster, outputs: [Float], worker: Int) {
    self.picture = picture
    self.outputs = outputs
    self.worker = worker
  }
}
