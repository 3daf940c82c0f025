/// `homing homes`.
extension ControlCommand {
    public struct RenameHome: Codable, Equatable, Sendable {
        /// The new name.
        public var to: String

        public init(to: String) { self.to = to }
    }
}

/// The homes of this machine, the first one first.
public struct HomesReport: Codable, Equatable, Sendable {
    public struct Home: Codable, Equatable, Sendable {
        public var name: String
        /// The device's name in Home Assistant; `nil` without a registration.
        public var deviceName: String?
        /// The host of its Home Assistant.
        public var host: String?
        /// Messages of all kinds that wait.
        public var queued: Int

        public init(name: String, deviceName: String?, host: String?, queued: Int) {
            self.name = name
            self.deviceName = deviceName
            self.host = host
            self.queued = queued
        }
    }

    public var homes: [Home]

    public init(homes: [Home]) { self.homes = homes }
}
