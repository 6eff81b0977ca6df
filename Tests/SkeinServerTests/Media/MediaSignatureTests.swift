import Testing

@testable import SkeinServer

struct MediaSignatureTests {
  @Test("The first bytes of a known format determine the media type")
  func types() {
    let known: [([UInt8], String)] = [
      ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0], "image/png"),
      ([0xFF, 0xD8, 0xFF, 0xE0], "image/jpeg"),
      (Array("GIF89a".utf8), "image/gif"), (Array("RIFF....WEBPVP8 ".utf8), "image/webp"),
      (Array("RIFF....WAVEfmt ".utf8), "audio/wav"), (Array("OggS".utf8), "audio/ogg"),
      (Array("fLaC".utf8), "audio/flac"), (Array("ID3".utf8), "audio/mpeg"),
      ([0xFF, 0xFB, 0x90], "audio/mpeg"),
      ([0x1A, 0x45, 0xDF, 0xA3], "video/webm"), (Array("....ftypisom".utf8), "video/mp4"),
      (Array("....ftypM4A ".utf8), "audio/mp4"), (Array("....ftypavif".utf8), "image/avif"),
    ]
    for (head, type) in known { #expect(MediaSignature.type(of: head) == type) }
  }

  @Test(
    "The first bytes of an unknown format give no media type",
    arguments: [
      "", "x", "<svg xmlns=", "<!DOCTYPE html>", "%PDF-1.7", "{\"a\":1}", "RIFF....AVI ", "GIF8",
      "PK\u{3}\u{4}",
    ])
  func others(_ head: String) {
    #expect(MediaSignature.type(of: Array(head.utf8)) == nil)
  }
}
