/// An app imports the engine alone and has the values and the contract with it.
@_exported public import SkeinModel
