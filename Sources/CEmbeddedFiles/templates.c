// The report's templates, style and script. Each file has its array and its row in the table.

#include "CEmbeddedFiles.h"

static const uint8_t action_shot_css[] = {
#embed "../AssayReports/Templates/action-shot.css"
};

static const uint8_t action_shot_js[] = {
#embed "../AssayReports/Templates/action-shot.js"
};

static const uint8_t action_shot_mustache[] = {
#embed "../AssayReports/Templates/action-shot.mustache"
};

static const uint8_t answer_mustache[] = {
#embed "../AssayReports/Templates/answer.mustache"
};

static const uint8_t chart_mustache[] = {
#embed "../AssayReports/Templates/chart.mustache"
};

static const uint8_t check_css[] = {
#embed "../AssayReports/Templates/check.css"
};

static const uint8_t check_answer_mustache[] = {
#embed "../AssayReports/Templates/check-answer.mustache"
};

static const uint8_t check_kind_mustache[] = {
#embed "../AssayReports/Templates/check-kind.mustache"
};

static const uint8_t classes_mustache[] = {
#embed "../AssayReports/Templates/classes.mustache"
};

static const uint8_t comparison_result_mustache[] = {
#embed "../AssayReports/Templates/comparison-result.mustache"
};

static const uint8_t confusions_mustache[] = {
#embed "../AssayReports/Templates/confusions.mustache"
};

static const uint8_t counts_mustache[] = {
#embed "../AssayReports/Templates/counts.mustache"
};

static const uint8_t definitions_mustache[] = {
#embed "../AssayReports/Templates/definitions.mustache"
};

static const uint8_t inputs_mustache[] = {
#embed "../AssayReports/Templates/inputs.mustache"
};

static const uint8_t label_samples_mustache[] = {
#embed "../AssayReports/Templates/label-samples.mustache"
};

static const uint8_t mask_answer_mustache[] = {
#embed "../AssayReports/Templates/mask-answer.mustache"
};

static const uint8_t mask_classes_mustache[] = {
#embed "../AssayReports/Templates/mask-classes.mustache"
};

static const uint8_t mask_doubt_mustache[] = {
#embed "../AssayReports/Templates/mask-doubt.mustache"
};

static const uint8_t mask_key_mustache[] = {
#embed "../AssayReports/Templates/mask-key.mustache"
};

static const uint8_t mask_samples_mustache[] = {
#embed "../AssayReports/Templates/mask-samples.mustache"
};

static const uint8_t mask_table_mustache[] = {
#embed "../AssayReports/Templates/mask-table.mustache"
};

static const uint8_t mask_worst_mustache[] = {
#embed "../AssayReports/Templates/mask-worst.mustache"
};

static const uint8_t matrix_mustache[] = {
#embed "../AssayReports/Templates/matrix.mustache"
};

static const uint8_t means_mustache[] = {
#embed "../AssayReports/Templates/means.mustache"
};

static const uint8_t mistakes_mustache[] = {
#embed "../AssayReports/Templates/mistakes.mustache"
};

static const uint8_t number_mustache[] = {
#embed "../AssayReports/Templates/number.mustache"
};

static const uint8_t object_classes_mustache[] = {
#embed "../AssayReports/Templates/object-classes.mustache"
};

static const uint8_t object_confusion_mustache[] = {
#embed "../AssayReports/Templates/object-confusion.mustache"
};

static const uint8_t object_curves_mustache[] = {
#embed "../AssayReports/Templates/object-curves.mustache"
};

static const uint8_t object_errors_mustache[] = {
#embed "../AssayReports/Templates/object-errors.mustache"
};

static const uint8_t object_numbers_mustache[] = {
#embed "../AssayReports/Templates/object-numbers.mustache"
};

static const uint8_t object_mustache[] = {
#embed "../AssayReports/Templates/object.mustache"
};

static const uint8_t page_mustache[] = {
#embed "../AssayReports/Templates/page.mustache"
};

static const uint8_t picture_mustache[] = {
#embed "../AssayReports/Templates/picture.mustache"
};

static const uint8_t predictions_mustache[] = {
#embed "../AssayReports/Templates/predictions.mustache"
};

static const uint8_t provenance_mustache[] = {
#embed "../AssayReports/Templates/provenance.mustache"
};

static const uint8_t query_mustache[] = {
#embed "../AssayReports/Templates/query.mustache"
};

static const uint8_t reliability_mustache[] = {
#embed "../AssayReports/Templates/reliability.mustache"
};

static const uint8_t risk_mustache[] = {
#embed "../AssayReports/Templates/risk.mustache"
};

static const uint8_t sample_mustache[] = {
#embed "../AssayReports/Templates/sample.mustache"
};

static const uint8_t script_js[] = {
#embed "../AssayReports/Templates/script.js"
};

static const uint8_t style_css[] = {
#embed "../AssayReports/Templates/style.css"
};

static const uint8_t tables_mustache[] = {
#embed "../AssayReports/Templates/tables.mustache"
};

static const uint8_t term_mustache[] = {
#embed "../AssayReports/Templates/term.mustache"
};

#define FILE(name, bytes) {name, bytes, sizeof(bytes)}

static const EmbeddedFile files[] = {
    FILE("action-shot.css", action_shot_css),
    FILE("action-shot.js", action_shot_js),
    FILE("action-shot.mustache", action_shot_mustache),
    FILE("answer.mustache", answer_mustache),
    FILE("chart.mustache", chart_mustache),
    FILE("check.css", check_css),
    FILE("check-answer.mustache", check_answer_mustache),
    FILE("check-kind.mustache", check_kind_mustache),
    FILE("classes.mustache", classes_mustache),
    FILE("comparison-result.mustache", comparison_result_mustache),
    FILE("confusions.mustache", confusions_mustache),
    FILE("counts.mustache", counts_mustache),
    FILE("definitions.mustache", definitions_mustache),
    FILE("inputs.mustache", inputs_mustache),
    FILE("label-samples.mustache", label_samples_mustache),
    FILE("mask-answer.mustache", mask_answer_mustache),
    FILE("mask-classes.mustache", mask_classes_mustache),
    FILE("mask-doubt.mustache", mask_doubt_mustache),
    FILE("mask-key.mustache", mask_key_mustache),
    FILE("mask-samples.mustache", mask_samples_mustache),
    FILE("mask-table.mustache", mask_table_mustache),
    FILE("mask-worst.mustache", mask_worst_mustache),
    FILE("matrix.mustache", matrix_mustache),
    FILE("means.mustache", means_mustache),
    FILE("mistakes.mustache", mistakes_mustache),
    FILE("number.mustache", number_mustache),
    FILE("object-classes.mustache", object_classes_mustache),
    FILE("object-confusion.mustache", object_confusion_mustache),
    FILE("object-curves.mustache", object_curves_mustache),
    FILE("object-errors.mustache", object_errors_mustache),
    FILE("object-numbers.mustache", object_numbers_mustache),
    FILE("object.mustache", object_mustache),
    FILE("page.mustache", page_mustache),
    FILE("picture.mustache", picture_mustache),
    FILE("predictions.mustache", predictions_mustache),
    FILE("provenance.mustache", provenance_mustache),
    FILE("query.mustache", query_mustache),
    FILE("reliability.mustache", reliability_mustache),
    FILE("risk.mustache", risk_mustache),
    FILE("sample.mustache", sample_mustache),
    FILE("script.js", script_js),
    FILE("style.css", style_css),
    FILE("tables.mustache", tables_mustache),
    FILE("term.mustache", term_mustache),
};

EmbeddedFiles reportTemplates(void) { return (EmbeddedFiles){files, sizeof(files) / sizeof(files[0])}; }
