import Skein
import Testing

@testable import SkeinCommand

@Suite("The demo's pictures are valid")
struct DemoPictureTests {
  @Test("A picture is recognised as PNG and ends with the IEND chunk")
  func png() {
    let png = DemoPicture.png(side: 16, tint: 7)
    #expect(MediaFile.type(of: png) == "image/png")
    #expect(Array(png.suffix(12)) == [0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82])
  }

  @Test("SHA-256 matches a known value")
  func hash() {
    #expect(
      DemoPicture.sha256(Array("abc".utf8))
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  }

  @Test(
    "Bytes of other formats do not have the type of a picture",
    arguments: [[], Array("hello".utf8), [0x89, 0x50], Array("RIFF1234WAVE".utf8)])
  func others(bytes: [UInt8]) {
    #expect(!MediaFile.type(of: bytes).hasPrefix("image/"))
  }
}
