import Foundation
import Skein
import Testing

@Suite("A file is sent as the kind of its content")
struct MediaFileTests {
  @Test("The first bytes of a file, not its name, determine its type")
  func types() throws {
    #expect(MediaFile.type(of: [0, 0, 0, 0x20] + Array("ftypisom".utf8)) == "video/mp4")
    #expect(MediaFile.type(of: [0, 0, 0, 0x20] + Array("ftypM4A ".utf8)) == "audio/mp4")
    #expect(MediaFile.type(of: [0, 0, 0, 0x20] + Array("ftypqt  ".utf8)) == "video/quicktime")
    #expect(MediaFile.type(of: [0, 0, 0, 0x20] + Array("ftypheic".utf8)) == "application/octet-stream")
    #expect(MediaFile.type(of: Array("RIFF1234WAVEfmt ".utf8)) == "audio/wav")
    #expect(MediaFile.type(of: Array("RIFF1234WEBP".utf8)) == "image/webp")
    #expect(MediaFile.type(of: Array("%PDF-1.7".utf8)) == "application/pdf")
    #expect(MediaFile.type(of: []) == "application/octet-stream")
    #expect(MediaFile.type(of: [0xFF]) == "application/octet-stream")
  }

  @Test("Films, pictures, recordings and all other files become messages of their kinds")
  func contents() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "skein-media-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "a b.txt")
    let film = Data([0, 0, 0, 0x20] + Array("ftypisom".utf8))
    let png = Data([
      0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 1, 0, 0, 0, 0, 9,
    ])
    var seen: [MessageKind] = []
    for bytes in [film, png, Data("ID3".utf8), Data()] {
      try bytes.write(to: file)
      seen.append(type(of: try MediaFile.content(of: file)).kind)
    }
    #expect(seen == ["video", "image", "audio", "file"])
    try png.write(to: file)
    let picture = try #require(try MediaFile.content(of: file) as? ImageContent)
    #expect(picture.width == 256 && picture.height == 9)
    try Data("12345".utf8).write(to: file)
    let content = try #require(try MediaFile.content(of: file) as? FileContent)
    #expect(content.name == "a b.txt" && content.size == 5)
    #expect(throws: ChatError.self) { try MediaFile.content(of: folder) }
    #expect(throws: ChatError.self) { try MediaFile.content(of: folder.appending(path: "none")) }
  }
}
