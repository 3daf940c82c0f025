extension String {
    /// The text without the slashes at its end: an address is the same with and without them.
    public var withoutEndingSlashes: String {
        var text = self
        while text.hasSuffix("/") { text.removeLast() }
        return text
    }
}
