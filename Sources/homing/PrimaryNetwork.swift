import HomeAssistantAPI
import HomingBus
internal import HomingDoctor
import HomingMachine

/// The network this machine is on, asked of NetworkManager once.
enum PrimaryNetwork {
    /// The network as a home network, and its name for people; `nil` where NetworkManager is not
    /// there or the network is neither Wi-Fi with a name nor a cable.
    static func read() -> (network: Registration.HomeNetwork, name: String)? {
        guard case .known(let network) = state() else { return nil }
        return switch network.primary {
        case .wifi(let ssid?, _): (Registration.HomeNetwork(ssid: ssid), ssid)
        case .wired(let id, let uuid): (Registration.HomeNetwork(connection: uuid), id)
        case .other(let type, let id, let uuid) where PrimaryConnection.cableTypes.contains(type):
            (Registration.HomeNetwork(connection: uuid), id)
        case .wifi(nil, _), .other, nil: nil
        }
    }

    /// What NetworkManager says of the network.
    static func state() -> NetworkState {
        guard let bus = try? BlockingBus(.system) else { return .unknown }
        return NetworkManagerProbe(bus: bus).read()
    }
}
