import HomeAssistantAPI
import HomingBus
internal import HomingDoctor
import HomingMachine
import HomingRegistration

/// The network this machine is on, asked of NetworkManager once.
enum PrimaryNetwork {
    /// The network as a home network, and its name for people.
    static func read() -> (network: Registration.HomeNetwork, name: String)? {
        state().asHomeNetwork
    }

    /// What NetworkManager says of the network.
    static func state() -> NetworkState {
        guard let bus = try? BlockingBus(.system) else { return .unknown }
        return NetworkManagerProbe(bus: bus).read()
    }
}
