extension String {
  /// A template's value: the text, or `false` where it is empty, which templates take for absent. (Empty
  /// text would count as there, and a missing key would be looked up further out.)
  var templateValue: Any { isEmpty ? false : self }
}
