internal import HomingCrypto
internal import HomingRelayProtocol

/// Push tokens: only those that the ring made count, and each has one text.
final class PushTokenTarget: FuzzTarget {
    static let name = "push-token"
    static let longest = 256

    private let ring: TokenRing
    private let own: PushToken

    init() throws {
        // Other keys for each run: no input can be a token of theirs.
        ring = try TokenRing.random(id: 1).rotated()
        guard let token = ring.token(for: try KeyPair().publicKey, generation: 7) else {
            fatalError("no token")
        }
        own = token
    }

    func run(_ input: [UInt8]) throws {
        let text = String(decoding: input, as: UTF8.self)
        if let token = PushToken(text) { check(token, text) }
        require(PushToken(authorization: "Bearer " + text) == PushToken(text), "another header")
        if let token = PushToken(authorization: text) {
            require(text.hasSuffix(token.text), "a header of another token")
        }
        tamper(input)
        require((try? TokenRing(file: text)).map { isStable($0) } ?? true, "a file reads otherwise")
    }

    private func check(_ token: PushToken, _ text: String) {
        require(token.text == text, "a second text of a token")
        require(!ring.isOwn(token) && !faultIsPlanted, "a foreign token is taken")
        require(token.mailbox == MailboxID(of: token.publicKey), "another mailbox")
        require(
            "\(token)\(String(reflecting: token))" == "PushTokenPushToken", "a token is printed")
        guard let usable = ring.token(for: token.publicKey, generation: token.generation) else {
            require(!token.publicKey.isUsable, "a usable key without a token")
            return
        }
        require(ring.isOwn(usable), "a token of this ring is refused")
        require(usable.publicKey == token.publicKey, "a token for another key")
    }

    /// Another byte in one place of a token of this ring; the input says which and where.
    private func tamper(_ input: [UInt8]) {
        var reader = ByteReader(input)
        var text = Array(own.text.utf8)
        let place = reader.index(below: text.count)
        text[place] ^= UInt8(reader.index(below: 255) + 1)
        let forged = PushToken(String(decoding: text, as: UTF8.self))
        require(forged.map { !ring.isOwn($0) } ?? true, "a forged token is taken")
    }

    private func isStable(_ ring: TokenRing) -> Bool {
        (try? TokenRing(file: ring.file))?.file == ring.file
    }
}
