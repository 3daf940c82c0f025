import HomingLocation
import HomingMachine
import HomingTestKit
import Testing

@testable import HomingRuntime
@testable import HomingSensors

/// Readings of single sensors on machines other than the recorded ones.
@Suite struct SensorTests {
    private let folder: TemporaryFolder
    private let now = Moment(uptime: 1000, unixTime: 1_763_730_000)

    init() throws { folder = try TemporaryFolder() }

    /// Reads a sensor, and returns its readings as text.
    private func say<Sensor: MachineSensor>(
        _ sensor: inout Sensor, _ state: MachineState = MachineState()
    ) throws -> [String] {
        let machine = MachineView(
            files: HostFiles(root: folder.path), state: state, now: now,
            space: { _ in FileSystemSpace(total: 100, free: 50, available: 40) })
        return try sensor.read(machine).map { "\($0.sensor.uniqueID) \(text(of: $0.state))" }
    }

    private func say<Sensor: MachineSensor>(
        _ type: Sensor.Type, _ change: (inout MachineState) -> Void = { _ in }
    ) throws -> [String] {
        var (sensor, state) = (type.init(), MachineState())
        change(&state)
        return try say(&sensor, state)
    }

    @Test("one battery has the plain ids alone")
    func oneBattery() throws {
        let change = { (state: inout MachineState) in
            state.power = PowerState(batteryPercentage: 55.6, onBattery: true)
            state.batteries = [
                Battery(name: "BAT0", state: .discharging, percentage: 55.6, rate: 7, capacity: 90)
            ]
        }
        #expect(
            try say(BatterySensor.self, change) == [
                "battery_level 56", "battery_state \"discharging\"", "is_charging false",
                "battery_power -7.0", "battery_health 90", "on_ac false",
            ])
    }

    @Test("several batteries are told as one under the plain ids, and each by its level")
    func twoBatteries() throws {
        let laptop = { (state: inout MachineState) in state = RecordedMachine.laptop.state }
        let charging = try say(BatterySensor.self, laptop)
        #expect(
            charging.prefix(6) == [
                "battery_level 87", "battery_level_bat0 92", "battery_level_bat1 80",
                "battery_state \"charging\"", "is_charging true", "battery_power 14.2",
            ])
        let unplugged = { (state: inout MachineState) in
            state = RecordedMachine.laptop.state
            state.batteries?[0].state = .discharging
            state.batteries?[1].state = .discharging
            state.batteries?[1].rate = 5.77
        }
        let giving = try say(BatterySensor.self, unplugged)
        #expect(giving.contains("battery_power -20.0"))
        #expect(giving.contains("battery_state \"discharging\""))
    }

    @Test(
        "what several batteries do is what one of them does, if it is not all full",
        arguments: [
            ([Battery.State.charging, .full], "\"charging\""),
            ([.discharging, .full], "\"discharging\""), ([.empty, .unknown], "\"discharging\""),
            ([.full, .full], "\"full\""), ([.full, .pendingCharge], "\"not_charging\""),
            ([.unknown], "null"),
        ])
    func batteryStates(_ states: [Battery.State], _ expected: String) throws {
        let said = try say(BatterySensor.self) { state in
            state.batteries = states.map { Battery(name: "B", state: $0) }
        }
        #expect(said.first == "battery_state \(expected)")
    }

    @Test("the icon follows the charge")
    func batteryIcons() throws {
        var sensor = BatterySensor()
        var state = MachineState()
        let expected: [(Double, Battery.State, String)] = [
            (0, .discharging, "mdi:battery-outline"), (9.9, .discharging, "mdi:battery-outline"),
            (10, .discharging, "mdi:battery-10"), (99.9, .full, "mdi:battery-90"),
            (100, .full, "mdi:battery"), (100, .charging, "mdi:battery-charging-100"),
            (5, .charging, "mdi:battery-charging-outline"),
            (55, .charging, "mdi:battery-charging-50"),
            (.nan, .charging, "mdi:battery-unknown"),
        ]
        for (charge, battery, icon) in expected {
            state.power = PowerState(batteryPercentage: charge, onBattery: false)
            state.batteries = [Battery(name: "BAT0", state: battery)]
            let machine = MachineView(files: HostFiles(root: folder.path), state: state, now: now)
            #expect(try sensor.read(machine).first?.icon == icon, "\(charge) \(battery)")
        }
    }

    @Test("without Wi-Fi there is no SSID; with Wi-Fi and no network it is not connected")
    func wifi() throws {
        let others = ["connection_name \"No Connection\"", "vpn false"]
        #expect(try say(NetworkSensor.self) { $0.details = NetworkDetails() } == others)
        let off = { (state: inout MachineState) in state.details = NetworkDetails(hasWiFi: true) }
        #expect(
            try say(NetworkSensor.self, off)
                == ["ssid \"Not Connected\"", "bssid \"Not Connected\""] + others)
        let hidden = { (state: inout MachineState) in
            state.details = NetworkDetails(
                hasWiFi: true,
                wifi: NetworkDetails.WiFi(ssid: nil, bssid: "02", quality: 150, frequency: 0))
        }
        #expect(try say(NetworkSensor.self, hidden) == ["ssid null", "bssid \"02\""] + others)
        #expect(try say(WiFiSignalSensor.self, hidden) == ["wifi_signal_quality 100"])
    }

    @Test(
        "the type of connection is the companion apps' word for it",
        arguments: [
            (PrimaryConnection?.none, "No Connection"), (.wifi(ssid: nil, bssid: nil), "Wi-Fi"),
            (.wired(id: "a", uuid: "b"), "Ethernet"),
            (.other(type: "gsm", id: "c", uuid: "d"), "Cellular"),
            (.other(type: "bridge", id: "c", uuid: "d"), "Ethernet"),
            (.other(type: "wireguard", id: "c", uuid: "d"), "VPN"),
            (.other(type: "infiniband", id: "c", uuid: "d"), "infiniband"),
        ])
    func connection(_ primary: PrimaryConnection?, _ word: String) throws {
        let said = try say(NetworkSensor.self) {
            $0.network = .known(
                NetworkState.Network(primary: primary, connectivity: .full, metered: false))
        }
        #expect(said == ["connection_type \"\(word)\"", "metered false"])
    }

    @Test("the use of the processors is that since the last reading")
    func cpuUsage() throws {
        var sensor = CPUUsageSensor()
        try folder.write("cpu  100 0 100 700 100 0 0 0 0 0\n", to: "proc/stat")
        #expect(try say(&sensor) == ["cpu_usage 20.0"])
        try folder.write("cpu  190 0 100 710 100 0 0 0 0 0\n", to: "proc/stat")
        #expect(try say(&sensor) == ["cpu_usage 90.0"])
        #expect(try say(&sensor) == ["cpu_usage 90.0"], "no time has passed: the last one stands")
        try folder.write("cpu  190 0 100 820 90 0 0 0 0 0\n", to: "proc/stat")
        #expect(try say(&sensor) == ["cpu_usage 0.0"], "idle time may seem to run backwards")
    }

    @Test("the start of the machine does not move with each step of the clock")
    func lastReboot() throws {
        var sensor = LastRebootSensor()
        let expected = [
            (1_763_000_000, "2025-11-13T02:13:20Z"), (1_763_000_060, "2025-11-13T02:13:20Z"),
            (1_763_000_061, "2025-11-13T02:14:21Z"), (1_763_000_001, "2025-11-13T02:14:21Z"),
        ]
        for (time, text) in expected {
            try folder.write("cpu 1 2 3 4\nbtime \(time)\n", to: "proc/stat")
            #expect(try say(&sensor) == ["last_reboot \"\(text)\""])
        }
    }

    @Test("a processor without a driver of its own has the temperature of its thermal zone")
    func thermalZone() throws {
        try folder.write("acpitz\n", to: "sys/class/thermal/thermal_zone0/type")
        try folder.write("20000\n", to: "sys/class/thermal/thermal_zone0/temp")
        try folder.write("cpu0-thermal\n", to: "sys/class/thermal/thermal_zone10/type")
        try folder.write("45123\n", to: "sys/class/thermal/thermal_zone10/temp")
        #expect(try say(CPUTemperatureSensor.self) == ["cpu_temperature 45.1"])
    }

    @Test("of an AMD processor Tdie counts before Tctl, and two chips alike are told apart")
    func chips() throws {
        for (chip, label) in [("hwmon1", "Tctl"), ("hwmon10", "Tctl")] {
            try folder.write("k10temp\n", to: "sys/class/hwmon/\(chip)/name")
            try folder.write("60000\n", to: "sys/class/hwmon/\(chip)/temp1_input")
            try folder.write("\(label)\n", to: "sys/class/hwmon/\(chip)/temp1_label")
        }
        try folder.write("40000\n", to: "sys/class/hwmon/hwmon1/temp2_input")
        try folder.write("Tdie\n", to: "sys/class/hwmon/hwmon1/temp2_label")
        #expect(try say(CPUTemperatureSensor.self) == ["cpu_temperature 40.0"])
        #expect(
            try say(HardwareMonitorSensor.self) == [
                "hwmon_temperature_k10temp_tctl 60.0", "hwmon_temperature_k10temp_tdie 40.0",
                "hwmon_temperature_k10temp_2_tctl 60.0",
            ])
    }

    @Test("subvolumes and bind mounts count once, and nothing behind a network is asked")
    func mounts() throws {
        try folder.write(
            """
            29 1 0:26 /@ / rw,relatime shared:1 - btrfs /dev/nvme0n1p3 rw,subvolid=256
            44 29 0:26 /@home /home rw,relatime shared:29 - btrfs /dev/nvme0n1p3 rw,subvolid=257
            45 29 0:60 / /net rw,relatime - autofs /etc/auto.net rw,fd=6
            46 45 8:1 / /net/box/disk rw - ext4 /dev/sda1 rw
            47 29 0:61 / /home/anna/cloud rw - fuse.sshfs anna@x: rw
            48 29 8:2 / /network\\040drive\\134 rw shared:1 master:2 - xfs /dev/sda2 rw
            49 29 0:62 / /mnt/win rw - fuseblk /dev/sda3 rw
            """, to: "proc/self/mountinfo")
        #expect(
            try Mount.local(HostFiles(root: folder.path)) == [
                Mount(point: "/", type: "btrfs", device: "0:26"),
                Mount(point: "/network drive\\", type: "xfs", device: "8:2"),
            ])
        #expect(
            try say(DiskUsageSensor.self)
                == ["storage 40.0", "disk_usage_root 55.6", "disk_usage_network_drive_ 55.6"])
    }

    @Test("a restart is required when a package says so, or the running kernel was replaced")
    func reboot() throws {
        #expect(try say(RebootRequiredSensor.self).isEmpty)
        try folder.write("", to: "var/lib/dpkg/status")
        #expect(try say(RebootRequiredSensor.self) == ["reboot_required false"])
        try folder.write("6.9.1\n", to: "proc/sys/kernel/osrelease")
        try folder.write("", to: "lib/modules/6.9.1/modules.order")
        #expect(try say(RebootRequiredSensor.self) == ["reboot_required false"])
        try folder.write("6.9.0\n", to: "proc/sys/kernel/osrelease")
        #expect(try say(RebootRequiredSensor.self) == ["reboot_required true"])
        try folder.write("6.9.1\n", to: "proc/sys/kernel/osrelease")
        try folder.write("*** System restart required ***\n", to: "run/reboot-required")
        #expect(try say(RebootRequiredSensor.self) == ["reboot_required true"])
    }

    @Test(
        "somebody is there unless the session in front is locked, idle or far away",
        arguments: [
            (UserSession(user: "a", isLocal: true, isGraphical: true, isActive: true), "true"),
            (
                UserSession(
                    user: "a", isLocal: true, isGraphical: true, isActive: true, isLocked: true),
                "false"
            ),
            (
                UserSession(
                    user: "a", isLocal: true, isGraphical: true, isActive: true, isIdle: true),
                "false"
            ),
            (UserSession(user: "a", isLocal: true, isGraphical: true, isActive: false), "false"),
            (UserSession(user: "a", isLocal: false, isGraphical: false, isActive: true), "false"),
        ])
    func active(_ session: UserSession, _ expected: String) throws {
        let said = try say(SessionSensor.self) { $0.sessions = [session] }
        #expect(said.first == "active \(expected)")
    }

    @Test("a desktop behind another console counts as locked; where there is none, nothing is said")
    func screen() throws {
        let behind = UserSession(user: "a", isLocal: true, isGraphical: true, isActive: false)
        #expect(
            try say(SessionSensor.self) { $0.sessions = [behind] }.suffix(2)
                == ["screen_locked true", "idle true"])
        let console = UserSession(user: "a", isLocal: true, isGraphical: false, isActive: true)
        #expect(
            try say(SessionSensor.self) { $0.sessions = [console] }
                == ["active true", "logged_in_users 1"])
    }

    @Test("a camera that nobody has open is not in use, and without one there is no such sensor")
    func camera() throws {
        try folder.write("0\n", to: "sys/module/uvcvideo/refcnt")
        #expect(try say(CameraSensor.self).isEmpty)
        try folder.write("Cam\n", to: "sys/class/video4linux/video0/name")
        #expect(try say(CameraSensor.self) == ["camera_in_use false"])
        try folder.write("2\n", to: "sys/module/uvcvideo/refcnt")
        #expect(try say(CameraSensor.self) == ["camera_in_use true"])
    }

    @Test("a receiver without a fix knows nothing, and one that is gone is not there")
    func noFix() throws {
        #expect(try say(GPSSensor.self).isEmpty)
        let lost = { (state: inout MachineState) in
            state.fixMode = FixMode.none
            state.fix = Coordinate(latitude: 1, longitude: 1).map {
                Fix(coordinate: $0, accuracy: 5, time: 0)
            }
        }
        #expect(
            try say(GPSSensor.self, lost) == [
                "gps_fix \"none\"", "gps_accuracy null", "gps_speed null", "gps_altitude null",
                "gps_course null", "last_fix \"1970-01-01T00:00:00Z\"",
            ])
    }

    @Test("where nothing plays the media sensor says so, and nothing of what is paused")
    func media() throws {
        #expect(try say(MediaSensor.self).isEmpty)
        let paused = MediaPlayer(name: "vlc", isPlaying: false, title: "Film")
        #expect(
            try say(MediaSensor.self) { $0.media = [paused] }
                == ["media_playing false", "media_title \"None\""])
    }
}
