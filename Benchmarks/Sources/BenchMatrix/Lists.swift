/// The texts that every client shows.
struct Lists {
  let texts: [[String]]
  let clients: Int
  /// The number of messages that each client has sent.
  let count: Int

  /// The largest number of messages that a client lacks.
  var missing: Int { texts.map { clients * count - Set($0).count }.max() ?? 0 }

  /// The number of messages that clients show more than once.
  var doubled: Int { texts.map { $0.count - Set($0).count }.reduce(0, +) }

  /// The number of lists in which the messages of a sender are not in the order in which they were sent.
  var disordered: Int {
    texts.count { list in
      let words = list.map { $0.split(separator: " ").compactMap { Int($0) } }
      return Dictionary(grouping: words) { $0.first }.values.contains { sent in
        let numbers = sent.compactMap(\.last)
        return numbers != numbers.sorted()
      }
    }
  }

  /// The number of different orders.
  var orders: Int { Set(texts).count }
}
