/// A function's name has one meaning, so no module declares many functions of one name.
///
/// Requirements of protocols and their implementations are not counted, since one declaration gives them
/// their name.
enum NameRule {
  /// The most declarations of one name in one module.
  static let limit = 12

  /// Names that are not counted, with the reason.
  private static let allowed: [String: String] = [
    "close": "ends the use of a resource, as everywhere",
    "encode": "a requirement of Encodable",
    "hash": "a requirement of Hashable",
    "next": "a requirement of IteratorProtocol and AsyncIteratorProtocol",
    "urlSession": "a requirement of URLSessionDelegate",
  ]

  static func violations(in files: [SourceFile], limit: Int = limit) -> [Violation] {
    let sources = files.filter(\.isInSources)
    let declarations = sources.map { (file: $0, functions: FunctionName.declared(in: $0.tokens)) }
    let required = Set(declarations.flatMap(\.functions).filter(\.isRequirement).map(\.fullName))
    let counted = declarations.flatMap { file, functions in
      functions.filter { !required.contains($0.fullName) && allowed[$0.name] == nil }
        .map { (file: file, function: $0) }
    }
    let byName = Dictionary(grouping: counted) { "\($0.file.target) \($0.function.name)" }
    return byName.values.filter { $0.count > limit }.compactMap { group in
      guard let first = group.first else { return nil }
      return Violation(
        path: first.file.path, line: first.function.line,
        message: "\(first.function.name) is declared \(group.count) times in \(first.file.target), "
          + "and \(limit) are the most: give each function a name that says what it does.")
    }.sorted { ($0.path, $0.line) < ($1.path, $1.line) }
  }
}
