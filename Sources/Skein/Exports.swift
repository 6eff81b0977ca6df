/// An app that imports only the engine also gets the values and the backend contract of `SkeinModel`.
@_exported public import SkeinModel
