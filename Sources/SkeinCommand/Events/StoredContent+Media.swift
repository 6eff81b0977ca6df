import Skein

extension StoredContent {
  /// The uploaded file of a picture, a video, a recording or a file.
  var media: RemoteMedia? {
    self.as(ImageContent.self)?.image.media ?? self.as(VideoContent.self)?.video.media
      ?? self.as(AudioContent.self)?.audio.media ?? self.as(FileContent.self)?.file.media
  }
}
