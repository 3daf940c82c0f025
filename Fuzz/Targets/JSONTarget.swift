internal import HomingJSON

/// Any JSON: what is read is a value that can be written and read again, and what is read
/// exactly is read the same with mending.
final class JSONTarget: FuzzTarget {
    static let name = "json"
    static let longest = 1 << 16

    private static let limits = JSONLimits(bytes: longest, depth: 64, values: 50_000)

    func run(_ input: [UInt8]) throws {
        let value = try? JSON.value(of: input, within: Self.limits)
        let exact = try? JSON.value(of: input, within: Self.limits, exactly: true)
        require(exact == nil || exact == value, "mending changes what needs none")
        let open = JSON.openText(of: "a", in: input)
        require(
            value == nil || open == nil || open == value?["a"]?.string,
            "a text that lies open is read otherwise")
        guard let value else { return }
        require(depth(of: value) <= Self.limits.depth, "deeper than the limit")
        for pretty in [false, true] {
            var text = Array(value.json(pretty: pretty).utf8)
            if faultIsPlanted, text.first == UInt8(ascii: "{") { text.removeLast() }
            let back = try? JSON.value(of: text, exactly: true)
            require(back == value, "a value changes on its way through its text")
        }
    }

    private func depth(of value: JSONValue) -> Int {
        switch value {
        case .array(let elements): 1 + (elements.map { depth(of: $0) }.max() ?? 0)
        case .object(let members): 1 + (members.values.map { depth(of: $0) }.max() ?? 0)
        default: 0
        }
    }
}
