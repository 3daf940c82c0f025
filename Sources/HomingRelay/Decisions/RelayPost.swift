internal import HomingRelayProtocol

/// A post with a token, whose content becomes a letter.
protocol RelayPost {
    /// The text of `push_token`, not checked yet.
    var token: String { get }

    /// Reads the body of a POST.
    init(body: [UInt8]) throws(RelayRefusal)

    /// The letter for the owner of `token`, which has been checked.
    func letter(for token: PushToken) -> Letter
}

/// Home Assistant's post.
extension PushRequest: RelayPost {
    func letter(for token: PushToken) -> Letter { Letter(self, for: token) }
}

/// A front's post.
extension SealedRequest: RelayPost {
    func letter(for token: PushToken) -> Letter { Letter(self, for: token) }
}
