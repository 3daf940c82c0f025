internal import Glibc

/// Address of a client, without its port. The address does not print itself.
public struct ClientAddress: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// The first 64 bits of an IPv6 address, which is what IPv4 is mapped into.
    let high: UInt64
    /// The other 64 bits.
    let low: UInt64
    private let kind: Kind

    private enum Kind: UInt8 {
        case network, unix, unreadable
    }

    /// A client of a Unix socket, which has no address.
    public static let unix = ClientAddress(high: 0, low: 0, .unix)
    /// All clients whose address a trusted proxy did not write in a form that can be read.
    public static let unreadable = ClientAddress(high: 0, low: 0, .unreadable)

    private init(high: UInt64, low: UInt64, _ kind: Kind = .network) {
        (self.high, self.low, self.kind) = (high, low, kind)
    }

    /// Whether it is the client of a Unix socket.
    public var isUnix: Bool { kind == .unix }

    /// Whether it has an address.
    var isOfNetwork: Bool { kind == .network }

    /// An IPv4 address.
    init(_ four: in_addr) {
        self.init(high: 0, low: 0xffff_0000_0000 | UInt64(UInt32(bigEndian: four.s_addr)))
    }

    /// An IPv6 address.
    init(_ six: in6_addr) {
        let (high, low) = withUnsafeBytes(of: six) {
            (
                $0.loadUnaligned(as: UInt64.self),
                $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
            )
        }
        self.init(high: UInt64(bigEndian: high), low: UInt64(bigEndian: low))
    }

    /// Reads `192.0.2.1` or `2001:db8::1`; neither a name nor a port.
    public init?(_ text: String) {
        var six = in6_addr()
        var four = in_addr()
        if text.utf8.contains(0) {
            return nil
        } else if inet_pton(AF_INET, text, &four) == 1 {
            self.init(four)
        } else if inet_pton(AF_INET6, text, &six) == 1 {
            self.init(six)
        } else {
            return nil
        }
    }

    /// Whether it is IPv4, or IPv4 in the form of IPv6.
    public var isFour: Bool { isOfNetwork && high == 0 && low >> 32 == 0xffff }

    /// Whether the client is on this machine, by its address.
    public var isLoopback: Bool {
        isUnix || (isFour ? low >> 24 & 0xff == 127 : high == 0 && low == 1)
    }

    /// Addresses that count as one client: an address of IPv4, a network of 64 bits of IPv6.
    public var group: ClientAddress {
        !isOfNetwork || isFour ? self : ClientAddress(high: high, low: 0)
    }

    /// Says nothing of the address.
    public var description: String {
        switch kind {
        case .network: isFour ? "an IPv4 client" : "an IPv6 client"
        case .unix: "a client of a Unix socket"
        case .unreadable: "a client whose address a proxy did not write"
        }
    }

    public var customMirror: Mirror { Mirror(self, children: []) }
}
