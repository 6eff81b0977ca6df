import SkeinSockets

extension HTTPResponse {
  static let notFound = text(404, "There is nothing here.")

  static func page(_ bytes: [UInt8], _ type: String) -> Self {
    HTTPResponse(status: 200, headers: HTTPHeaders(headers(type)), content: .bytes(bytes))
  }

  static func text(_ status: Int, _ text: String) -> Self {
    HTTPResponse(
      status: status, headers: HTTPHeaders(headers("text/plain; charset=utf-8")),
      content: .bytes(Array(text.utf8)))
  }

  /// The headers of every response: only the page's own script runs, and the page loads nothing from elsewhere.
  static func headers(_ type: String) -> [HTTPHeaders.Field] {
    [
      ("Content-Type", type), ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
      ("Cache-Control", "no-store"), ("Cross-Origin-Resource-Policy", "same-origin"),
      ("Cross-Origin-Opener-Policy", "same-origin"),
      (
        "Content-Security-Policy",
        """
        default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; connect-src 'self'; \
        form-action 'none'; base-uri 'none'; frame-ancestors 'none'
        """
      ),
    ]
  }
}
