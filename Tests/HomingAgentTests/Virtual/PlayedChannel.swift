import HomingJSON
import HomingRuntime

/// Home Assistant's WebSocket on a port of this machine, as far as a push channel speaks with it.
final class PlayedChannel: PlayedPort {
    enum Manner {
        /// It hangs up before it answers.
        case absent
        /// It lets everybody in and subscribe, and says nothing more.
        case silent
        /// The same, and it answers pings.
        case well
    }

    var manner = Manner.absent
    /// How often a WebSocket was asked for.
    private(set) var attempts = 0
    /// The types of all messages that came.
    private var types: [String] = []
    private var open: Set<Int32> = []

    /// How many messages of the type came.
    func count(_ type: String) -> Int { types.count { $0 == type } }

    override func end(_ client: Int32) {
        open.remove(client)
        super.end(client)
    }

    override func heard(_ client: Int32) {
        if open.contains(client) { return takeFrames(of: client) }
        let head = String(decoding: said(by: client), as: UTF8.self)
        guard head.hasSuffix("\r\n\r\n") else { return }
        taken(of: client)
        let name = "Sec-WebSocket-Key: "
        guard let key = head.split(separator: "\r\n").first(where: { $0.hasPrefix(name) }) else {
            // A page of Home Assistant's, beside the channel.
            say("HTTP/1.1 404 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", to: client)
            return end(client)
        }
        attempts += 1
        if manner == .absent { return end(client) }
        open.insert(client)
        let digest = SHA1.digest("\(key.dropFirst(name.count))258EAFA5-E914-47DA-95CA-C5AB0DC85B11")
        say(
            "HTTP/1.1 101 Yes\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Accept: \(Base64.text(of: digest))\r\n\r\n", to: client)
        tell(#"{"type":"auth_required","ha_version":"2026.11.0"}"#, client)
    }

    /// As one frame, of less than 126 bytes.
    private func tell(_ message: String, _ client: Int32) {
        say([0x81, UInt8(message.utf8.count)] + Array(message.utf8), to: client)
    }

    /// A client's frames are masked: RFC 6455, section 5.
    private func takeFrames(of client: Int32) {
        while true {
            let bytes = said(by: client)
            guard bytes.count >= 6 else { return }
            let isLong = bytes[1] & 0x7F == 126
            let start = isLong ? 8 : 6
            let length = isLong ? Int(bytes[2]) << 8 | Int(bytes[3]) : Int(bytes[1] & 0x7F)
            guard bytes.count >= start + length else { return }
            let payload = (0..<length).map { bytes[start + $0] ^ bytes[start - 4 + $0 % 4] }
            taken(start + length, of: client)
            switch bytes[0] & 0x0F {
            case 1: take(payload, client)
            case 8: return end(client)
            default: break
            }
        }
    }

    private func take(_ payload: [UInt8], _ client: Int32) {
        guard let message = JSONValue(json: payload), let type = message["type"]?.string else {
            return
        }
        types.append(type)
        let id = message["id"]?.whole ?? 0
        switch type {
        case "auth": tell(#"{"type":"auth_ok","ha_version":"2026.11.0"}"#, client)
        case "ping": if manner == .well { tell(#"{"id":\#(id),"type":"pong"}"#, client) }
        default: tell(#"{"id":\#(id),"type":"result","success":true,"result":null}"#, client)
        }
    }
}

/// SHA-1 (RFC 3174), by which a WebSocket's server shows that it has read the key.
enum SHA1 {
    static func digest(_ text: String) -> [UInt8] {
        var bytes = Array(text.utf8)
        let bits = bytes.count * 8
        bytes.append(0x80)
        while bytes.count % 64 != 56 { bytes.append(0) }
        for place in (0..<8).reversed() {
            bytes.append(UInt8(truncatingIfNeeded: bits >> (place * 8)))
        }
        var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
        for start in stride(from: 0, to: bytes.count, by: 64) {
            add(Array(bytes[start..<(start + 64)]), to: &state)
        }
        return state.flatMap { word in
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> UInt32($0)) }
        }
    }

    private static func add(_ block: [UInt8], to state: inout [UInt32]) {
        var words: [UInt32] = (0..<16).map { word in
            block[(word * 4)..<(word * 4 + 4)].reduce(0) { $0 << 8 | UInt32($1) }
        }
        for place in 16..<80 {
            let mixed =
                words[place - 3] ^ words[place - 8] ^ words[place - 14] ^ words[place - 16]
            words.append(mixed << 1 | mixed >> 31)
        }
        var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
        for (place, word) in words.enumerated() {
            let (mixed, constant): (UInt32, UInt32) =
                switch place {
                case ..<20: ((b & c) | (~b & d), 0x5A82_7999)
                case ..<40: (b ^ c ^ d, 0x6ED9_EBA1)
                case ..<60: ((b & c) | (b & d) | (c & d), 0x8F1B_BCDC)
                default: (b ^ c ^ d, 0xCA62_C1D6)
                }
            let next = (a << 5 | a >> 27) &+ mixed &+ e &+ constant &+ word
            (a, b, c, d, e) = (next, a, b << 30 | b >> 2, c, d)
        }
        for (place, word) in [a, b, c, d, e].enumerated() { state[place] &+= word }
    }
}
