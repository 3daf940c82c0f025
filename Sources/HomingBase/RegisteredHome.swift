/// A home of this machine that has a registration.
///
/// Home Assistant forgets this registration when the machine registers again as the same device. So
/// no other home may register there as this device.
public struct RegisteredHome: Equatable, Sendable {
    public let name: String
    /// The address of the home's Home Assistant; `nil` where the registration cannot be read. The
    /// address is not secret.
    public let url: String?

    public init(_ name: String, at url: String?) {
        self.name = name
        self.url = url
    }

    /// Whether another home may not register at that address as the same device. An address that is
    /// not known may be this address.
    ///
    /// - Parameter present: the address of the other home's own registration, which the home may renew.
    public func hinders(_ address: String, from present: String?) -> Bool {
        guard let typed = Self.parts(address), typed != present.flatMap(Self.parts) else {
            return false
        }
        return url.map { Self.parts($0) == typed } ?? true
    }

    /// The parts of an address, as typed.
    private static func parts(_ address: String) -> WebAddress? {
        WebAddress(address.contains("://") ? address : "http://\(address)")
    }

    /// The error for another home that registers at this address.
    public var refusal: String {
        url.map { "the home \(name) reports to \($0) already" }
            ?? "the address of the home \(name) cannot be read, and may be the same"
    }

    /// The advice with the error.
    public static let hint = "to be another device there, add --new"
}
