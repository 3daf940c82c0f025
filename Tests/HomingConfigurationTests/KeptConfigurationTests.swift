import Glibc
import HomingBase
import HomingConfiguration
import HomingLocation
import HomingPush
import HomingRuntime
import HomingSettings
import HomingTestKit
import Testing

/// A daemon whose configuration became wrong between two starts.
@Suite struct KeptConfigurationTests {
    private let folder: TemporaryFolder
    private let state: TemporaryFolder
    private var path: String { "\(folder.path)/agent.conf" }
    private var kept: KeptConfiguration { KeptConfiguration(state: state.path) }

    init() throws { (folder, state) = (try TemporaryFolder(), try TemporaryFolder()) }

    private func write(_ text: String, to name: String = "agent.conf") throws {
        try folder.write(text, to: name)
    }

    private func keep(at time: Double = 7) throws { try kept.keep(path, explicit: false, at: time) }

    private func load() -> Loaded<Configuration>? {
        kept.load(path, explicit: false, first: "home")?.configuration
    }

    @Test("The last correct files are in use, with drop-ins and homes, whatever stands there now")
    func used() throws {
        try write("[location]\nmin_distance = 7\n")
        try write("[location]\nheartbeat = 77\n", to: "agent.conf.d/50-mine.conf")
        try write("[location]\nmin_distance = 9\n", to: "homes/cabin.conf")
        try keep()
        let correct = try Configuration.table.load(path: path, explicit: false, first: "home").get()
        try write("[location]\nmin_distanse = 8\n")
        try write("[location]\nheartbeat = 88\n", to: "agent.conf.d/50-mine.conf")
        let used = try #require(load())
        #expect(used.main == correct.main && used.main.location.minDistance == 7)
        #expect(used.values(of: "cabin") == correct.values(of: "cabin"))
        #expect(used.values(of: "cabin").location.minDistance == 9)
        #expect(kept.load(path, explicit: false, first: "home")?.time == 7)
    }

    @Test("Without a copy, or with one of another file, or a damaged one, nothing is in use")
    func nothing() throws {
        #expect(load() == nil)
        try write("")
        try keep()
        #expect(load() != nil)
        #expect(kept.load("/etc/homing/agent.conf", explicit: false, first: nil) == nil)
        try state.write("{", to: "configuration.json")
        #expect(load() == nil)
    }

    @Test("A copy that can no longer be used, as its certificate is gone, is not used")
    func unusable() throws {
        let file = try folder.write("x", to: "ca.pem")
        try write("[home_assistant]\nca_file = \(file)\n")
        try keep()
        #expect(load() != nil)
        #expect(unlink(file) == 0)
        #expect(load() == nil)
    }

    @Test("The copy is written only when the files have changed")
    func writtenOnce() throws {
        try write("[location]\nmin_distance = 7\n")
        try keep(at: 1)
        try keep(at: 2)
        #expect(kept.load(path, explicit: false, first: nil)?.time == 1)
        try write("[location]\nmin_distance = 8\n")
        try keep(at: 3)
        #expect(kept.load(path, explicit: false, first: nil)?.time == 3)
    }

    @Test(
        "What the files forbid now is forbidden, though another line is wrong",
        arguments: [
            ("[location]\ntell = exact", "[location]\ntell = zone"),
            ("[location]\ntell = zone", "[location]\ntell = never"),
            ("[geoclue]\nenabled = true", "[geoclue]\nenabled = false"),
            (
                "[home_assistant]\nplain_http_away = true",
                "[home_assistant]\nplain_http_away = false"
            ),
            ("[push]\nmode = always", "[push]\nmode = off"),
            ("[push]\nmode = unmetered", "[push]\nmode = off"),
            ("[push]\nplain_http = home", "[push]\nplain_http = never"),
            ("[push]\ncommands = command_suspend", "[push]\ncommands = command_screen_lock"),
            ("[push]\nrelay_commands = command_suspend", "[push]\nrelay_commands ="),
            ("[push]\nwall = true", "[push]\nwall = false"),
            ("[push]\nhook = a\n[command.a]\nargv = /bin/true", "[command.a]\nargv = /bin/true"),
            (
                "[push]\nhook = a\n[command.a]\nargv = /bin/true",
                "[push]\nhook = a\n[command.a]\nargv = /bin/false"
            ),
            ("[home_network]\nssid = A;B", "[home_network]\nssid = B;C"),
            ("[home_network]\nssid = A", "[home_network]\nssid = C"),
            ("", "[home_network]\nssid = A"), ("[home_network]\nssid = A", ""),
            ("[log]\nlevel = debug", "[log]\nlevel = info"),
            ("[gpsd]\nenabled = true", "[gpsd]\nenabled = false"),
            ("[location]\nbacklog = track", "[location]\nbacklog = latest"),
            ("[push]\nurl = https://r.example/p", ""),
            ("[sensors]\nenable = ip_address", "[sensors]\ndisable = ssid"),
        ])
    func stricter(before: String, now: String) throws {
        try write("\(before)\n")
        try keep()
        let former = try #require(load()).main
        try write("\(now)\n[thrift]\nbudgett = 1\n")
        let used = try #require(load()).main
        try write("\(now)\n")
        let wanted = try Configuration.table.load(path: path, explicit: false).get().main
        #expect(used == former.restricted(by: wanted))
        // Strict, whichever of both came first; and the same again once more.
        #expect(used.location.tell == wanted.restricted(by: former).location.tell)
        #expect(used.restricted(by: wanted) == used)
        #expect(used.push.commands.allSatisfy { wanted.push.commands.contains($0) })
        #expect(used.push.relayCommands.allSatisfy { wanted.push.relayCommands.contains($0) })
        #expect(!used.geoclue.enabled || wanted.geoclue.enabled)
        #expect(!used.homeAssistant.plainHTTPAway || wanted.homeAssistant.plainHTTPAway)
        #expect(used.push.hook == nil || used.commands == wanted.commands)
        #expect(wanted.location.tell != .never || used.location.tell == .never)
        #expect(wanted.push.mode != .off || used.push.mode == .off)
        #expect(wanted.push.plainHTTP != .never || used.push.plainHTTP == .never)
        #expect(!used.push.wall || wanted.push.wall)
        #expect(used.sensors.enable.allSatisfy { wanted.sensors.enable.contains($0) })
        #expect(wanted.sensors.disable.allSatisfy { used.sensors.disable.contains($0) })
        #expect(used.log.level <= wanted.log.level && (!used.gpsd.enabled || wanted.gpsd.enabled))
        #expect(used.push.url == nil || used.push.url == wanted.push.url)
        #expect(
            used.homeNetwork == wanted.homeNetwork || used.namesNetworks,
            "an empty list would leave it to the address")
        if wanted.homeNetwork != Configuration().homeNetwork {
            #expect(used.homeNetwork.ssids.allSatisfy { wanted.homeNetwork.ssids.contains($0) })
        }
    }

    @Test(
        "A line that forbids and has a mistake itself forbids",
        arguments: [
            "[location]\ntell = exact\n[location]\ntell = never",
            "[location]\ntell = never # private",
            "[location]\ntell = \"never\"", "[location]\ntell = nver", "[location]\ntel = never",
            "[Location]\ntell = never", "[location\ntell = never", "[location] x\ntell = never",
        ])
    func mistakeInTheLine(text: String) throws {
        try write("[location]\ntell = exact\n")
        try keep()
        try write("\(text)\n")
        #expect(try #require(load()).main.location.tell == .never)
        try write("")
        try write("\(text)\n", to: "agent.conf.d/50-mine.conf")
        #expect(try #require(load()).main.location.tell == .never)
        try write("\(text)\n", to: "homes/cabin.conf")
        try write("", to: "agent.conf.d/50-mine.conf")
        let used = try #require(load())
        #expect(
            used.values(of: "cabin").location.tell == .never && used.main.location.tell == .exact)
    }

    @Test("Another mistake forbids nothing: the tracker goes on")
    func otherMistake() throws {
        try write("[location]\ntell = exact\n")
        try keep()
        for text in [
            "[location]\nmin_distanse = 5", "[location]\nheartbeat = soon", "x = 1",
            "[log]\nlevle = 1",
        ] {
            try write("\(text)\n")
            let used = try #require(load()).main
            #expect(used.location.tell == .exact && used.gpsd.enabled, "\(text)")
        }
    }

    @Test("Each key permits or discloses and has a strictest value, or is known to do neither")
    func everyKeyIsJudged() throws {
        let free: Set<String> = [
            "home_assistant.ca_file", "home_assistant.client_certificate",
            "home_assistant.client_key",
            "location.max_accuracy", "location.min_distance", "location.heartbeat",
            "location.max_age",
            "location.still_interval", "location.stale_position", "location.batch",
            "location.batch_metered", "gpsd.host", "gpsd.port", "gpsd.device", "geoclue.interval",
            "outbox.max_size", "outbox.durability", "outbox.queue_ttl", "sensors.interval",
            "push.action_expiry", "thrift.mode", "thrift.budget", "thrift.quiet",
        ]
        let token = try folder.write("token", to: "token")
        // Everything is permitted, so that each prohibition shows.
        try write(
            """
            [log]
            level = debug
            [home_assistant]
            use_cloud = true
            instance_url_away = https://ha.example
            plain_http_away = true
            reregister = auto
            [location]
            tell = exact
            backlog = track
            queue_unregistered = true
            [geoclue]
            enabled = true
            [push]
            mode = always
            plain_http = home
            commands = command_suspend
            relay = hold
            relay_commands = command_suspend
            hook = a
            wall = true
            url = https://relay.example/push
            token_file = \(token)
            [command.a]
            argv = /bin/true
            [sensors]
            enable = ip_address
            scripts = /etc

            """)
        let loaded = Configuration.table.load(path: path, explicit: true)
        guard case .success(let all) = loaded else {
            Issue.record("\(loaded)")
            return
        }
        let permitted = all.main
        for section in Configuration.table.sections {
            for key in section.keys.map({ "\(section.name).\($0.name)" }) {
                let isJudged = permitted.restricted(by: permitted, unreadable: [key]) != permitted
                // [place.NAME] and [command.NAME] are sections of any name.
                let name = key.hasPrefix("place.") || key.hasPrefix("command.")
                #expect(isJudged != free.contains(key) || name, "\(key)")
            }
        }
        #expect(
            permitted.restricted(by: permitted, unreadable: ["command.a.argv"]).commands.isEmpty)
    }

    @Test("A folder whose name has letters beyond ASCII keeps its drop-ins and homes")
    func umlauts() throws {
        try write("[location]\nmin_distance = 7\n", to: "jörg/agent.conf")
        try write("[location]\nheartbeat = 77\n", to: "jörg/agent.conf.d/é.conf")
        try write("[location]\ntell = never\n", to: "jörg/homes/cabin.conf")
        let path = "\(folder.path)/jörg/agent.conf"
        try kept.keep(path, explicit: true, at: 7)
        try write("[x]\n", to: "jörg/agent.conf")
        let used = try #require(kept.load(path, explicit: true, first: nil)?.configuration)
        #expect(used.main.location.minDistance == 7 && used.main.location.heartbeat == 77)
        #expect(used.values(of: "cabin").location.tell == .never)
    }

    @Test(
        "Files that became wrong since they were read are not kept, and a copy of another version is not used"
    )
    func onlyCorrect() throws {
        try write("[location]\nmin_distance = 7\n")
        try keep()
        try write("[location]\nmin_distanse = 8\n")
        try keep(at: 9)
        #expect(kept.load(path, explicit: false, first: nil)?.time == 7)
        let file = state.file("configuration.json")
        let content = String(decoding: try AtomicFile.read(file), as: UTF8.self)
        try state.write(
            content.replacingEach("\"version\":1", with: "\"version\":2"), to: "configuration.json")
        #expect(load() == nil)
    }

    @Test("A permission that is new in wrong files is not given")
    func noMore() throws {
        try write("[location]\ntell = never\n[push]\nmode = off\ncommands =\n")
        try keep()
        try write("[location]\ntell = exact\n[push]\nmode = always\ncommands = command_run\n[x]\n")
        let used = try #require(load()).main
        #expect(
            used.location.tell == .never && used.push.mode == .off && used.push.commands.isEmpty)
    }

    @Test("A home's own file forbids for that home")
    func ofAHome() throws {
        try write("")
        try write("[location]\ntell = exact\n", to: "homes/cabin.conf")
        try keep()
        try write("[location]\ntell = never\n", to: "homes/cabin.conf")
        try write("[x]\n")
        let used = try #require(load())
        #expect(used.values(of: "cabin").location.tell == .never)
        #expect(used.values(of: "home").location.tell == .exact)
    }
}
