/// Slots of each node of a cluster. A single engine has all slots.
public struct SlotMap: Equatable, Sendable {
    /// Slots of a cluster.
    public static let count = 16_384

    /// A node's slots.
    private struct Part: Equatable, Sendable {
        let slots: ClosedRange<Int>
        let primary: EngineAddress
    }

    /// Nodes that have slots, at the most: as many as the cluster's specification is made for.
    static let nodeLimit = 1000

    private let parts: [Part]
    private let primaries: Set<EngineAddress>

    /// All slots are one node's.
    public init(single node: EngineAddress) {
        parts = [Part(slots: 0...Self.count - 1, primary: node)]
        primaries = [node]
    }

    /// Reads the answer to `CLUSTER SLOTS`; `nil` for another answer, and for one with more than
    /// `nodeLimit` nodes.
    public init?(_ reply: Reply, from node: EngineAddress) {
        guard let rows = reply.array else { return nil }
        var parts: [Part] = []
        for row in rows {
            guard let fields = row.array, fields.count >= 3, let first = fields[0].number,
                let last = fields[1].number, first <= last, (0..<Self.count).contains(first),
                (0..<Self.count).contains(last), let place = fields[2].array, place.count >= 2,
                let port = place[1].number,
                let primary = EngineAddress(
                    host: place[0].string ?? "", port: port, toldBy: node)
            else { return nil }
            parts.append(Part(slots: first...last, primary: primary))
        }
        self.parts = parts.sorted { $0.slots.lowerBound < $1.slots.lowerBound }
        primaries = Set(parts.map(\.primary))
        guard primaries.count <= Self.nodeLimit else { return nil }
    }

    /// The node that has a slot; `nil` where no node has it.
    public func node(of slot: Int) -> EngineAddress? {
        var (low, high) = (0, parts.count)
        while low < high {
            let middle = (low + high) / 2
            if parts[middle].slots.upperBound < slot { low = middle + 1 } else { high = middle }
        }
        guard low < parts.count, parts[low].slots.contains(slot) else { return nil }
        return parts[low].primary
    }

    /// The nodes that have slots, each once.
    public var nodes: [EngineAddress] { primaries.sorted() }

    /// Whether a node has slots.
    func has(_ node: EngineAddress) -> Bool { primaries.contains(node) }

    /// Whether each slot has a node.
    public var isComplete: Bool {
        parts.reduce(0) { $0 == $1.slots.lowerBound ? $1.slots.upperBound + 1 : -1 } == Self.count
    }

    /// The slot of a key. A text in the first braces decides; else the whole key does.
    public static func slot(of key: [UInt8]) -> Int {
        var part = key[...]
        if let open = key.firstIndex(of: UInt8(ascii: "{")),
            let close = key[(open + 1)...].firstIndex(of: UInt8(ascii: "}")), close > open + 1
        {
            part = key[(open + 1)..<close]
        }
        return Int(crc(part)) % count
    }

    /// CRC-16/XMODEM, as the specification of the cluster says.
    private static func crc(_ bytes: ArraySlice<UInt8>) -> UInt16 {
        bytes.reduce(UInt16(0)) { sum, byte in
            var sum = sum ^ UInt16(byte) << 8
            for _ in 0..<8 { sum = sum & 0x8000 != 0 ? sum << 1 ^ 0x1021 : sum << 1 }
            return sum
        }
    }
}

/// The redirection or retry that an engine's error asks for.
public enum Redirection: Equatable, Sendable {
    /// The slot has moved to that node. Ask that node, and learn the slots again.
    case moved(EngineAddress)
    /// Ask that node this once, after `ASKING`.
    case ask(EngineAddress)
    /// Try again soon: a slot or a primary is on its way.
    case later
    /// The script is not known there.
    case noScript

    /// Reads an error; `nil` for one that is to be told.
    public init?(_ error: String, from node: EngineAddress) {
        let words = error.split(separator: " ")
        switch words.first {
        case "MOVED", "ASK":
            guard words.count >= 3, let other = EngineAddress(told: words[2], by: node) else {
                return nil
            }
            self = words[0] == "MOVED" ? .moved(other) : .ask(other)
        case "TRYAGAIN", "CLUSTERDOWN", "LOADING", "MASTERDOWN", "READONLY": self = .later
        case "NOSCRIPT": self = .noScript
        default: return nil
        }
    }
}
