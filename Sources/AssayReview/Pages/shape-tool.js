// The base of the tools that change the shape of the selected object: boxes, polygons, keypoints.

export class ShapeTool {
  constructor(controller) {
    this.controller = controller;
    /// The shape before the arrow keys moved it; null when no key is down.
    this.nudged = null;
  }

  get editor() {
    return this.controller.editor;
  }

  /// The selected object if the tool changes its kind and it is shown.
  get chosen() {
    const item = this.editor.isOpen ? this.editor.objects.find(this.editor.target) : undefined;
    return item && this.changes(item) && !this.editor.hidden.has(item.category) ? item : null;
  }
}
