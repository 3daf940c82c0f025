import HomingRuntime

/// A port of this machine that speaks HTTP, and turns requests into WebSockets where its heirs say so.
class PlayedSockets: PlayedPort {
    /// A request as it came.
    struct Request {
        let method: String
        let path: String
        let body: [UInt8]
        fileprivate let head: [Substring]

        /// The value of a field of the head.
        func field(_ name: String) -> String? {
            head.first { $0.lowercased().hasPrefix("\(name.lowercased()): ") }
                .map { String($0.dropFirst(name.count + 2)) }
        }

        var isUpgrade: Bool { field("Sec-WebSocket-Key") != nil }
    }

    private var open: Set<Int32> = []

    /// A request has come whole. What it is answered is the heir's.
    func asked(_ request: Request, by client: Int32) {}

    /// A text has come over a WebSocket.
    func receiveText(_ text: [UInt8], by client: Int32) {}

    /// A WebSocket has ended.
    func left(_ client: Int32) {}

    /// Makes the connection a WebSocket.
    func upgrade(_ client: Int32, _ request: Request) {
        open.insert(client)
        let key = request.field("Sec-WebSocket-Key") ?? ""
        let digest = SHA1.digest("\(key)258EAFA5-E914-47DA-95CA-C5AB0DC85B11")
        say(
            "HTTP/1.1 101 Yes\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Accept: \(Base64.text(of: digest))\r\n\r\n", to: client)
    }

    /// Answers a request.
    func answer(_ client: Int32, _ status: Int, _ body: [UInt8] = []) {
        say(
            "HTTP/1.1 \(status) So\r\nContent-Type: application/json\r\n"
                + "Content-Length: \(body.count)\r\n\r\n", to: client)
        say(body, to: client)
    }

    /// Says a text over a WebSocket, as one frame of less than 64 KiB.
    func sendText(_ text: [UInt8], _ client: Int32) {
        let size =
            text.count < 126
            ? [UInt8(text.count)] : [126, UInt8(text.count >> 8), UInt8(text.count & 0xFF)]
        say([0x81] + size + text, to: client)
    }

    override func end(_ client: Int32) {
        if open.remove(client) != nil { left(client) }
        super.end(client)
    }

    override func heard(_ client: Int32) {
        if open.contains(client) { return takeFrames(of: client) }
        let bytes = said(by: client)
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound else { return }
        let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
        let words = lines[0].split(separator: " ")
        let length =
            lines.first { $0.lowercased().hasPrefix("content-length: ") }
            .flatMap { Int($0.dropFirst("Content-Length: ".count)) } ?? 0
        guard bytes.count >= end + length else { return }
        taken(end + length, of: client)
        asked(
            Request(
                method: String(words[0]), path: String(words[1]),
                body: Array(bytes[end..<(end + length)]), head: Array(lines)), by: client)
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
            case 1: receiveText(payload, by: client)
            case 8: return end(client)
            case 9: say([0x8A, UInt8(payload.count)] + payload, to: client)
            default: break
            }
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
