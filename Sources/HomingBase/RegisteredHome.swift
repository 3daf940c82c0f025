/// A home of this machine that has a registration.
///
/// Home Assistant forgets this registration when the machine registers again as the same device. So
/// no other home may register there as this device.
public struct RegisteredHome: Equatable, Sendable {
    public let name: String
    /// The address of the home's Home Assistant. The address is not secret.
    public let url: String

    public init(_ name: String, at url: String) {
        self.name = name
        self.url = url
    }

    /// Whether that address, as typed, leads to the Home Assistant of this home.
    private func isAt(_ address: String) -> Bool {
        let typed = address.contains("://") ? address : "http://\(address)"
        return WebAddress(typed).map { $0 == WebAddress(url) } ?? false
    }

    /// Whether another home may not register at that address as the same device.
    ///
    /// - Parameter present: the address of the other home's own registration, which the home may renew.
    public func hinders(_ address: String, from present: String?) -> Bool {
        isAt(address) && !(present.map(isAt) ?? false)
    }

    /// The error for another home that registers at this address.
    public var refusal: String { "the home \(name) reports to \(url) already" }

    /// The advice with the error.
    public static let hint = "to be another device there, add --new"
}
