/// An IP address. Private to this machine: it does not belong into a log.
public struct IPAddress: Hashable, Sendable {
    /// 4 bytes, or 16, the first one first.
    public let bytes: [UInt8]

    /// `nil` unless there are 4 bytes or 16. IPv4 in the form of IPv6 is IPv4.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        let isMapped =
            bytes.count == 16 && bytes[..<10].allSatisfy { $0 == 0 }
            && bytes[10...11].allSatisfy { $0 == 0xff }
        self.bytes = isMapped ? Array(bytes[12...]) : bytes
    }

    /// Whether it is IPv4.
    public var isFour: Bool { bytes.count == 4 }
}

/// An IP address of this machine, and the network around it.
public struct IPNetwork: Hashable, Sendable {
    public let address: IPAddress
    /// Bits that all addresses of the network share.
    public let prefix: Int

    public init(_ address: IPAddress, prefix: Int) {
        self.address = address
        self.prefix = max(0, min(prefix, address.bytes.count * 8))
    }

    /// Whether the address is of this network.
    public func contains(_ other: IPAddress) -> Bool {
        guard other.bytes.count == address.bytes.count else { return false }
        let (whole, rest) = (prefix / 8, prefix % 8)
        guard other.bytes[..<whole] == address.bytes[..<whole] else { return false }
        guard rest > 0 else { return true }
        return (other.bytes[whole] ^ address.bytes[whole]) >> UInt8(8 - rest) == 0
    }
}
