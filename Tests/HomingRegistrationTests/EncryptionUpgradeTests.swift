import HomingBase
import HomingRegistration
import HomingRoutes
import Testing

@Suite struct EncryptionUpgradeTests {
    private func at(_ uptime: Seconds) -> Moment { Moment(uptime: uptime, unixTime: 1e9) }

    @Test("It asks after a start")
    func start() {
        #expect(EncryptionUpgrade().isDue(at: at(0)))
    }

    @Test("It asks again an hour after nobody answered, and a day after a refusal")
    func again() {
        var upgrade = EncryptionUpgrade()
        upgrade.ended(.unanswered, at: at(10))
        #expect(!upgrade.isDue(at: at(3609)))
        #expect(upgrade.isDue(at: at(3610)))
        upgrade.ended(.refused, at: at(10))
        #expect(!upgrade.isDue(at: at(86_409)))
        #expect(upgrade.isDue(at: at(86_410)))
    }

    @Test("A Home Assistant that has no encryption is not asked again")
    func never() {
        var upgrade = EncryptionUpgrade()
        upgrade.ended(.notAvailable, at: at(10))
        #expect(!upgrade.isDue(at: at(1e9)))
    }
}

@Suite struct MachineTellingTests {
    private func begins(_ telling: inout MachineTelling, _ uptime: Seconds) -> Bool {
        telling.begin(at: Moment(uptime: uptime, unixTime: 1e9))
    }

    private func at(_ uptime: Seconds) -> Moment { Moment(uptime: uptime, unixTime: 1e9) }

    @Test("One telling at a time")
    func one() {
        var telling = MachineTelling()
        let first = begins(&telling, 0)
        let beside = begins(&telling, 1e9)
        telling.ended(told: true, wasRefused: false, at: at(1))
        let next = begins(&telling, 1)
        #expect([first, beside, next] == [true, false, true])
    }

    @Test("One that came to nothing is repeated after an hour, one that was refused after a day")
    func pace() {
        var telling = MachineTelling()
        var began = [begins(&telling, 0)]
        telling.ended(told: false, wasRefused: false, at: at(0))
        began += [begins(&telling, 3599), begins(&telling, 3600)]
        telling.ended(told: false, wasRefused: true, at: at(3600))
        began += [begins(&telling, 89_999), begins(&telling, 90_000)]
        #expect(began == [true, false, true, false, true])
    }

    @Test("A secret comes by itself where nobody listens alone, and at home if a person says so")
    func endpoints() {
        let instance = Endpoint(
            kind: .instance, webhookURL: "http://192.168.1.2/w", isAuthentic: false)
        let cloud = Endpoint(
            kind: .cloudhook, webhookURL: "https://hooks.example/x", isAuthentic: true)
        let ask = { (place: Way.Place, wish: EncryptionUpgrade.Wish) in
            EncryptionUpgrade.endpoints(of: [instance, cloud], at: place, for: wish)
        }
        for wish in [EncryptionUpgrade.Wish.byItself, .asked] {
            #expect(ask(.homeSSID("HomeNet"), wish) == [cloud])
            #expect(ask(.homeBSSID("02:00:00:00:00:01"), wish) == [cloud])
            #expect(ask(.assumedHome, wish) == [cloud])
        }
        #expect(ask(.homeSSID("HomeNet"), .confirmed) == [instance, cloud])
        #expect(ask(.away, .confirmed) == [cloud])
    }
}
