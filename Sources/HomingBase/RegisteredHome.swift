/// A home of this machine that has a registration. A second home at the same address is most often a
/// mistake.
public struct RegisteredHome: Equatable, Sendable {
    public let name: String
    /// The address of the home's Home Assistant; `nil` where the registration cannot be read. The
    /// address is not secret.
    public let url: String?

    public init(_ name: String, at url: String?) {
        self.name = name
        self.url = url
    }

    /// Whether this home has that address, and the other home that is to register there has not.
    ///
    /// - Parameter present: the address of the other home's own registration, which the home may renew.
    public func hinders(_ address: String, from present: String?) -> Bool {
        guard let url, Self.isSameAddress(url, address) else { return false }
        return !(present.map { Self.isSameAddress($0, address) } ?? false)
    }

    /// Whether two addresses have the same scheme, host and port.
    public static func isSameAddress(_ one: String, _ other: String) -> Bool {
        guard let parts = parts(one) else { return false }
        return parts == Self.parts(other)
    }

    /// The parts of an address, as typed.
    private static func parts(_ address: String) -> WebAddress? {
        WebAddress(address.holds("://") ? address : "http://\(address)")
    }

    /// The error that says where this home is registered.
    public var refusal: String { "the home \"\(name)\" reports to \(url ?? "") already" }

    /// The advice with the error.
    public static let hint = "to be another device there, add --new"

    /// The advice for who wants a further home.
    public static let hintOfAdding = "to add a home: homing setup --home NAME"
}
