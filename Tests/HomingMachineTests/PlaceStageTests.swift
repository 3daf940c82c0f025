import HomingBase
import HomingLocation
import HomingTestKit
import Testing

@testable import HomingMachine

@Suite struct PlaceStageTests {
    // MARK: Home

    @Test("A network is home once Home Assistant was reached on the network itself")
    func learns() {
        var world = PlaceWorld()
        world.connect(PlaceWorld.wifi())
        #expect(world.stage.verdict == .unknown)
        world.reachHome()
        #expect(world.stage.verdict == .home && world.told == ["home"])
        #expect(world.saves == 1)
        world.reachHome()
        #expect(world.saves == 1, "nothing new is written")
    }

    @Test(
        "What comes from the cloud, by a tunnel, a hotspot or this machine itself proves no place")
    func learnsNothing() {
        let (machine, homeAssistant) = (PlaceWorld.machine, PlaceWorld.homeAssistant)
        for (local, peer) in [
            (machine, PlaceWorld.ip(203, 0, 113, 9)), (PlaceWorld.ip(10, 8, 0, 2), homeAssistant),
            (machine, machine), (PlaceWorld.ip(127, 0, 0, 1), PlaceWorld.ip(127, 0, 0, 1)),
            // A phone shares the network at home, and keeps its hotspot on the way.
            (machine, PlaceWorld.ip(192, 168, 178, 5)),
        ] {
            var world = PlaceWorld()
            world.connect(PlaceWorld.wifi())
            world.tellPlaces(.receipt(local: local, peer: peer))
            #expect(world.saves == 0)
            world.connect(PlaceWorld.cafe)
            world.pass(1000)
            #expect(world.shown.isEmpty, "without a home nobody is away from it")
        }
        var world = PlaceWorld()
        world.connect(PlaceWorld.modem)
        world.tellPlaces(
            .receipt(local: PlaceWorld.ip(100, 64, 0, 2), peer: PlaceWorld.ip(100, 64, 0, 2)))
        #expect(world.saves == 0)
    }

    @Test("The gateway may become known after the receipt, as long as the network is the same")
    func lateGateway() {
        for (link, isHome) in [(PlaceWorld.cable(), true), (PlaceWorld.cafe, false)] {
            var world = PlaceWorld()
            world.tellPlaces(
                .links(NetworkLinks([PlaceWorld.cable(gateway: nil)], isResolving: true)))
            world.reachHome()
            #expect(world.shown.isEmpty)
            world.connect(link)
            #expect((world.stage.verdict == .home) == isHome)
        }
        // The cable was at another dock meanwhile.
        var world = PlaceWorld()
        world.connect(PlaceWorld.cable(gateway: nil))
        world.reachHome()
        world.connect()
        world.connect(PlaceWorld.cable(gateway: PlaceWorld.otherGateway))
        #expect(world.shown.isEmpty)
    }

    @Test("At home another access point, or a cable, shows home by its gateway")
    func meshAndCable() {
        var world = PlaceWorld.atHome()
        world.connect(PlaceWorld.wifi(bssid: "02:00:00:00:01:99"))
        #expect(world.stage.verdict == .home)
        world.connect(PlaceWorld.cable())
        #expect(world.stage.verdict == .home)
        world.connect(PlaceWorld.wifi(gateway: nil))
        #expect(world.stage.verdict == .home, "by the access point")
    }

    @Test("The same SSID elsewhere, and another dock with the same cable, are never home")
    func mislead() {
        for link in [
            PlaceWorld.wifi(bssid: "02:00:00:00:09:09", gateway: PlaceWorld.otherGateway),
            PlaceWorld.cable(gateway: PlaceWorld.otherGateway),
        ] {
            var world = PlaceWorld.atHome()
            world.connect(link)
            world.pass(119)
            #expect(world.told == ["home"] && world.stage.verdict == .unknown)
            world.pass(2)
            #expect(world.told == ["home", "not_home"])
        }
    }

    @Test(
        "A gateway whose address other sites have, as with VRRP, is no evidence, and no other network",
        arguments: [
            "00:00:5E:00:01:01", "00:00:0C:07:AC:0A", "52:55:0A:00:02:02", "0C:5B:8F:27:9A:64",
        ])
    func sharedGateway(_ gateway: String) {
        var world = PlaceWorld.atHome()
        world.connect(PlaceWorld.cable(gateway: gateway))
        world.reachHome()
        #expect(world.stage.verdict == .unknown)
        world.pass(1000)
        #expect(world.told == ["home"])
        // By its access point such a network is home, and elsewhere the gateway alone is not.
        world.connect(PlaceWorld.wifi("Other", bssid: "02:00:00:00:05:05", gateway: gateway))
        world.reachHome()
        #expect(world.stage.verdict == .home)
        world.connect(PlaceWorld.wifi("Hotel", bssid: "02:00:00:00:06:06", gateway: gateway))
        world.pass(1000)
        #expect(world.stage.verdict == .unknown)
    }

    @Test("A machine that is at home by cable and at a neighbour's Wi-Fi is at home")
    func twoLinks() {
        var world = PlaceWorld.atHome()
        world.connect(PlaceWorld.cafe, PlaceWorld.cable())
        world.pass(1000)
        #expect(world.told == ["home"])
    }

    @Test("Another Home Assistant has another home")
    func forgets() {
        var world = PlaceWorld.atHome()
        world.tellPlaces(.forgetHome)
        world.choose { $0.noteRegistration(true, isAnother: true, at: $1) }
        world.pass(10_000)
        #expect(world.stage.verdict == .unknown && world.told == ["home"])
        #expect(world.stage.known == KnownNetworks())
    }

    // MARK: Away

    @Test("Another network is away after two minutes, and not before")
    func away() {
        var world = PlaceWorld.atHome()
        world.connect(PlaceWorld.cafe)
        world.pass(119.9)
        #expect(world.told == ["home"])
        world.pass(0.2)
        #expect(world.told == ["home", "not_home"])
        world.connect(PlaceWorld.wifi())
        #expect(world.told == ["home", "not_home", "home"])
    }

    @Test("No network, a login page, no internet, an absent NetworkManager: nobody is away")
    func unknowing() {
        for event: PlaceStage.Event in [
            .links(NetworkLinks([])), .links(nil),
            .links(NetworkLinks([PlaceWorld.cafe], connectivity: .portal)),
            .links(NetworkLinks([PlaceWorld.cafe], connectivity: .limited)),
            .links(NetworkLinks([PlaceWorld.cafe], connectivity: .none)),
            .links(NetworkLinks([PlaceWorld.cafe], connectivity: .unknown)),
            .links(NetworkLinks([PlaceWorld.cafe], isResolving: true)),
            .links(NetworkLinks([PlaceWorld.cable(gateway: nil)])),
            .links(NetworkLinks([PlaceWorld.wifi(bssid: "02:00:00:00:09:09", gateway: nil)])),
        ] {
            var world = PlaceWorld.atHome()
            world.tellPlaces(event)
            world.pass(10_000)
            #expect(world.told == ["home"], "\(event)")
        }
    }

    @Test("The two minutes begin again after sleep, and after any interruption")
    func interruptions() {
        var world = PlaceWorld.atHome()
        world.connect(PlaceWorld.cafe)
        world.pass(100)
        world.tellPlaces(.sleep(.preparing))
        world.pass(3600)
        world.tellPlaces(.sleep(.awake))
        world.pass(100)
        #expect(world.told == ["home"])
        world.connect()
        world.connect(PlaceWorld.cafe)
        world.pass(100)
        #expect(world.told == ["home"])
        world.pass(20)
        #expect(world.told == ["home", "not_home"])
    }

    @Test("A modem alone is away from home, but not on a machine with a receiver")
    func modem() {
        for hasReceiver in [false, true] {
            var world = PlaceWorld.atHome()
            world.receiver(hasReceiver)
            world.connect(PlaceWorld.modem)
            world.pass(100_000)
            #expect(world.told.last == (hasReceiver ? "home" : "not_home"))
        }
    }

    // MARK: Places of the configuration

    private static func place(
        _ name: String, _ zone: String, ssids: [String] = [], bssids: [String] = [],
        connections: [String] = [], gateways: [String] = []
    ) -> Place {
        Place(
            name: name, target: .zone(zone), ssids: ssids, bssids: bssids,
            connections: connections, gateways: gateways)
    }

    @Test(
        "An access point or a gateway counts more than a connection, and a connection more than an SSID"
    )
    func evidence() {
        var world = PlaceWorld()
        world.connect(PlaceWorld.cafe)
        let places = [
            Self.place("A", "By name", ssids: ["Café"]),
            Self.place("B", "By connection", connections: ["Café"]),
            Self.place("C", "By gateway", gateways: [PlaceWorld.otherGateway]),
        ]
        for count in 1...3 { world.tellPlaces(.places(Array(places.prefix(count)))) }
        #expect(world.told == ["By name", "By connection", "By gateway"])
        world.tellPlaces(.places([]))
        #expect(world.stage.verdict == .unknown, "a place that was removed is shown no more")
    }

    @Test("A connection that NetworkManager made by itself is no place, but its gateway is")
    func automaticConnection() {
        var world = PlaceWorld()
        world.tellPlaces(.places([Self.place("Dock", "Work", connections: ["uuid-wired"])]))
        world.connect(PlaceWorld.cable())
        world.pass(1000)
        #expect(world.shown.isEmpty)
        world.tellPlaces(.places([Self.place("Dock", "Work", gateways: [PlaceWorld.homeGateway])]))
        #expect(world.told == ["Work"])
    }

    @Test("A place whose zone is home makes away known, also without a network that was learned")
    func configuredHome() {
        var world = PlaceWorld()
        world.tellPlaces(.places([Self.place("Villa", "home", ssids: ["Home"])]))
        world.connect(PlaceWorld.wifi())
        world.connect(PlaceWorld.cafe)
        world.pass(130)
        #expect(world.told == ["home", "not_home"])
    }

    @Test("A copied SSID does not win over the gateway at home")
    func copiedName() {
        var world = PlaceWorld.atHome()
        world.tellPlaces(.places([Self.place("Work", "Work", ssids: ["Home"])]))
        #expect(world.stage.verdict == .home)
    }
}

/// A person's word about the present network.
@Suite struct JudgedNetworkTests {
    @Test("A network that a person calls home is home, also once its gateway comes to be known")
    func saidHome() {
        var world = PlaceWorld()
        world.connect(PlaceWorld.wifi(bssid: nil, gateway: nil))
        world.tellPlaces(.judge(isHome: true))
        #expect(world.stage.verdict == .unknown, "no hardware is known")
        world.connect(PlaceWorld.wifi(bssid: nil))
        #expect(world.stage.verdict == .home && world.told == ["home"])
        #expect(world.stage.networks.map(\.isHome) == [true])
    }

    @Test("A forgotten network shows nothing until it is learned again, and travels no more")
    func forgotten() {
        var world = PlaceWorld.atHome()
        world.fix(61)
        world.pass(61)
        world.fix(61)
        #expect(world.stage.networks.map(\.travels) == [true])
        world.tellPlaces(.judge(isHome: false))
        #expect(world.stage.networks.map(\.travels) == [false])
        #expect(world.stage.verdict == .unknown && world.stage.known.networks.isEmpty)
        world.fix(52)
        world.receiver(false)
        world.reachHome()
        #expect(world.stage.verdict == .home)
    }

    @Test("A person's word outweighs what the receiver saw on this network")
    func outweighs() {
        var world = PlaceWorld.atHome()
        for latitude in [61.0, 61] {
            world.fix(latitude)
            world.pass(61)
        }
        world.receiver(false)
        #expect(world.stage.networks.map(\.travels) == [true])
        world.tellPlaces(.judge(isHome: true))
        #expect(world.stage.verdict == .home && world.stage.networks.map(\.travels) == [false])
    }

    @Test("A modem is at no home, whatever a person says")
    func modem() {
        var world = PlaceWorld()
        world.connect(PlaceWorld.modem)
        world.tellPlaces(.judge(isHome: true))
        #expect(world.stage.known.networks.isEmpty && world.stage.verdict == .unknown)
    }
}
