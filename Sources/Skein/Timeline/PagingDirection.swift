/// Which way a window grows.
enum PagingDirection: Sendable, Hashable {
  case older
  case newer
}
