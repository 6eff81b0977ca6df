/// A token of a place in a room's history, or in the stream of syncs. A token has to fit into the address of a request.
struct BatchToken: Decodable, Hashable, Sendable {
  let text: String

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    text = try value.decode(String.self)
    guard (1...4096).contains(text.utf8.count) else {
      throw DecodingError.dataCorruptedError(
        in: value, debugDescription: "A token of \(text.utf8.count) bytes can't be used.")
    }
  }
}
