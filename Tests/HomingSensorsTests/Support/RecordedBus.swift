import HomingJSON
import HomingMachine
import HomingRuntime
import HomingSensors

/// Recording of what services said on D-Bus on a machine: `Machines/NAME/dbus.json`. A service that
/// is not there did not run. The end-to-end tests play the same file on a bus
/// (Tests/rigs/homing_rigs/bus_recorded.py).
struct RecordedBus: Decodable {
    struct Network: Decodable {
        struct WiFi: Decodable {
            let connection, ssid, bssid: String
            let strength, frequency: Int
        }

        let connectivity: String
        let metered: Bool
        /// Whether there is a Wi-Fi device.
        let radio: Bool
        let wifi: WiFi?
        /// The connection's name.
        let wired: String?
        /// Types by the names of the connections.
        let tunnels: [String: String]
    }

    struct Power: Decodable {
        struct Part: Decodable {
            let name, model: String
            /// UPower's number.
            let state: Int
            let charge, rate, capacity: Double
            let temperature: Double?
            let cycles: Int?
        }

        let charge: Double
        /// Whether the machine runs on it.
        let battery: Bool
        let batteries: [Part]
    }

    struct Session: Decodable {
        let user: String
        let uid: UInt32
        let type: String
        let remote, active: Bool
    }

    struct Player: Decodable {
        let name, status: String
        let title, artist, album: String?
    }

    let network: Network?
    let power: Power?
    let profile: String?
    let sessions: [Session]?
    let players: [Player]?

    /// The recording in a machine's folder.
    init(folder: String) {
        do {
            let bytes = try AtomicFile.read("\(folder)/dbus.json")
            self = try JSON.decode(RecordedBus.self, from: bytes)
        } catch {
            fatalError("\(folder)/dbus.json: \(error)")
        }
    }

    /// State that the sources make of the recording.
    var state: MachineState {
        var state = MachineState()
        if let network {
            state.network = .known(network.state)
            state.details = network.details
        }
        if let power {
            state.power = PowerState(batteryPercentage: power.charge, onBattery: power.battery)
            state.batteries = power.batteries.map(\.battery)
        }
        state.powerProfile = profile
        state.sessions = sessions?.map(\.session)
        state.media = players?.map(\.player)
        return state
    }
}

extension RecordedBus.Network {
    fileprivate var state: NetworkState.Network {
        let primary =
            wired.map { PrimaryConnection.wired(id: $0, uuid: "recorded") }
            ?? wifi.map { .wifi(ssid: $0.ssid, bssid: $0.bssid) }
        return NetworkState.Network(
            primary: primary, connectivity: Connectivity(rawValue: connectivity) ?? .unknown,
            metered: metered)
    }

    fileprivate var details: NetworkDetails {
        NetworkDetails(
            hasWiFi: radio,
            wifi: wifi.map {
                NetworkDetails.WiFi(
                    ssid: $0.ssid, bssid: $0.bssid, quality: $0.strength, frequency: $0.frequency)
            },
            connection: wired ?? wifi?.connection, vpns: tunnels.keys.sorted())
    }
}

extension RecordedBus.Power.Part {
    fileprivate var battery: Battery {
        Battery(
            name: name, model: model, state: Battery.State(rawValue: state) ?? .unknown,
            percentage: charge, rate: rate, capacity: capacity, temperature: temperature,
            cycles: cycles)
    }
}

extension RecordedBus.Session {
    fileprivate var session: UserSession {
        UserSession(
            user: user, isLocal: !remote, isGraphical: ["wayland", "x11"].contains(type),
            isActive: active, userID: uid)
    }
}

extension RecordedBus.Player {
    fileprivate var player: MediaPlayer {
        MediaPlayer(
            name: name, isPlaying: status == "Playing", title: title, artist: artist, album: album)
    }
}
