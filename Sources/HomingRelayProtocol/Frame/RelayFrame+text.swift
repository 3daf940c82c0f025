internal import HomingBase
internal import HomingCrypto
internal import HomingJSON

/// A frame as text, and read.
extension RelayFrame {
    /// The frame as text. `unknown` is an empty object.
    public var text: [UInt8] { Array(JSONValue.object(members).json().utf8) }

    private var members: [String: JSONValue] {
        switch self {
        case .hello(let version, let now, let challenge):
            [
                "hello": .whole(version), "now": .whole(Int(now)),
                "challenge": Self.value(challenge),
            ]
        case .ready(let waiting, let count, let renewal):
            [
                "ready": .whole(1), "waiting": .whole(waiting), "count": count.json,
                "renewal": renewal.map { Self.value($0) } ?? .null,
            ]
        case .message(let id, let now, let parcel):
            ["m": .string(id.text), "now": .whole(Int(now)), "parcel": Self.value(parcel)]
        case .bye(let seconds, let why): ["bye": .whole(seconds), "why": .string(why)]
        case .refused(let refusal): ["refused": .string(refusal.rawValue)]
        case .proof(let proof): ["proof": Self.value(proof)]
        case .acknowledge(let ids): ["ack": .array(ids.map { .string($0.text) })]
        case .revoke: ["revoke": .whole(1)]
        case .unknown: [:]
        }
    }

    private static func value(_ bytes: [UInt8]) -> JSONValue { .string(URLBase64.text(of: bytes)) }

    /// Reads a frame; `nil` if the text is not a JSON object, or a required member is missing.
    ///
    /// - Parameter limit: bytes; for a relay `deviceLimit`.
    public init?(_ text: [UInt8], limit: Int = RelayFrame.limit) {
        let limits = JSONLimits(bytes: limit, depth: 32, values: 4096)
        guard let value = try? JSON.value(of: text, within: limits), case .object = value,
            let frame = try? FrameMembers(value).frame()
        else { return nil }
        self = frame
    }
}

/// The members of a frame, read as what they must be.
private struct FrameMembers {
    /// A required member is missing or malformed.
    struct Incomplete: Error {}

    /// Longest reason of a `bye` frame, in bytes.
    private static let reasonLimit = 200
    /// Longest absence that a `bye` frame may ask for, in seconds.
    private static let longestAbsence = 86400

    private let value: JSONValue

    init(_ value: JSONValue) { self.value = value }

    func frame() throws(Incomplete) -> RelayFrame {
        if has("hello") { return try hello() }
        if has("ready") { return try ready() }
        if has("m") { return try message() }
        if has("bye") { return try bye() }
        if has("refused") { return refused() }
        if has("proof") { return try proof() }
        if has("ack") { return try acknowledge() }
        return has("revoke") ? .revoke : .unknown
    }

    private func has(_ name: String) -> Bool { value[name] != nil }

    private func number(_ name: String) throws(Incomplete) -> Int {
        guard let number = value[name]?.whole, number >= 0 else { throw Incomplete() }
        return number
    }

    private func time(_ name: String) throws(Incomplete) -> Int64 {
        let time = Int64(try number(name))
        guard RelayTime.bounded(time) == time else { throw Incomplete() }
        return time
    }

    private func bytes(_ name: String) throws(Incomplete) -> [UInt8] {
        guard let bytes = value[name]?.string.flatMap({ URLBase64.bytes(of: $0) }) else {
            throw Incomplete()
        }
        return bytes
    }

    private func hello() throws(Incomplete) -> RelayFrame {
        .hello(
            version: try number("hello"), now: try time("now"),
            challenge: try bytes("challenge"))
    }

    private func ready() throws(Incomplete) -> RelayFrame {
        guard let count = DayCount(value["count"]) else { throw Incomplete() }
        let hasRenewal = value["renewal"] ?? .null != .null
        return .ready(
            waiting: try number("waiting"), count: count,
            renewal: hasRenewal ? try bytes("renewal") : nil)
    }

    private func message() throws(Incomplete) -> RelayFrame {
        .message(id: try id(value["m"]), now: try time("now"), parcel: try bytes("parcel"))
    }

    private func id(_ value: JSONValue?) throws(Incomplete) -> MessageID {
        guard let id = value?.string.flatMap({ MessageID(text: $0) }) else { throw Incomplete() }
        return id
    }

    private func bye() throws(Incomplete) -> RelayFrame {
        let why = SafeText.line(value["why"]?.string ?? "", limit: Self.reasonLimit)
        return .bye(seconds: min(try number("bye"), Self.longestAbsence), why: why)
    }

    private func refused() -> RelayFrame {
        .refused(value["refused"]?.string.flatMap { RelayRefusal(rawValue: $0) } ?? .failed)
    }

    private func proof() throws(Incomplete) -> RelayFrame {
        let proof = try bytes("proof")
        guard proof.count == Challenge.proofSize else { throw Incomplete() }
        return .proof(proof)
    }

    private func acknowledge() throws(Incomplete) -> RelayFrame {
        let texts = value["ack"]?.elements ?? []
        guard (1...RelayFrame.window).contains(texts.count) else { throw Incomplete() }
        var ids: [MessageID] = []
        for text in texts { ids.append(try id(text)) }
        return .acknowledge(ids)
    }
}
