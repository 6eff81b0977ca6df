/// The declaration of a function with its argument labels.
struct FunctionName {
  let name: String
  /// The name with its labels, such as `read(from:at:)`.
  let fullName: String
  /// The line of the name, from 1.
  let line: Int
  /// Whether the function is declared inside a protocol.
  let isRequirement: Bool

  /// Finds the functions in a file, except operators.
  static func declared(in tokens: [Token]) -> [FunctionName] {
    var functions: [FunctionName] = []
    var depth = 0
    var protocolDepth: Int?
    var isProtocolAhead = false
    for (index, token) in tokens.enumerated() {
      switch token.text {
      case "protocol": isProtocolAhead = true
      case "{":
        depth += 1
        if isProtocolAhead { (protocolDepth, isProtocolAhead) = (depth, false) }
      case "}":
        if depth == protocolDepth { protocolDepth = nil }
        depth -= 1
      case "func":
        let named = tokens[(index + 1)...].drop { $0.text == "`" }
        guard let name = named.first, name.isWord else { continue }
        let labels = labels(in: tokens[(named.startIndex + 1)...])
        functions.append(
          FunctionName(
            name: name.text, fullName: "\(name.text)(\(labels.map { "\($0):" }.joined()))", line: name.line,
            isRequirement: protocolDepth != nil))
      default: break
      }
    }
    return functions
  }

  /// The labels of the parameter list in `tokens`, which begin after the function's name.
  private static func labels(in tokens: ArraySlice<Token>) -> [String] {
    var labels: [String] = []
    var depth = 0
    var (angles, isLabelNext) = (0, false)
    var before = ""
    for token in tokens {
      switch token.text {
      case "(", "[", "{":
        if token.text == "(", depth == 0, angles == 0 { isLabelNext = true }
        depth += 1
      case ")", "]", "}":
        depth -= 1
        if depth == 0, angles == 0 { return labels }
      case "<": angles += 1
      case ">" where before != "-": angles -= 1
      case "," where depth == 1 && angles == 0: isLabelNext = true
      default:
        if isLabelNext, token.isWord {
          labels.append(token.text)
          isLabelNext = false
        }
      }
      before = token.text
    }
    return labels
  }
}
