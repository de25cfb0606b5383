/// The values of a key that states a fact. The raw value is the spelling in a manifest.
enum YesNo: String, CaseIterable {
  case yes, no
}
