import HomingBase
import HomingLocation
import HomingMachine
import Testing

@testable import HomingRuntime
@testable import HomingSensors

/// A machine as it was found: the files of `Machines/NAME`, what D-Bus (`dbus.json` among them) and
/// gpsd said, and how full its file systems were.
struct RecordedMachine: Sendable, CustomTestStringConvertible {
    let name: String
    let state: MachineState
    let spaces: [String: FileSystemSpace]

    static let all = [laptop, raspberryPi]
    static let now = Moment(uptime: 50_000, unixTime: 1_763_730_000)

    var testDescription: String { name }

    /// The folder of its files.
    var folder: String { Self.folder(of: name) }

    private static func folder(of name: String) -> String {
        "\(Repository.root)/Tests/HomingSensorsTests/Machines/\(name)"
    }

    /// - Parameter root: another folder in place of its files'.
    func machine(root: String? = nil, at now: Moment = RecordedMachine.now) -> MachineView {
        MachineView(files: HostFiles(root: root ?? folder), state: state, now: now) { [spaces] in
            spaces[$0]
        }
    }

    /// Everything it has to say, whether that is on by default or not.
    func readings(
        of sensors: [any MachineSensor.Type] = SensorCatalog.sensors, root: String? = nil
    ) -> SensorRound {
        var runner = SensorRunner(sensors, choice: SensorChoice(enable: [SensorChoice.all]))
        return runner.read(.tick, machine(root: root)) { RecordedMachine.now }
    }

    /// A machine that has no files, and of which nobody says anything.
    static let container = RecordedMachine(name: "nothing", state: MachineState(), spaces: [:])
}

extension RecordedMachine {
    /// A ThinkPad with Ubuntu 24.04, on its dock's power, in a video call.
    static let laptop = RecordedMachine(
        name: "laptop", state: laptopState,
        spaces: [
            "/": FileSystemSpace(total: 983e9, free: 512e9, available: 462e9),
            "/boot": FileSystemSpace(total: 1.967e9, free: 1.61e9, available: 1.49e9),
            "/boot/efi": FileSystemSpace(total: 1.124e9, free: 1.118e9, available: 1.118e9),
            "/media/anna/USB STICK": FileSystemSpace(
                total: 15.73e9, free: 2.1e9, available: 2.1e9),
        ])

    private static var laptopState: MachineState {
        var state = RecordedBus(folder: folder(of: "laptop")).state
        state.homing = HomingState(
            version: "0.1.0", waiting: 3, deliveredAt: 1_763_729_950.7, endpoint: "cloudhook")
        state.dataUse = dataUse
        return state
    }

    /// A Raspberry Pi 5 in a van, without a screen, with a receiver and two disks.
    static let raspberryPi = RecordedMachine(
        name: "raspberry-pi", state: raspberryPiState,
        spaces: [
            "/": FileSystemSpace(total: 62.5e9, free: 53.2e9, available: 50e9),
            "/boot/firmware": FileSystemSpace(total: 0.535e9, free: 0.46e9, available: 0.46e9),
            "/srv/archive": FileSystemSpace(total: 500e9, free: 120e9, available: 119e9),
        ])

    private static var raspberryPiState: MachineState {
        var state = RecordedBus(folder: folder(of: "raspberry-pi")).state
        state.fixMode = .threeDimensional
        state.sky = SkyView(used: 9, seen: 17, hdop: 0.94)
        state.fix = Coordinate(latitude: 52.3702, longitude: 4.8952).map {
            Fix(
                coordinate: $0, accuracy: 8.6, time: 1_763_729_999.5, altitude: -3.4, speed: 0,
                course: 271.6)
        }
        state.homing = HomingState(
            version: "0.1.0", endpoint: "instance URL", locationSource: .gpsd)
        state.dataUse = dataUse
        return state
    }

    /// A month on a SIM, with some days on a Wi-Fi network.
    private static var dataUse: DataUse {
        let time = CalendarTime(year: 2025, month: 11, day: 21, secondOfDay: 0)
        var use = DataUse(at: time)
        for (bytes, primary, metered) in [
            (11_240_000, PrimaryConnection.other(type: "gsm", id: "", uuid: ""), true),
            (1_180_000, .wifi(ssid: nil, bssid: nil), false),
        ] {
            let network = NetworkState.Network(
                primary: primary, connectivity: .full, metered: metered)
            use.add(bytes, on: .known(network))
        }
        return use
    }
}
