// The ready-made pipelines, and the manifests of their models. Each file has its array and its row in the table.

#include "CEmbeddedFiles.h"

static const uint8_t faces_pipeline_yaml[] = {
#embed "../../Datasets/pipelines/faces.yaml"
};

static const uint8_t people_pipeline_yaml[] = {
#embed "../../Datasets/pipelines/people.yaml"
};

static const uint8_t small_faces_pipeline_yaml[] = {
#embed "../../Datasets/pipelines/small-faces.yaml"
};

static const uint8_t face_full_yaml[] = {
#embed "../../Datasets/models/face-full.yaml"
};

static const uint8_t face_mesh_yaml[] = {
#embed "../../Datasets/models/face-mesh.yaml"
};

static const uint8_t face_short_yaml[] = {
#embed "../../Datasets/models/face-short.yaml"
};

static const uint8_t fer_yaml[] = {
#embed "../../Datasets/models/fer.yaml"
};

static const uint8_t pose_yaml[] = {
#embed "../../Datasets/models/pose.yaml"
};

static const uint8_t pose_segmentation_yaml[] = {
#embed "../../Datasets/models/pose-segmentation.yaml"
};

static const uint8_t selfie_yaml[] = {
#embed "../../Datasets/models/selfie.yaml"
};

static const uint8_t yolox_yaml[] = {
#embed "../../Datasets/models/yolox.yaml"
};

static const EmbeddedFile files[] = {
  {"faces.pipeline.yaml", faces_pipeline_yaml, sizeof faces_pipeline_yaml},
  {"people.pipeline.yaml", people_pipeline_yaml, sizeof people_pipeline_yaml},
  {"small-faces.pipeline.yaml", small_faces_pipeline_yaml, sizeof small_faces_pipeline_yaml},
  {"face-full.yaml", face_full_yaml, sizeof face_full_yaml},
  {"face-mesh.yaml", face_mesh_yaml, sizeof face_mesh_yaml},
  {"face-short.yaml", face_short_yaml, sizeof face_short_yaml},
  {"fer.yaml", fer_yaml, sizeof fer_yaml},
  {"pose.yaml", pose_yaml, sizeof pose_yaml},
  {"pose-segmentation.yaml", pose_segmentation_yaml, sizeof pose_segmentation_yaml},
  {"selfie.yaml", selfie_yaml, sizeof selfie_yaml},
  {"yolox.yaml", yolox_yaml, sizeof yolox_yaml},
};

EmbeddedFiles pipelineFiles(void) {
  return (EmbeddedFiles){files, sizeof files / sizeof *files};
}
