package import AssayImaging

/// The spellings of the resize rules, in manifests and in the settings of runs.
package enum ResizeSpelling: String, CaseIterable, Sendable {
  case stretch
  case centerCrop = "center-crop"
  case letterbox
  case shorterCrop = "shorter-crop"
  case stretchCrop = "stretch-crop"
  case edges

  package init(_ rule: ResizeRule) {
    switch rule {
    case .stretch: self = .stretch
    case .centerCrop: self = .centerCrop
    case .letterbox: self = .letterbox
    case .shorterCrop: self = .shorterCrop
    case .stretchCrop: self = .stretchCrop
    case .edges: self = .edges
    }
  }
}
