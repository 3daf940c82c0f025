import HomingBase
import HomingLocation
import HomingTestKit
import Testing

@testable import HomingMachine

@Suite struct PlaceStageTests {
    // MARK: Home

    @Test("A network is home once Home Assistant was reached there by a private address")
    func learns() {
        var world = PlaceWorld()
        world.connect(PlaceWorld.wifi())
        #expect(world.stage.verdict == .unknown)
        world.tell(.receipt(local: "192.168.1.20", peer: "192.168.1.5"))
        #expect(world.stage.verdict == .home)
        #expect(world.saves == 1)
        world.tell(.receipt(local: "192.168.1.20", peer: "192.168.1.5"))
        #expect(world.saves == 1, "nothing new is written")
    }

    @Test(
        "What comes from the cloud, through a tunnel or from this machine itself proves no place",
        arguments: [
            ("192.168.1.20", "203.0.113.9"), ("10.8.0.2", "192.168.1.5"),
            ("192.168.1.20", "192.168.1.20"), ("127.0.0.1", "127.0.0.1"), ("::1", "::1"),
            ("192.168.1.20", "2001:db8::1"), ("192.168.1.20", "no address"),
        ])
    func learnsNothing(local: String, peer: String) {
        var world = PlaceWorld()
        world.connect(PlaceWorld.wifi())
        world.tell(.receipt(local: local, peer: peer))
        #expect(world.stage.verdict == .unknown)
        #expect(world.saves == 0)
        world.connect(PlaceWorld.cafe)
        world.pass(1000)
        #expect(world.verdicts.isEmpty, "without a home nobody is away from it")
    }

    @Test("The gateway may become known after the receipt, as long as the network is the same")
    func lateGateway() {
        for (link, isHome) in [
            (PlaceWorld.cable(), true), (PlaceWorld.cafe, false),
        ] {
            var world = PlaceWorld()
            world.tell(.links(NetworkLinks([PlaceWorld.cable(gateway: nil)], isResolving: true)))
            world.tell(.receipt(local: "192.168.1.21", peer: "192.168.1.5"))
            #expect(world.verdicts.isEmpty)
            world.connect(link)
            #expect((world.stage.verdict == .home) == isHome)
        }
        // The cable was at another dock meanwhile.
        var world = PlaceWorld()
        world.tell(.links(NetworkLinks([PlaceWorld.cable(gateway: nil)])))
        world.tell(.receipt(local: "192.168.1.21", peer: "192.168.1.5"))
        world.connect()
        world.connect(PlaceWorld.cable(gateway: PlaceWorld.otherGateway))
        #expect(world.verdicts.isEmpty)
    }

    @Test("A unique local address of IPv6 proves as much as a private one of IPv4")
    func learnsByIPv6() {
        var world = PlaceWorld()
        var link = PlaceWorld.wifi()
        link.addresses.append("fd00::20")
        world.connect(link)
        world.tell(.receipt(local: "fd00::20", peer: "fd00::5"))
        #expect(world.stage.verdict == .home)
    }

    @Test("At home another access point, or a cable, shows home by its gateway")
    func meshAndCable() {
        var world = PlaceWorld.atHome()
        world.connect(PlaceWorld.cafe)
        world.pass(200)
        #expect(world.stage.verdict == .away)
        world.connect(PlaceWorld.wifi(bssid: "02:00:00:00:01:99"))
        #expect(world.stage.verdict == .home)
        world.connect(PlaceWorld.cafe)
        world.pass(200)
        world.connect(PlaceWorld.cable())
        #expect(world.stage.verdict == .home)
    }

    @Test("The access point shows home before the gateway is known")
    func byAccessPoint() {
        var world = PlaceWorld.atHome()
        world.connect(PlaceWorld.cafe)
        world.pass(200)
        world.connect(PlaceWorld.wifi(gateway: nil))
        #expect(world.stage.verdict == .home)
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
            #expect(world.verdicts == [.home])
            world.pass(2)
            #expect(world.verdicts == [.home, .away])
        }
    }

    @Test("A machine that is at home by cable and at a neighbour's Wi-Fi is at home")
    func twoLinks() {
        var world = PlaceWorld.atHome()
        world.connect(PlaceWorld.cafe, PlaceWorld.cable())
        world.pass(1000)
        #expect(world.verdicts == [.home])
    }

    // MARK: Away

    @Test("Another network is away after two minutes, and not before")
    func away() {
        var world = PlaceWorld.atHome()
        world.connect(PlaceWorld.cafe)
        world.pass(119.9)
        #expect(world.stage.verdict == .home)
        world.pass(0.2)
        #expect(world.stage.verdict == .away)
        world.connect(PlaceWorld.wifi())
        #expect(world.stage.verdict == .home)
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
            world.tell(event)
            world.pass(10_000)
            #expect(world.verdicts == [.home], "\(event)")
        }
    }

    @Test("The two minutes begin anew after sleep, and after any interruption")
    func interruptions() {
        var world = PlaceWorld.atHome()
        world.connect(PlaceWorld.cafe)
        world.pass(100)
        world.tell(.sleep(.preparing))
        world.pass(3600)
        world.tell(.sleep(.awake))
        world.pass(100)
        #expect(world.verdicts == [.home])
        world.tell(.links(NetworkLinks([])))
        world.connect(PlaceWorld.cafe)
        world.pass(100)
        #expect(world.verdicts == [.home])
        world.pass(20)
        #expect(world.verdicts == [.home, .away])
    }

    @Test("A modem alone is away from home, but not where a receiver has said more")
    func modem() {
        for hasReceiver in [false, true] {
            var world = PlaceWorld.atHome()
            if hasReceiver { world.tell(.fix(PlaceWorld.fix(52))) }
            world.connect(
                NetworkLink(medium: .other, id: "LTE", uuid: "uuid-lte", addresses: ["100.64.0.2"]))
            world.pass(121)
            #expect(world.stage.verdict == (hasReceiver ? .home : .away))
        }
    }

    // MARK: A network that travels

    @Test("The router of a van that was seen far from home is never home again")
    func travels() {
        var world = PlaceWorld.atHome()
        world.tell(.home(PlaceWorld.homeZone))
        world.tell(.fix(PlaceWorld.fix(61)))
        #expect(world.stage.isTravelling)
        // The receiver is off from now on; Home Assistant on board is reached as ever.
        world.tell(.receipt(local: "192.168.1.20", peer: "192.168.1.5"))
        world.connect(PlaceWorld.cafe)
        world.pass(1000)
        let verdicts = world.verdicts
        world.connect(PlaceWorld.wifi())
        world.pass(100_000)
        #expect(world.verdicts == verdicts, "\(world.verdicts)")
        var again = PlaceWorld(world.stage.known)
        again.connect(PlaceWorld.wifi(bssid: "02:00:00:00:01:77"))
        again.pass(1000)
        #expect(again.verdicts.isEmpty)
        #expect(again.stage.isTravelling)
    }

    @Test("A van's router that was seen far away before it came home is not learned as home")
    func travelledBefore() {
        var world = PlaceWorld()
        world.tell(.home(PlaceWorld.homeZone))
        world.connect(PlaceWorld.wifi())
        world.tell(.fix(PlaceWorld.fix(61)))
        world.tell(.receipt(local: "192.168.1.20", peer: "192.168.1.5"))
        #expect(world.stage.verdict == .unknown)
    }

    @Test(
        "A car that drives off still hears its network for a moment: that is no network that travels"
    )
    func drivesOff() {
        var world = PlaceWorld.atHome()
        world.tell(.home(PlaceWorld.homeZone))
        world.tell(.fix(PlaceWorld.fix(52)))
        world.tell(.fix(PlaceWorld.fix(52.004)))  // 445 m
        #expect(!world.stage.isTravelling)
        world.tell(.fix(PlaceWorld.fix(52)))
        #expect(world.stage.verdict == .home)
    }

    @Test("A café where the receiver worked needs no memory but that it is far from home")
    func bounded() {
        var world = PlaceWorld.atHome()
        world.tell(.home(PlaceWorld.homeZone))
        for number in 0..<500 {
            let gateway = "02:00:00:00:\(number / 100 + 10):\(number % 90 + 10)"
            world.connect(PlaceWorld.wifi("Café", bssid: gateway, gateway: gateway))
            world.tell(.fix(PlaceWorld.fix(61)))
            world.tell(.fix(PlaceWorld.fix(61.1)))
        }
        #expect(world.stage.known.networks.count == KnownNetworks.capacity)
        world.connect(PlaceWorld.wifi())
        #expect(world.stage.verdict == .home, "the network at home is kept")
        for number in 10..<90 {
            world.connect(PlaceWorld.wifi(bssid: "02:00:00:00:77:\(number)"))
            world.tell(.receipt(local: "192.168.1.20", peer: "192.168.1.5"))
        }
        let home = world.stage.known.network(of: PlaceWorld.wifi())
        #expect(home?.bssids.count == KnownNetworks.pointCapacity)
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
        for count in 1...3 {
            world.tell(.places(Array(places.prefix(count))))
            #expect(
                world.verdicts.last
                    == .at(
                        places[count - 1].target, name: places[count - 1].name,
                        [.ssid, .connection, .hardware][count - 1]))
        }
        #expect(world.verdicts.count == 3)
    }

    @Test("A connection that NetworkManager made by itself is no place, but its gateway is")
    func automaticConnection() {
        var world = PlaceWorld()
        world.tell(.places([Self.place("Dock", "Work", connections: ["uuid-wired"])]))
        world.connect(PlaceWorld.cable())
        world.pass(1000)
        #expect(world.verdicts.isEmpty)
        world.tell(.places([Self.place("Dock", "Work", gateways: [PlaceWorld.homeGateway])]))
        #expect(world.verdicts == [.at(.zone("Work"), name: "Dock", .hardware)])
    }

    @Test("A place whose zone is home makes away known, also without a network that was learned")
    func configuredHome() {
        var world = PlaceWorld()
        world.tell(.places([Self.place("Villa", "home", ssids: ["Home"])]))
        world.connect(PlaceWorld.wifi())
        #expect(world.verdicts == [.at(.zone("home"), name: "Villa", .ssid)])
        world.connect(PlaceWorld.cafe)
        world.pass(130)
        #expect(world.stage.verdict == .away)
    }

    @Test("A copied SSID does not win over the gateway at home")
    func copiedName() {
        var world = PlaceWorld.atHome()
        world.tell(.places([Self.place("Work", "Work", ssids: ["Home"])]))
        #expect(world.stage.verdict == .home)
    }
}
