// The editor's pages. Each file has its array and its row in the table.

#include "CEmbeddedFiles.h"

static const uint8_t api_js[] = {
#embed "../AssayReview/Pages/api.js"
};

static const uint8_t app_js[] = {
#embed "../AssayReview/Pages/app.js"
};

static const uint8_t box_edges_js[] = {
#embed "../AssayReview/Pages/box-edges.js"
};

static const uint8_t box_tool_js[] = {
#embed "../AssayReview/Pages/box-tool.js"
};

static const uint8_t boxes_js[] = {
#embed "../AssayReview/Pages/boxes.js"
};

static const uint8_t browse_api_js[] = {
#embed "../AssayReview/Pages/browse-api.js"
};

static const uint8_t browse_datasets_js[] = {
#embed "../AssayReview/Pages/browse-datasets.js"
};

static const uint8_t browse_messages_js[] = {
#embed "../AssayReview/Pages/browse-messages.js"
};

static const uint8_t browse_state_js[] = {
#embed "../AssayReview/Pages/browse-state.js"
};

static const uint8_t browse_tagging_js[] = {
#embed "../AssayReview/Pages/browse-tagging.js"
};

static const uint8_t browse_toolbar_js[] = {
#embed "../AssayReview/Pages/browse-toolbar.js"
};

static const uint8_t browse_css[] = {
#embed "../AssayReview/Pages/browse.css"
};

static const uint8_t browse_js[] = {
#embed "../AssayReview/Pages/browse.js"
};

static const uint8_t brush_js[] = {
#embed "../AssayReview/Pages/brush.js"
};

static const uint8_t canvas_actions_js[] = {
#embed "../AssayReview/Pages/canvas-actions.js"
};

static const uint8_t canvas_controller_js[] = {
#embed "../AssayReview/Pages/canvas-controller.js"
};

static const uint8_t canvas_css[] = {
#embed "../AssayReview/Pages/canvas.css"
};

static const uint8_t canvas_js[] = {
#embed "../AssayReview/Pages/canvas.js"
};

static const uint8_t clipboard_js[] = {
#embed "../AssayReview/Pages/clipboard.js"
};

static const uint8_t conflicts_js[] = {
#embed "../AssayReview/Pages/conflicts.js"
};

static const uint8_t conjuncts_js[] = {
#embed "../AssayReview/Pages/conjuncts.js"
};

static const uint8_t correct_js[] = {
#embed "../AssayReview/Pages/correct.js"
};

static const uint8_t cutout_marks_js[] = {
#embed "../AssayReview/Pages/cutout-marks.js"
};

static const uint8_t cutout_tool_js[] = {
#embed "../AssayReview/Pages/cutout-tool.js"
};

static const uint8_t decisions_js[] = {
#embed "../AssayReview/Pages/decisions.js"
};

static const uint8_t dialogs_js[] = {
#embed "../AssayReview/Pages/dialogs.js"
};

static const uint8_t dom_js[] = {
#embed "../AssayReview/Pages/dom.js"
};

static const uint8_t editor_js[] = {
#embed "../AssayReview/Pages/editor.js"
};

static const uint8_t export_panel_js[] = {
#embed "../AssayReview/Pages/export-panel.js"
};

static const uint8_t extent_words_js[] = {
#embed "../AssayReview/Pages/extent-words.js"
};

static const uint8_t facets_js[] = {
#embed "../AssayReview/Pages/facets.js"
};

static const uint8_t field_changes_js[] = {
#embed "../AssayReview/Pages/field-changes.js"
};

static const uint8_t field_form_js[] = {
#embed "../AssayReview/Pages/field-form.js"
};

static const uint8_t field_panel_js[] = {
#embed "../AssayReview/Pages/field-panel.js"
};

static const uint8_t fields_css[] = {
#embed "../AssayReview/Pages/fields.css"
};

static const uint8_t film_js[] = {
#embed "../AssayReview/Pages/film.js"
};

static const uint8_t flood_js[] = {
#embed "../AssayReview/Pages/flood.js"
};

static const uint8_t grid_js[] = {
#embed "../AssayReview/Pages/grid.js"
};

static const uint8_t help_js[] = {
#embed "../AssayReview/Pages/help.js"
};

static const uint8_t histogram_js[] = {
#embed "../AssayReview/Pages/histogram.js"
};

static const uint8_t history_js[] = {
#embed "../AssayReview/Pages/history.js"
};

static const uint8_t icons_js[] = {
#embed "../AssayReview/Pages/icons.js"
};

static const uint8_t item_pages_js[] = {
#embed "../AssayReview/Pages/item-pages.js"
};

static const uint8_t keyboard_js[] = {
#embed "../AssayReview/Pages/keyboard.js"
};

static const uint8_t keypoint_marks_js[] = {
#embed "../AssayReview/Pages/keypoint-marks.js"
};

static const uint8_t keypoint_tool_js[] = {
#embed "../AssayReview/Pages/keypoint-tool.js"
};

static const uint8_t keys_js[] = {
#embed "../AssayReview/Pages/keys.js"
};

static const uint8_t labels_js[] = {
#embed "../AssayReview/Pages/labels.js"
};

static const uint8_t layers_js[] = {
#embed "../AssayReview/Pages/layers.js"
};

static const uint8_t live_api_js[] = {
#embed "../AssayReview/Pages/live-api.js"
};

static const uint8_t live_camera_js[] = {
#embed "../AssayReview/Pages/live-camera.js"
};

static const uint8_t live_drawing_js[] = {
#embed "../AssayReview/Pages/live-drawing.js"
};

static const uint8_t live_input_js[] = {
#embed "../AssayReview/Pages/live-input.js"
};

static const uint8_t live_stats_js[] = {
#embed "../AssayReview/Pages/live-stats.js"
};

static const uint8_t live_wire_js[] = {
#embed "../AssayReview/Pages/live-wire.js"
};

static const uint8_t live_css[] = {
#embed "../AssayReview/Pages/live.css"
};

static const uint8_t live_js[] = {
#embed "../AssayReview/Pages/live.js"
};

static const uint8_t look_panel_js[] = {
#embed "../AssayReview/Pages/look-panel.js"
};

static const uint8_t mark_cache_js[] = {
#embed "../AssayReview/Pages/mark-cache.js"
};

static const uint8_t mark_drawing_js[] = {
#embed "../AssayReview/Pages/mark-drawing.js"
};

static const uint8_t mark_style_js[] = {
#embed "../AssayReview/Pages/mark-style.js"
};

static const uint8_t marks_js[] = {
#embed "../AssayReview/Pages/marks.js"
};

static const uint8_t mask_outline_js[] = {
#embed "../AssayReview/Pages/mask-outline.js"
};

static const uint8_t mask_worker_js[] = {
#embed "../AssayReview/Pages/mask-worker.js"
};

static const uint8_t model_js[] = {
#embed "../AssayReview/Pages/model.js"
};

static const uint8_t modes_js[] = {
#embed "../AssayReview/Pages/modes.js"
};

static const uint8_t morphology_js[] = {
#embed "../AssayReview/Pages/morphology.js"
};

static const uint8_t new_objects_js[] = {
#embed "../AssayReview/Pages/new-objects.js"
};

static const uint8_t object_choice_js[] = {
#embed "../AssayReview/Pages/object-choice.js"
};

static const uint8_t objects_js[] = {
#embed "../AssayReview/Pages/objects.js"
};

static const uint8_t open_sample_js[] = {
#embed "../AssayReview/Pages/open-sample.js"
};

static const uint8_t oriented_box_js[] = {
#embed "../AssayReview/Pages/oriented-box.js"
};

static const uint8_t oriented_marks_js[] = {
#embed "../AssayReview/Pages/oriented-marks.js"
};

static const uint8_t oriented_tool_js[] = {
#embed "../AssayReview/Pages/oriented-tool.js"
};

static const uint8_t outbox_store_js[] = {
#embed "../AssayReview/Pages/outbox-store.js"
};

static const uint8_t outbox_js[] = {
#embed "../AssayReview/Pages/outbox.js"
};

static const uint8_t overlay_js[] = {
#embed "../AssayReview/Pages/overlay.js"
};

static const uint8_t page_html[] = {
#embed "../AssayReview/Pages/page.html"
};

static const uint8_t panel_js[] = {
#embed "../AssayReview/Pages/panel.js"
};

static const uint8_t part_changes_js[] = {
#embed "../AssayReview/Pages/part-changes.js"
};

static const uint8_t pen_js[] = {
#embed "../AssayReview/Pages/pen.js"
};

static const uint8_t pointer_js[] = {
#embed "../AssayReview/Pages/pointer.js"
};

static const uint8_t polygon_fill_js[] = {
#embed "../AssayReview/Pages/polygon-fill.js"
};

static const uint8_t polygon_tool_js[] = {
#embed "../AssayReview/Pages/polygon-tool.js"
};

static const uint8_t polygon_js[] = {
#embed "../AssayReview/Pages/polygon.js"
};

static const uint8_t popover_js[] = {
#embed "../AssayReview/Pages/popover.js"
};

static const uint8_t preferences_js[] = {
#embed "../AssayReview/Pages/preferences.js"
};

static const uint8_t query_bar_js[] = {
#embed "../AssayReview/Pages/query-bar.js"
};

static const uint8_t queue_js[] = {
#embed "../AssayReview/Pages/queue.js"
};

static const uint8_t region_parts_js[] = {
#embed "../AssayReview/Pages/region-parts.js"
};

static const uint8_t region_js[] = {
#embed "../AssayReview/Pages/region.js"
};

static const uint8_t replacement_loss_js[] = {
#embed "../AssayReview/Pages/replacement-loss.js"
};

static const uint8_t ring_marks_js[] = {
#embed "../AssayReview/Pages/ring-marks.js"
};

static const uint8_t rings_js[] = {
#embed "../AssayReview/Pages/rings.js"
};

static const uint8_t routes_js[] = {
#embed "../AssayReview/Pages/routes.js"
};

static const uint8_t run_charts_js[] = {
#embed "../AssayReview/Pages/run-charts.js"
};

static const uint8_t run_comparison_js[] = {
#embed "../AssayReview/Pages/run-comparison.js"
};

static const uint8_t run_confusion_js[] = {
#embed "../AssayReview/Pages/run-confusion.js"
};

static const uint8_t run_labels_js[] = {
#embed "../AssayReview/Pages/run-labels.js"
};

static const uint8_t run_lengths_js[] = {
#embed "../AssayReview/Pages/run-lengths.js"
};

static const uint8_t run_page_js[] = {
#embed "../AssayReview/Pages/run-page.js"
};

static const uint8_t run_parts_js[] = {
#embed "../AssayReview/Pages/run-parts.js"
};

static const uint8_t run_slices_js[] = {
#embed "../AssayReview/Pages/run-slices.js"
};

static const uint8_t runs_api_js[] = {
#embed "../AssayReview/Pages/runs-api.js"
};

static const uint8_t runs_hash_js[] = {
#embed "../AssayReview/Pages/runs-hash.js"
};

static const uint8_t runs_css[] = {
#embed "../AssayReview/Pages/runs.css"
};

static const uint8_t runs_js[] = {
#embed "../AssayReview/Pages/runs.js"
};

static const uint8_t sample_details_js[] = {
#embed "../AssayReview/Pages/sample-details.js"
};

static const uint8_t sample_edits_js[] = {
#embed "../AssayReview/Pages/sample-edits.js"
};

static const uint8_t sample_fields_js[] = {
#embed "../AssayReview/Pages/sample-fields.js"
};

static const uint8_t sample_page_js[] = {
#embed "../AssayReview/Pages/sample-page.js"
};

static const uint8_t sample_panes_js[] = {
#embed "../AssayReview/Pages/sample-panes.js"
};

static const uint8_t sample_picture_js[] = {
#embed "../AssayReview/Pages/sample-picture.js"
};

static const uint8_t sample_tags_js[] = {
#embed "../AssayReview/Pages/sample-tags.js"
};

static const uint8_t save_status_js[] = {
#embed "../AssayReview/Pages/save-status.js"
};

static const uint8_t scissors_tool_js[] = {
#embed "../AssayReview/Pages/scissors-tool.js"
};

static const uint8_t scroll_map_js[] = {
#embed "../AssayReview/Pages/scroll-map.js"
};

static const uint8_t segment_tool_js[] = {
#embed "../AssayReview/Pages/segment-tool.js"
};

static const uint8_t selection_js[] = {
#embed "../AssayReview/Pages/selection.js"
};

static const uint8_t shape_actions_js[] = {
#embed "../AssayReview/Pages/shape-actions.js"
};

static const uint8_t shape_changes_js[] = {
#embed "../AssayReview/Pages/shape-changes.js"
};

static const uint8_t shape_tool_js[] = {
#embed "../AssayReview/Pages/shape-tool.js"
};

static const uint8_t shapes_js[] = {
#embed "../AssayReview/Pages/shapes.js"
};

static const uint8_t sign_in_js[] = {
#embed "../AssayReview/Pages/sign-in.js"
};

static const uint8_t style_css[] = {
#embed "../AssayReview/Pages/style.css"
};

static const uint8_t tag_form_js[] = {
#embed "../AssayReview/Pages/tag-form.js"
};

static const uint8_t tag_words_js[] = {
#embed "../AssayReview/Pages/tag-words.js"
};

static const uint8_t tags_css[] = {
#embed "../AssayReview/Pages/tags.css"
};

static const uint8_t take_detections_js[] = {
#embed "../AssayReview/Pages/take-detections.js"
};

static const uint8_t tile_picker_js[] = {
#embed "../AssayReview/Pages/tile-picker.js"
};

static const uint8_t tile_rows_js[] = {
#embed "../AssayReview/Pages/tile-rows.js"
};

static const uint8_t class_hint_js[] = {
#embed "../AssayReview/Pages/class-hint.js"
};

static const uint8_t tracks_js[] = {
#embed "../AssayReview/Pages/tracks.js"
};

static const uint8_t toolbar_js[] = {
#embed "../AssayReview/Pages/toolbar.js"
};

static const uint8_t tools_js[] = {
#embed "../AssayReview/Pages/tools.js"
};

static const uint8_t people_js[] = {
#embed "../AssayReview/Pages/people.js"
};
static const uint8_t versions_js[] = {
#embed "../AssayReview/Pages/versions.js"
};
static const uint8_t done_view_js[] = {
#embed "../AssayReview/Pages/done-view.js"
};
static const uint8_t team_js[] = {
#embed "../AssayReview/Pages/team.js"
};

static const uint8_t trail_js[] = {
#embed "../AssayReview/Pages/trail.js"
};

static const uint8_t truth_choice_js[] = {
#embed "../AssayReview/Pages/truth-choice.js"
};

static const uint8_t undo_groups_js[] = {
#embed "../AssayReview/Pages/undo-groups.js"
};

static const uint8_t version_differences_js[] = {
#embed "../AssayReview/Pages/version-differences.js"
};

static const uint8_t viewport_js[] = {
#embed "../AssayReview/Pages/viewport.js"
};

static const uint8_t visit_js[] = {
#embed "../AssayReview/Pages/visit.js"
};

static const uint8_t worker_client_js[] = {
#embed "../AssayReview/Pages/worker-client.js"
};

#define FILE(name, bytes) {name, bytes, sizeof(bytes)}

static const EmbeddedFile files[] = {
    FILE("api.js", api_js),
    FILE("app.js", app_js),
    FILE("box-edges.js", box_edges_js),
    FILE("box-tool.js", box_tool_js),
    FILE("boxes.js", boxes_js),
    FILE("browse-api.js", browse_api_js),
    FILE("browse-datasets.js", browse_datasets_js),
    FILE("browse-messages.js", browse_messages_js),
    FILE("browse-state.js", browse_state_js),
    FILE("browse-tagging.js", browse_tagging_js),
    FILE("browse-toolbar.js", browse_toolbar_js),
    FILE("browse.css", browse_css),
    FILE("browse.js", browse_js),
    FILE("brush.js", brush_js),
    FILE("canvas-actions.js", canvas_actions_js),
    FILE("canvas-controller.js", canvas_controller_js),
    FILE("canvas.css", canvas_css),
    FILE("canvas.js", canvas_js),
    FILE("clipboard.js", clipboard_js),
    FILE("conflicts.js", conflicts_js),
    FILE("conjuncts.js", conjuncts_js),
    FILE("correct.js", correct_js),
    FILE("cutout-marks.js", cutout_marks_js),
    FILE("cutout-tool.js", cutout_tool_js),
    FILE("decisions.js", decisions_js),
    FILE("dialogs.js", dialogs_js),
    FILE("dom.js", dom_js),
    FILE("editor.js", editor_js),
    FILE("export-panel.js", export_panel_js),
    FILE("extent-words.js", extent_words_js),
    FILE("facets.js", facets_js),
    FILE("field-changes.js", field_changes_js),
    FILE("field-form.js", field_form_js),
    FILE("field-panel.js", field_panel_js),
    FILE("fields.css", fields_css),
    FILE("film.js", film_js),
    FILE("flood.js", flood_js),
    FILE("grid.js", grid_js),
    FILE("help.js", help_js),
    FILE("histogram.js", histogram_js),
    FILE("history.js", history_js),
    FILE("icons.js", icons_js),
    FILE("item-pages.js", item_pages_js),
    FILE("keyboard.js", keyboard_js),
    FILE("keypoint-marks.js", keypoint_marks_js),
    FILE("keypoint-tool.js", keypoint_tool_js),
    FILE("keys.js", keys_js),
    FILE("labels.js", labels_js),
    FILE("layers.js", layers_js),
    FILE("live-api.js", live_api_js),
    FILE("live-camera.js", live_camera_js),
    FILE("live-drawing.js", live_drawing_js),
    FILE("live-input.js", live_input_js),
    FILE("live-stats.js", live_stats_js),
    FILE("live-wire.js", live_wire_js),
    FILE("live.css", live_css),
    FILE("live.js", live_js),
    FILE("look-panel.js", look_panel_js),
    FILE("mark-cache.js", mark_cache_js),
    FILE("mark-drawing.js", mark_drawing_js),
    FILE("mark-style.js", mark_style_js),
    FILE("marks.js", marks_js),
    FILE("mask-outline.js", mask_outline_js),
    FILE("mask-worker.js", mask_worker_js),
    FILE("model.js", model_js),
    FILE("modes.js", modes_js),
    FILE("morphology.js", morphology_js),
    FILE("new-objects.js", new_objects_js),
    FILE("object-choice.js", object_choice_js),
    FILE("objects.js", objects_js),
    FILE("open-sample.js", open_sample_js),
    FILE("oriented-box.js", oriented_box_js),
    FILE("oriented-marks.js", oriented_marks_js),
    FILE("oriented-tool.js", oriented_tool_js),
    FILE("outbox-store.js", outbox_store_js),
    FILE("outbox.js", outbox_js),
    FILE("overlay.js", overlay_js),
    FILE("page.html", page_html),
    FILE("panel.js", panel_js),
    FILE("part-changes.js", part_changes_js),
    FILE("pen.js", pen_js),
    FILE("pointer.js", pointer_js),
    FILE("polygon-fill.js", polygon_fill_js),
    FILE("polygon-tool.js", polygon_tool_js),
    FILE("polygon.js", polygon_js),
    FILE("popover.js", popover_js),
    FILE("preferences.js", preferences_js),
    FILE("query-bar.js", query_bar_js),
    FILE("queue.js", queue_js),
    FILE("region-parts.js", region_parts_js),
    FILE("region.js", region_js),
    FILE("replacement-loss.js", replacement_loss_js),
    FILE("ring-marks.js", ring_marks_js),
    FILE("rings.js", rings_js),
    FILE("routes.js", routes_js),
    FILE("run-charts.js", run_charts_js),
    FILE("run-comparison.js", run_comparison_js),
    FILE("run-confusion.js", run_confusion_js),
    FILE("run-labels.js", run_labels_js),
    FILE("run-lengths.js", run_lengths_js),
    FILE("run-page.js", run_page_js),
    FILE("run-parts.js", run_parts_js),
    FILE("run-slices.js", run_slices_js),
    FILE("runs-api.js", runs_api_js),
    FILE("runs-hash.js", runs_hash_js),
    FILE("runs.css", runs_css),
    FILE("runs.js", runs_js),
    FILE("sample-details.js", sample_details_js),
    FILE("sample-edits.js", sample_edits_js),
    FILE("sample-fields.js", sample_fields_js),
    FILE("sample-page.js", sample_page_js),
    FILE("sample-panes.js", sample_panes_js),
    FILE("sample-picture.js", sample_picture_js),
    FILE("sample-tags.js", sample_tags_js),
    FILE("save-status.js", save_status_js),
    FILE("scissors-tool.js", scissors_tool_js),
    FILE("scroll-map.js", scroll_map_js),
    FILE("segment-tool.js", segment_tool_js),
    FILE("selection.js", selection_js),
    FILE("shape-actions.js", shape_actions_js),
    FILE("shape-changes.js", shape_changes_js),
    FILE("shape-tool.js", shape_tool_js),
    FILE("shapes.js", shapes_js),
    FILE("sign-in.js", sign_in_js),
    FILE("style.css", style_css),
    FILE("tag-form.js", tag_form_js),
    FILE("tag-words.js", tag_words_js),
    FILE("tags.css", tags_css),
    FILE("take-detections.js", take_detections_js),
    FILE("tile-picker.js", tile_picker_js),
    FILE("tile-rows.js", tile_rows_js),
    FILE("class-hint.js", class_hint_js),
    FILE("tracks.js", tracks_js),
    FILE("toolbar.js", toolbar_js),
    FILE("tools.js", tools_js),
    FILE("people.js", people_js),
    FILE("versions.js", versions_js),
    FILE("done-view.js", done_view_js),
    FILE("team.js", team_js),
    FILE("trail.js", trail_js),
    FILE("truth-choice.js", truth_choice_js),
    FILE("undo-groups.js", undo_groups_js),
    FILE("version-differences.js", version_differences_js),
    FILE("viewport.js", viewport_js),
    FILE("visit.js", visit_js),
    FILE("worker-client.js", worker_client_js),
};

EmbeddedFiles editorPages(void) { return (EmbeddedFiles){files, sizeof(files) / sizeof(files[0])}; }
