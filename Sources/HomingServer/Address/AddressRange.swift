/// A range of addresses, such as those of the proxies that are trusted.
public enum AddressRange: Equatable, Sendable {
    /// Addresses whose first `bits` are those of `address`, of 128: IPv4 in the form of IPv6.
    case network(ClientAddress, bits: Int)
    /// Every client of a Unix socket.
    case unix

    /// Reads `10.0.0.0/8`, `fd00::/8`, `192.0.2.1` or `unix`.
    public init?(_ text: String) {
        if text == "unix" {
            self = .unix
            return
        }
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let address = ClientAddress(String(first)) else {
            return nil
        }
        let most = first.contains(":") ? 128 : 32
        var bits = most
        if parts.count == 2 {
            let digits = parts[1].utf8
            guard (1...3).contains(digits.count), digits.allSatisfy({ (48...57).contains($0) }),
                let number = Int(parts[1]), number <= most
            else { return nil }
            bits = number
        }
        self = .network(address, bits: bits + 128 - most)
    }

    /// Whether the range holds every address of IPv4 or of IPv6.
    public var isWhole: Bool {
        guard case .network(let address, let bits) = self else { return false }
        return bits == 0 || (address.isFour && bits <= 96)
    }

    /// Whether the address is in it.
    public func contains(_ client: ClientAddress) -> Bool {
        guard case .network(let address, let bits) = self else { return client.isUnix }
        guard client.isOfNetwork else { return false }
        let high = (client.high ^ address.high) & Self.mask(bits)
        let low = (client.low ^ address.low) & Self.mask(bits - 64)
        return high == 0 && low == 0
    }

    /// The first `bits` of 64 set.
    private static func mask(_ bits: Int) -> UInt64 {
        bits <= 0 ? 0 : bits >= 64 ? .max : ~(.max >> UInt64(bits))
    }
}
