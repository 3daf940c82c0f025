internal import HomeAssistantAPI
internal import HomingCrypto
internal import HomingJSON

/// Bodies of Home Assistant's replies: only what our key has sealed opens, and it opens whole.
final class EnvelopeTarget: FuzzTarget {
    static let name = "envelope"
    private let box: SecretBox
    private let sealing: WebhookEnvelope
    private let plain = WebhookEnvelope(sealer: nil)
    private let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=".utf8)

    init() throws {
        // Another key for each run: no input can have been sealed with it.
        box = SecretBox(key: try SecretKey(hexadecimal: RandomToken.hex(bytes: SecretKey.size)))
        sealing = WebhookEnvelope(sealer: faultIsPlanted ? CarelessSealer(box: box) : box)
    }

    func run(_ input: [UInt8]) throws {
        if case .opened = sealing.contents(of: input) { require(false, "a foreign body opened") }
        if case .opened(let content) = plain.contents(of: input) {
            require(
                content["encrypted"] == nil || content["encrypted_data"]?.string == nil
                    || !isBoolean(content["encrypted"]), "a sealed body is taken as a clear one")
        }
        let sealed = box.seal(input)
        require(box.open(sealed) == input, "what was sealed does not open")
        let content = JSONValue(json: input).map { WebhookReply.opened($0) } ?? .unreadable
        require(sealing.contents(of: reply(sealed)) == content, "a sealed reply is lost")
        let forged = tampered(sealed, by: input)
        require(box.open(forged) == nil, "a forged text opens")
        require(sealing.contents(of: reply(forged)) == .other, "a forged reply opens")
    }

    private func isBoolean(_ value: JSONValue?) -> Bool {
        if case .boolean = value { true } else { false }
    }

    private func reply(_ sealed: String) -> [UInt8] {
        Array("{\"encrypted\":true,\"encrypted_data\":\"\(sealed)\"}".utf8)
    }

    /// Another character in one place; the input says which and where.
    private func tampered(_ sealed: String, by input: [UInt8]) -> String {
        var reader = ByteReader(input)
        var text = Array(sealed.utf8)
        let place = reader.index(below: text.count)
        let others = alphabet.filter { $0 != text[place] }
        text[place] = others[reader.index(below: others.count)]
        return String(decoding: text, as: UTF8.self)
    }
}

/// Opens what it could not, as a sealer without its authenticator would.
private struct CarelessSealer: Sealer {
    let box: SecretBox
    func appendSealed(_ plaintext: [UInt8], to body: inout [UInt8]) {
        box.appendSealed(plaintext, to: &body)
    }
    func sealedSize(_ count: Int) -> Int { box.sealedSize(count) }
    func open(_ sealed: String) -> [UInt8]? { box.open(sealed) ?? Array("[]".utf8) }
}
