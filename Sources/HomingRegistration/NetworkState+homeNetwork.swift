public import HomeAssistantAPI
internal import HomingBase
public import HomingMachine

extension NetworkState {
    /// The present network as a home network, and its name for people; `nil` where NetworkManager is
    /// not there or the network is neither Wi-Fi with a name nor a cable.
    public var asHomeNetwork: (network: Registration.HomeNetwork, name: String)? {
        guard case .known(let network) = self else { return nil }
        switch network.primary {
        case .wifi(let ssid?, _): return (Registration.HomeNetwork(ssid: ssid), SafeText.line(ssid))
        case .wired(let id, let uuid):
            return (Registration.HomeNetwork(connection: uuid), SafeText.line(id))
        case .other(let type, let id, let uuid) where PrimaryConnection.cableTypes.contains(type):
            return (Registration.HomeNetwork(connection: uuid), SafeText.line(id))
        case .wifi(nil, _), .other, nil: return nil
        }
    }
}
