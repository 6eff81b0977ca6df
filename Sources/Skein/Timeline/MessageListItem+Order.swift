extension MessageListItem {
  var order: MessageOrder {
    switch self {
    case .message(let message): message.order
    case .gap(let gap): MessageOrder(ofGapBelow: gap.upper)
    }
  }
}

extension MessageGap {
  var open: SpanMap.OpenGap { SpanMap.OpenGap(lower: lower == .lowest ? nil : lower, upper: upper) }
}
