import HomingBase
import HomingMachine
import HomingRoutes
import Testing

@Suite struct RouteTests {
    private static func chooser(
        instance: String = "http://192.168.1.5:8123", cloud: Bool = true,
        home: [RouteChooser.HomeNetwork] = [RouteChooser.HomeNetwork(ssid: "HomeNet")]
    ) -> RouteChooser {
        RouteChooser(
            addresses: RouteChooser.Addresses(
                instance: instance, cloudhook: cloud ? "https://hooks.example/x" : nil,
                remoteUI: cloud ? "https://remote.example" : nil), homeNetworks: home)
    }

    private static func network(
        _ primary: PrimaryConnection?, _ connectivity: Connectivity = .full
    ) -> NetworkState {
        .known(NetworkState.Network(primary: primary, connectivity: connectivity, metered: false))
    }

    @Test("On the home SSID the instance comes first, elsewhere the cloud")
    func order() {
        let chooser = Self.chooser(instance: "https://ha.example")
        let home = chooser.route(on: Self.network(.wifi(ssid: "HomeNet", bssid: nil)))
        #expect(home.endpoints.map(\.kind) == [.instance, .cloudhook, .remoteUI])
        let away = chooser.route(on: Self.network(.wifi(ssid: "Cafe", bssid: nil)))
        #expect(away.endpoints.map(\.kind) == [.cloudhook, .remoteUI, .instance])
    }

    @Test("Plain HTTP is for home and loopback, unless allowed elsewhere")
    func plainHTTP() {
        var chooser = Self.chooser()
        let cafe = Self.network(.wifi(ssid: "Cafe", bssid: nil))
        #expect(chooser.route(on: cafe).endpoints.map(\.kind) == [.cloudhook, .remoteUI])
        #expect(chooser.route(on: cafe).excluded[.instance] != nil)
        chooser.plainHTTPAway = true
        #expect(chooser.route(on: cafe).endpoints.map(\.kind).last == .instance)
        let local = Self.chooser(instance: "http://localhost:8123", cloud: false)
        #expect(local.route(on: cafe).endpoints.map(\.kind) == [.instance])
    }

    @Test("use_cloud = false leaves the instance alone")
    func withoutCloud() {
        var chooser = Self.chooser(instance: "https://ha.example")
        chooser.useCloud = false
        let route = chooser.route(on: Self.network(.wifi(ssid: "Cafe", bssid: nil)))
        #expect(route.endpoints.map(\.kind) == [.instance])
        #expect(
            route.excluded.keys.sorted { $0.rawValue < $1.rawValue } == [.cloudhook, .remoteUI])
    }

    @Test("Home is known by SSID, BSSID, or the name or UUID of a wired connection")
    func homeNetworks() {
        let chooser = Self.chooser(home: [
            RouteChooser.HomeNetwork(bssid: "AA:BB:CC:DD:EE:FF"),
            RouteChooser.HomeNetwork(connection: "uuid-1"),
            RouteChooser.HomeNetwork(connection: "Office"),
        ])
        func place(_ primary: PrimaryConnection) -> Route.Place {
            chooser.route(on: Self.network(primary)).place
        }
        #expect(place(.wifi(ssid: "X", bssid: "AA:BB:CC:DD:EE:FF")).isHome)
        #expect(!place(.wifi(ssid: "X", bssid: "AA:BB:CC:DD:EE:00")).isHome)
        #expect(place(.wired(id: "eth", uuid: "uuid-1")).isHome)
        #expect(place(.wired(id: "Office", uuid: "uuid-9")).isHome)
        #expect(!place(.other(type: "gsm", id: "c", uuid: "d")).isHome)
        #expect(!place(.wifi(ssid: nil, bssid: nil)).isHome)
    }

    @Test("An unknown network is home only if nothing is listed and the instance is local")
    func unknownNetwork() {
        #expect(Self.chooser(home: []).route(on: .unknown).place == .assumedHome)
        #expect(
            Self.chooser(instance: "http://ha.local", home: []).route(on: .unknown).place.isHome)
        #expect(
            Self.chooser(instance: "https://ha.example", home: []).route(on: .unknown).place
                == .away)
        #expect(Self.chooser().route(on: .unknown).place == .away)
    }

    @Test("Behind a stranger's portal nothing is sent; behind one's own the instance is asked")
    func portal() {
        let cafe = Self.chooser().route(on: Self.network(.wifi(ssid: "Cafe", bssid: nil), .portal))
        #expect(cafe.place == .portal && cafe.endpoints.isEmpty)
        let home = Self.chooser().route(
            on: Self.network(.wifi(ssid: "HomeNet", bssid: nil), .portal))
        #expect(home.place == .homeSSID("HomeNet"))
        #expect(home.endpoints.map(\.kind) == [.instance])
        #expect(Set(home.excluded.keys) == [.cloudhook, .remoteUI])
    }

    @Test("A bridge or a VPN is home where it is listed", arguments: ["bridge", "wireguard"])
    func otherConnections(type: String) {
        let here = Self.network(.other(type: type, id: "lan", uuid: "5d1f"))
        #expect(Self.chooser().route(on: here).place == .away)
        for name in ["lan", "5d1f"] {
            let listed = Self.chooser(home: [RouteChooser.HomeNetwork(connection: name)])
            #expect(listed.route(on: here).place == .homeConnection("lan"))
        }
    }

    @Test("Without a connection the endpoints stay open")
    func offline() {
        let offline = Self.chooser().route(on: Self.network(nil, .none))
        #expect(offline.place == .offline)
        #expect(offline.endpoints.map(\.kind) == [.cloudhook, .remoteUI])
    }

    @Test("Without any address nothing is tried but what is on this machine")
    func cutOff() {
        let network = NetworkState.known(
            NetworkState.Network(
                primary: nil, connectivity: .none, metered: false, hasAddress: false,
                hostName: "Boat"))
        let route = Self.chooser().route(on: network)
        #expect(route.isCutOff && route.endpoints.isEmpty)
        #expect(route.excluded[.cloudhook] == "this machine has no network")
        for host in ["127.0.0.1", "boat", "boat.local"] {
            let local = RouteChooser(
                addresses: RouteChooser.Addresses(instance: "https://\(host):8123/x"),
                homeNetworks: [])
            #expect(local.route(on: network).endpoints.map(\.kind) == [.instance], "\(host)")
        }
        #expect(!Self.chooser().route(on: Self.network(nil, .none)).isCutOff)
    }

    @Test(
        "Local hosts are told from public ones",
        arguments: [
            ("http://10.1.2.3", true), ("http://172.16.0.1:8123", true),
            ("http://172.32.0.1", false),
            ("http://192.168.0.9/x", true), ("http://169.254.1.1", true), ("http://8.8.8.8", false),
            ("http://homeassistant.local:8123", true), ("http://[fd00::1]:8123", true),
            ("http://[2001:db8::1]", false), ("http://localhost", true), ("http://[::1]:1", true),
            ("http://user@10.0.0.1", true), ("http://10.0.0.1@evil.example", false),
            ("http://10.0.0.1.evil.example", false), ("https://fd.example", false),
            ("http://ha.lan:8123", true), ("http://ha.home.arpa", true),
            ("http://HA.Internal", true),
            ("http://homeassistant:8123", false), ("http://lan", false),
            ("http://home.example", false),
            ("http://ha.lan.example", false), ("http://ha.lan.", true), ("http://halan.", false),
            ("http://134744072", false),
            ("http://0x08080808", false), ("http://fritz.box", false),
        ])
    func privateHosts(url: String, expected: Bool) {
        #expect(WebAddress(url)?.isPrivate == expected)
    }

    @Test("What is no http or https URL is no address")
    func badAddresses() {
        for url in ["", "ftp://x", "http://", "https:///path", "x"] {
            #expect(WebAddress(url) == nil)
        }
    }

    @Test("A network is believed after a quiet, at once at first and when a request fails")
    func settling() {
        let now = Moment(uptime: 10, unixTime: 0)
        let home = Self.network(.wifi(ssid: "HomeNet", bssid: nil))
        let none = Self.network(nil, .none)
        var settler = NetworkSettler()
        #expect(settler.heard(home, at: now) == [.believe(home)])
        #expect(settler.heard(none, at: now) == [.wake(at: 12.5)])
        #expect(settler.heard(home, at: now.advanced(by: 0.2)).isEmpty, "a roam that blinked")
        #expect(settler.timer(at: now.advanced(by: 3)).isEmpty)
        #expect(settler.heard(none, at: now.advanced(by: 4)) == [.wake(at: 16.5)])
        #expect(settler.timer(at: now.advanced(by: 6.5)) == [.believe(none)])
        _ = settler.heard(home, at: now.advanced(by: 7))
        #expect(settler.requestFailed() == [.believe(home)])
    }

    @Test("The same network after a sleep is another one for all that is known")
    func settlingAsleep() {
        let now = Moment(uptime: 10, unixTime: 0)
        let home = Self.network(.wifi(ssid: "HomeNet", bssid: nil))
        let none = Self.network(nil, .none)
        var settler = NetworkSettler()
        _ = settler.heard(home, at: now)
        _ = settler.heard(none, at: now)
        #expect(settler.heard(home, at: now.advanced(by: 8 * 3600)) == [.believe(home)])
        #expect(settler.timer(at: now.advanced(by: 8 * 3600 + 3)).isEmpty)
        #expect(settler.heard(home, at: now.advanced(by: 8 * 3600 + 4)).isEmpty)
    }
}
