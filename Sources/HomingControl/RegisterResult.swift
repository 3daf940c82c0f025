/// The result of `register`.
public struct RegisterResult: Codable, Equatable, Sendable {
    public var deviceName: String
    public var encrypted: Bool
    /// The network that was recorded as home, in people's words.
    public var home: String?
    /// Why nothing can be sent from the present network, in people's words.
    public var noWay: String?

    public init(deviceName: String, encrypted: Bool, home: String?, noWay: String? = nil) {
        self.deviceName = deviceName
        self.encrypted = encrypted
        self.home = home
        self.noWay = noWay
    }
}
