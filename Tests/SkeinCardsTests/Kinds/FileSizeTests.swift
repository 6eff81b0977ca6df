import Skein
import SkeinCards
import Testing

@Suite("The size of a file")
struct FileSizeTests {
  @Test(
    "A size has the largest unit in which the rounded number is at least 1",
    arguments: [
      (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1000, "1 kB"), (1250, "1.3 kB"),
      (999_949, "999.9 kB"), (999_960, "1 MB"), (3_200_000, "3.2 MB"), (5_000_000_000_000, "5 TB"),
    ])
  func text(size: Int64, text: String) {
    let file = MessageAttachment.remote(RemoteMedia(id: "m", size: size, type: "x/y"))
    #expect(FileComponent(FileContent(file, name: "a")).sizeText == text)
  }
}
