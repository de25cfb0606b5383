/// The files of the editor's page, as they are inside the program: one line for each file in `Pages`.
enum EditorPages {
  /// A file's name and bytes.
  struct File: Sendable {
    var name: String
    var bytes: [UInt8]
  }

  static let page = File(name: "page.html", bytes: PackageResources.page_html)

  /// What the page loads from `/app/`.
  static let files: [File] = [
    File(name: "api.js", bytes: PackageResources.api_js),
    File(name: "app.js", bytes: PackageResources.app_js),
    File(name: "boxes.js", bytes: PackageResources.boxes_js),
    File(name: "brush.js", bytes: PackageResources.brush_js),
    File(name: "canvas.css", bytes: PackageResources.canvas_css),
    File(name: "canvas.js", bytes: PackageResources.canvas_js),
    File(name: "conflicts.js", bytes: PackageResources.conflicts_js),
    File(name: "decisions.js", bytes: PackageResources.decisions_js),
    File(name: "dom.js", bytes: PackageResources.dom_js),
    File(name: "editor.js", bytes: PackageResources.editor_js),
    File(name: "flood.js", bytes: PackageResources.flood_js),
    File(name: "help.js", bytes: PackageResources.help_js),
    File(name: "history.js", bytes: PackageResources.history_js),
    File(name: "keyboard.js", bytes: PackageResources.keyboard_js),
    File(name: "keys.js", bytes: PackageResources.keys_js),
    File(name: "labels.js", bytes: PackageResources.labels_js),
    File(name: "layers.js", bytes: PackageResources.layers_js),
    File(name: "marks.js", bytes: PackageResources.marks_js),
    File(name: "mask-worker.js", bytes: PackageResources.mask_worker_js),
    File(name: "memory.js", bytes: PackageResources.memory_js),
    File(name: "model.js", bytes: PackageResources.model_js),
    File(name: "modes.js", bytes: PackageResources.modes_js),
    File(name: "morphology.js", bytes: PackageResources.morphology_js),
    File(name: "objects.js", bytes: PackageResources.objects_js),
    File(name: "outbox.js", bytes: PackageResources.outbox_js),
    File(name: "panel.js", bytes: PackageResources.panel_js),
    File(name: "parts.js", bytes: PackageResources.parts_js),
    File(name: "pen.js", bytes: PackageResources.pen_js),
    File(name: "pointer.js", bytes: PackageResources.pointer_js),
    File(name: "polygon.js", bytes: PackageResources.polygon_js),
    File(name: "questions.js", bytes: PackageResources.questions_js),
    File(name: "queue.js", bytes: PackageResources.queue_js),
    File(name: "region.js", bytes: PackageResources.region_js),
    File(name: "replacing.js", bytes: PackageResources.replacing_js),
    File(name: "runs.js", bytes: PackageResources.runs_js),
    File(name: "scene.js", bytes: PackageResources.scene_js),
    File(name: "session.js", bytes: PackageResources.session_js),
    File(name: "shapes.js", bytes: PackageResources.shapes_js),
    File(name: "sitting.js", bytes: PackageResources.sitting_js),
    File(name: "stage.js", bytes: PackageResources.stage_js),
    File(name: "state.js", bytes: PackageResources.state_js),
    File(name: "store.js", bytes: PackageResources.store_js),
    File(name: "style.css", bytes: PackageResources.style_css),
    File(name: "taking.js", bytes: PackageResources.taking_js),
    File(name: "toolbar.js", bytes: PackageResources.toolbar_js),
    File(name: "tools.js", bytes: PackageResources.tools_js),
    File(name: "viewport.js", bytes: PackageResources.viewport_js),
    File(name: "visit.js", bytes: PackageResources.visit_js),
    File(name: "works.js", bytes: PackageResources.works_js),
  ]
}
