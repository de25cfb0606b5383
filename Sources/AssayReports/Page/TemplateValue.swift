extension String {
  /// The value for a template: the text, or `false` if it is empty, which templates treat
  /// as absent. (An empty text would count as present, and a missing key would be looked up
  /// in the enclosing context.)
  var templateValue: Any { isEmpty ? false : self }
}
