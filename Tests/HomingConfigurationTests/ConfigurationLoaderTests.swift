import HomingConfiguration
import HomingDelivery
import HomingLocation
import HomingMachine
import HomingNotifications
import HomingPush
import HomingRuntime
import HomingSettings
import HomingTestKit
import Testing

struct ConfigurationLoaderTests {
    private func load(
        _ text: String, dropIns: [String: String] = [:]
    ) throws -> Result<Configuration, SettingsErrors> {
        let folder = try TemporaryFolder()
        let path = try folder.write(text, to: "agent.conf")
        for (name, text) in dropIns { try folder.write(text, to: "agent.conf.d/\(name)") }
        return Configuration.table.load(path: path, explicit: true).map(\.main)
    }

    @Test(
        "an empty file, and one of comments, is all defaults",
        arguments: ["", "\n", "# x\n\n", "[log]"])
    func empty(_ text: String) throws {
        #expect(try load(text).get() == Configuration())
    }

    @Test("every key reaches its value")
    func everyKey() throws {
        let read = try load(
            """
            [home_assistant]
            ca_file=/etc/passwd
            client_certificate = /etc/hostname
            client_key = /etc/group
            use_cloud = false
            instance_url_away = HTTP://HA.vpn:8123/
            plain_http_away = true
            reregister = auto
            [home_network]
            ssid = Home; Caf\\\\;a\\;b;\\sblank\\s
            bssid = aa:bb:cc:dd:ee:ff;01:23:45:67:89:aB;
            connection = Wired connection 1
            [location]
            tell = zone
            max_accuracy = 150
            min_distance = 30
            heartbeat = 0
            max_age = 600
            still_interval = 0
            backlog = replay
            stale_position = send
            batch = 10
            batch_metered = 599
            queue_unregistered = true
            [gpsd]
            enabled = false
            host = ::1
            port = 1
            device = /dev/ttyACM1
            [geoclue]
            enabled = true
            interval = 600
            [thrift]
            mode = auto
            budget = 50
            quiet = 22:00-07:00
            [outbox]
            max_size = 1024
            durability = crash
            queue_ttl = 604800
            [place.NAME]
            latitude = 52.5
            longitude = -4.25
            accuracy = 50
            ssid = Pier
            bssid = aa:bb:cc:dd:ee:01
            connection = Marina
            gateway = aa:bb:cc:dd:ee:02
            [place.Office]
            zone = zone.work
            ssid = Office
            [sensors]
            enable = ip_address;all
            disable = ssid
            interval = 60
            scripts = /opt/sensors/
            [push]
            mode = unmetered
            plain_http = never
            commands = command_run
            relay = hold
            relay_commands = command_screen_lock;request_location_update
            action_expiry = 0
            hook = NAME
            wall = true
            url = HTTPS://Relay.example:444/Push?to=Me
            token_file = /proc/self/environ
            [command.NAME]
            argv = /bin/echo;a\\;b; c
            timeout = 5
            [log]
            level = debug
            """
        ).get()
        var expected = Configuration()
        expected.homeAssistant.caFile = "/etc/passwd"
        expected.homeAssistant.clientCertificate = "/etc/hostname"
        expected.homeAssistant.clientKey = "/etc/group"
        expected.homeAssistant.useCloud = false
        expected.homeAssistant.instanceURLAway = "http://ha.vpn:8123"
        expected.homeAssistant.plainHTTPAway = true
        expected.homeAssistant.reregister = .auto
        expected.homeNetwork.ssids = ["Home", "Caf\\", "a;b", " blank "]
        expected.homeNetwork.bssids = ["AA:BB:CC:DD:EE:FF", "01:23:45:67:89:AB"]
        expected.homeNetwork.connections = ["Wired connection 1"]
        expected.location.tell = .zone
        expected.location.maxAccuracy = 150
        expected.location.minDistance = 30
        expected.location.heartbeat = 0
        expected.location.maxAge = 600
        expected.location.stillInterval = 0
        expected.location.backlog = .replay
        expected.location.stalePosition = .send
        expected.location.batch = 10
        expected.location.batchMetered = 599
        expected.location.queueUnregistered = true
        expected.geoclue.enabled = true
        expected.geoclue.interval = 600
        expected.gpsd.enabled = false
        expected.gpsd.host = "::1"
        expected.gpsd.port = 1
        expected.gpsd.device = "/dev/ttyACM1"
        expected.thrift.mode = .auto
        expected.thrift.budget = 50
        expected.thrift.quiet = QuietHours("22:00-07:00")
        expected.outbox.maxSize = 1024
        expected.outbox.durability = .crash
        expected.outbox.queueTTL = 604_800
        var pier = PlaceDefinition()
        (pier.latitude, pier.longitude, pier.accuracy) = (52.5, -4.25, 50)
        (pier.ssids, pier.connections) = (["Pier"], ["Marina"])
        (pier.bssids, pier.gateways) = (["AA:BB:CC:DD:EE:01"], ["AA:BB:CC:DD:EE:02"])
        var office = PlaceDefinition()
        (office.zone, office.ssids) = ("zone.work", ["Office"])
        expected.places = ["NAME": pier, "Office": office]
        expected.sensors.enable = ["ip_address", "all"]
        expected.sensors.disable = ["ssid"]
        expected.sensors.interval = 60
        expected.sensors.scripts = "/opt/sensors"
        expected.push.mode = .unmetered
        expected.push.plainHTTP = .never
        expected.push.commands = ["command_run"]
        expected.push.relay = .hold
        expected.push.relayCommands = ["command_screen_lock", "request_location_update"]
        expected.push.actionExpiry = 0
        expected.push.hook = "NAME"
        expected.push.wall = true
        expected.push.url = "https://relay.example:444/Push?to=Me"
        expected.push.tokenFile = "/proc/self/environ"
        expected.commands["NAME"] = Command(["/bin/echo", "a;b", "c"], timeout: 5)
        expected.log.level = .debug
        #expect(read == expected)
        for section in Configuration.table.sections {
            // A place has a zone or a point, never both.
            for key in section.keys where key.name != "zone" {
                #expect(
                    key.text(in: read) != key.text(in: Configuration()),
                    "\(key.name) is not in this test")
            }
        }
    }

    @Test("what a key writes of a configuration, the loader reads back")
    func roundTrip() throws {
        var configuration = Configuration()
        configuration.homeNetwork.ssids = [
            " a ", "b;c", #"d\e"#, #"\s"#, ";", "ä#ö", "[x]", "=", ";\u{301}b", "\\\u{301}",
            " \u{301} ",
        ]
        configuration.homeNetwork.bssids = ["AA:BB:CC:DD:EE:FF"]
        configuration.homeAssistant.instanceURLAway = "https://[fd00::1]:8123"
        configuration.location.heartbeat = 60
        let text = Configuration.table.sections.map { section in
            let lines = section.keys.map { "\($0.name) = \($0.text(in: configuration))" }
                // A line that says nothing of a number or a switch is an error.
                .filter { !$0.hasSuffix("= ") }
            return (["[\(section.name)]"] + lines).joined(separator: "\n")
        }.joined(separator: "\n")
        #expect(try load(text).get() == configuration)
    }

    @Test("drop-ins replace single keys, in the order of their names; lists are not joined")
    func dropIns() throws {
        let configuration = try load(
            "[home_network]\nssid = a;b\n[location]\nmax_age = 100\nheartbeat = 100\n",
            dropIns: [
                "20.conf": "[location]\nmax_age = 120\n",
                "10.conf": "[location]\nmax_age = 110\nheartbeat = 110\n[home_network]\nssid = c\n",
                "30.off": "[location]\nmax_age = 130\n", ".40.conf": "[nonsense]\n",
            ]
        ).get()
        #expect(configuration.location.maxAge == 120)
        #expect(configuration.location.heartbeat == 110)
        #expect(configuration.homeNetwork.ssids == ["c"])
    }

    @Test("an empty value in a drop-in takes a list, a path or a URL back to nothing")
    func emptying() throws {
        let configuration = try load(
            "[home_network]\nssid = a;b\n[home_assistant]\nca_file = /etc/passwd\n[sensors]\nenable = all\n",
            dropIns: [
                "10.conf":
                    "[home_network]\nssid =\n[home_assistant]\nca_file =\n[sensors]\nenable =\n"
            ]
        ).get()
        #expect(configuration == Configuration())
        #expect(try load("[sensors]\nscripts =\n").get().sensors.scripts == nil)
    }

    @Test(
        "a home that takes one of two keys back is told in its own file",
        arguments: [
            (
                "[home_assistant]\nclient_certificate = /etc/hostname\nclient_key = /etc/group\n",
                "[home_assistant]\nclient_certificate =\n",
                "home_assistant.client_key: needs client_certificate as well; set both or neither"
            ),
            (
                "[push]\nurl = https://relay.example\ntoken_file = /proc/self/environ\n",
                "[push]\nurl =\n",
                "push.token_file: needs url as well: the relay that the token is for"
            ),
        ])
    func takenBack(main: String, ofHome: String, words: String) throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(main, to: "agent.conf")
        let file = try folder.write(ofHome, to: "homes/home.conf")
        var said: [String] = []
        if case .failure(let errors) = Configuration.table.load(
            path: path, explicit: true, first: "home")
        {
            said = errors.diagnostics.map(\.description)
        }
        #expect(said == ["\(file):2: \(words)"])
    }

    @Test(
        "plain HTTP away is no contradiction on loopback",
        arguments: ["localhost", "127.0.0.1:80", "127.9.9.9:8123", "[::1]"])
    func loopback(_ host: String) throws {
        let text = "[home_assistant]\ninstance_url_away = http://\(host)\n"
        #expect(try load(text).get().homeAssistant.instanceURLAway == "http://\(host)")
    }
}
