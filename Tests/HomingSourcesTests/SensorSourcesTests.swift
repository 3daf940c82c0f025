import Glibc
import HomingMachine
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingBus
@testable import HomingSources

/// The sources that only sensors listen to, on a bus of their own.
@Suite(.serialized) struct SensorSourcesTests {
    private let facts: FactRecorder
    private let privateBus: PrivateBus

    init() async throws {
        TestLoop.start()
        facts = FactRecorder()
        privateBus = try await PrivateBus()
    }

    /// The private bus, opened, and a source on it, started.
    @LoopActor private func start<Made: Source>(
        _ make: (Bus) -> Made
    ) -> (bus: Bus, source: Made) {
        let bus = Bus(
            .at(privateBus.address), rhythm: .patient(quick: 0.2, patience: 120, slow: 60),
            clock: SystemClock())
        let source = make(bus)
        source.start()
        bus.open()
        return (bus, source)
    }

    private func battery(
        _ name: String, percentage: Double = 50, state: Battery.State = .discharging,
        cycles: Int? = nil
    ) -> Battery {
        Battery(
            name: name, model: "M-\(name)", state: state, percentage: percentage, rate: 7.5,
            capacity: 90, cycles: cycles)
    }

    @Test("batteries are followed as they come, change and go; a mouse's is not the machine's")
    @LoopActor func batteries() async throws {
        let upower = try await privateBus.mock("upower")
        try await upower("add BAT0 2")
        let (bus, source) = start { ObjectsSource.batteries(bus: $0, deliver: facts.deliver) }
        try await facts.next(.batteries([battery("BAT0")]))
        try await upower("add mouse 5 no")
        try await upower("add hid 2 no")
        try await upower("add BAT1 2")
        try await facts.next(.batteries([battery("BAT0"), battery("BAT1")]))
        try await upower("change BAT0 State 4")
        try await upower("change BAT0 Percentage 100")
        try await upower("change BAT0 ChargeCycles 12")
        let full = battery("BAT0", percentage: 100, state: .full, cycles: 12)
        try await facts.next(.batteries([full, battery("BAT1")]))
        try await upower("remove BAT1")
        try await facts.next(.batteries([full]))
        upower.stop()
        try await facts.next(.batteries(nil))
        source.shutdown()
        bus.shutdown()
    }

    @Test("without UPower there are no batteries to speak of, until it comes; the bus may go too")
    @LoopActor func comings() async throws {
        let (bus, source) = start { ObjectsSource.batteries(bus: $0, deliver: facts.deliver) }
        try await facts.next(.batteries(nil))
        let upower = try await privateBus.mock("upower")
        try await upower("add BAT0 2")
        try await facts.next(.batteries([battery("BAT0")]))
        privateBus.stop()
        try await facts.next(.batteries(nil))
        try await privateBus.start()
        let another = try await privateBus.mock("upower")
        try await facts.next(.batteries([]))
        try await another("add UPS 3")
        try await facts.next(.batteries([battery("UPS")]))
        source.shutdown()
        try await another("remove UPS")
        await Watch.pause(0.2)
        #expect(facts.seen.last == .batteries([battery("UPS")]), "nothing after the end")
        bus.shutdown()
    }

    private func session(
        _ user: String, isLocal: Bool = true, isGraphical: Bool = true, isLocked: Bool = false,
        isIdle: Bool = false
    ) -> UserSession {
        UserSession(
            user: user, isLocal: isLocal, isGraphical: isGraphical, isActive: true,
            isLocked: isLocked, isIdle: isIdle, userID: 1000)
    }

    @Test(
        "sessions are followed as they come, are locked and left alone, and go; a greeter is none")
    @LoopActor func sessions() async throws {
        let logind = try await privateBus.mock("logind")
        let (bus, source) = start { ObjectsSource.sessions(bus: $0, deliver: facts.deliver) }
        try await facts.next(.sessions([]))
        try await logind("add c1 gdm wayland seat0 greeter")
        try await logind("add s2 anna wayland")
        try await facts.next(.sessions([session("anna")]))
        try await logind("add s3 berta tty none")
        let far = session("berta", isLocal: false, isGraphical: false)
        try await facts.next(.sessions([session("anna"), far]))
        try await logind("change s2 LockedHint yes")
        try await facts.next(.sessions([session("anna", isLocked: true), far]))
        try await logind("change s2 LockedHint no")
        try await logind("change s2 IdleHint yes")
        try await facts.next(.sessions([session("anna", isIdle: true), far]))
        try await logind("change s3 State closing")
        try await facts.next(.sessions([session("anna", isIdle: true)]))
        try await logind("remove s2")
        try await facts.next(.sessions([]))
        logind.stop()
        try await facts.next(.sessions(nil))
        source.shutdown()
        bus.shutdown()
    }

    @Test(
        "the power profile is followed by either name of its daemon",
        arguments: ["power-profiles", "power-profiles-old"])
    @LoopActor func powerProfile(_ daemon: String) async throws {
        let (bus, source) = start { ObjectsSource.powerProfile(bus: $0, deliver: facts.deliver) }
        try await facts.next(.powerProfile(nil))
        let profiles = try await privateBus.mock(daemon)
        try await facts.next(.powerProfile("balanced"))
        try await profiles("profile power-saver")
        try await facts.next(.powerProfile("power-saver"))
        profiles.stop()
        try await facts.next(.powerProfile(nil))
        source.shutdown()
        bus.shutdown()
    }

    @Test("media players are followed as they come, play, pause and go")
    @LoopActor func media() async throws {
        let first = try await privateBus.mock("player:first")
        let (bus, source) = start { ObjectsSource.media(bus: $0, deliver: facts.deliver) }
        let stopped = MediaPlayer(name: "first", isPlaying: false)
        try await facts.next(.media([stopped]))
        try await first("play Title Artist Album")
        let playing = MediaPlayer(
            name: "first", isPlaying: true, title: "Title", artist: "Artist", album: "Album")
        try await facts.next(.media([playing]))
        let second = try await privateBus.mock("player:second.instance7")
        let other = MediaPlayer(name: "second.instance7", isPlaying: false)
        try await facts.next(.media([playing, other]))
        try await first("pause")
        var paused = playing
        paused.isPlaying = false
        try await facts.next(.media([paused, other]))
        second.stop()
        try await facts.next(.media([paused]))
        privateBus.stop()
        try await facts.next(.media(nil))
        source.shutdown()
        bus.shutdown()
    }

    @Test("a song of megabytes is kept up to the bounds of its fields, and a plain one follows")
    @LoopActor func floodingMedia() async throws {
        let player = try await privateBus.mock("player:first")
        let (bus, source) = start { ObjectsSource.media(bus: $0, deliver: facts.deliver) }
        try await facts.next(.media([MediaPlayer(name: "first", isPlaying: false)]))
        try await player("flood")
        let title = "Title " + String(repeating: "x", count: Bound.name - 6)
        let long = String(repeating: "x", count: Bound.name)
        try await facts.next(
            .media([
                MediaPlayer(
                    name: "first", isPlaying: false, title: title, artist: long, album: long)
            ]))
        try await player("play Title Artist Album")
        let plain = MediaPlayer(
            name: "first", isPlaying: true, title: "Title", artist: "Artist", album: "Album")
        try await facts.next(.media([plain]))
        source.shutdown()
        bus.shutdown()
        privateBus.stop()
    }

    @Test("a session bus is where the environment says, and nowhere else")
    func sessionBus() throws {
        let folder = try TemporaryFolder()
        var environment: [String: String] = [:]
        let address = { Bus.sessionAddress { environment[$0] } }
        #expect(address() == nil)
        environment["XDG_RUNTIME_DIR"] = folder.path
        #expect(address() == nil, "there is no socket")
        try folder.write("", to: "bus")
        #expect(address() == "unix:path=\(folder.path)/bus")
        environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=/x"
        #expect(address() == "unix:path=/x")
        environment = ["DBUS_SESSION_BUS_ADDRESS": ""]
        #expect(address() == nil)
    }

    @Test("NetworkManager's details are followed: access point, name and tunnels")
    @LoopActor func networkDetails() async throws {
        let manager = try await privateBus.mock("networkmanager")
        let recorder = Recorder()
        let (bus, source) = start {
            NetworkManagerSource(
                bus: $0, clock: SystemClock(),
                deliver: {
                    recorder.deliver($0)
                    facts.deliver($0)
                })
        }
        try await facts.next(.networkDetails(NetworkDetails(hasWiFi: true)))
        try await manager("wifi 486f6d65 02:00:00:00:0a:01")
        var details = NetworkDetails(
            hasWiFi: true,
            wifi: NetworkDetails.WiFi(
                ssid: "Home", bssid: "02:00:00:00:0A:01", quality: 70, frequency: 5180),
            connection: "Wi-Fi")
        try await facts.next(.networkDetails(details))
        try await manager("strength 33")
        try await manager("wireguard office 1")
        try await manager("tunnel_state 2")
        details.vpns = ["office"]
        details.wifi?.quality = 33
        try await facts.next(.networkDetails(details))
        #expect(source.refresh() == source.current)
        try await manager("tunnel_state 3")
        details.vpns = []
        try await facts.next(.networkDetails(details))
        try await manager("strength 10")
        let count = facts.seen.count
        await Watch.pause(0.2)
        #expect(facts.seen.count == count, "the signal alone is no news")
        source.refresh()
        details.wifi?.quality = 10
        try await facts.next(.networkDetails(details))
        manager.stop()
        try await facts.next(.networkDetails(nil))
        source.shutdown()
        bus.shutdown()
    }
}
