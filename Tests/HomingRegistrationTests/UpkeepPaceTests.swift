import HomingBase
import HomingRegistration
import Testing

@testable import HomingRoutes

@Suite struct UpkeepPaceTests {
    private func at(_ uptime: Seconds) -> Moment { Moment(uptime: uptime, unixTime: 1e9) }

    private func begins(_ pace: inout UpkeepPace, _ uptime: Seconds) -> Bool {
        pace.begin(at: at(uptime))
    }

    @Test("A secret is asked for after a start")
    func start() {
        #expect(UpkeepPace().isDue(at: at(0)))
    }

    @Test("It is asked for again an hour after nobody answered, and a day after a refusal")
    func again() {
        var pace = UpkeepPace()
        pace.ended(.unanswered, at: at(10))
        #expect(!pace.isDue(at: at(3609)))
        #expect(pace.isDue(at: at(3610)))
        pace.ended(.refused, at: at(10))
        #expect(!pace.isDue(at: at(86_409)))
        #expect(pace.isDue(at: at(86_410)))
    }

    @Test("A Home Assistant that has no encryption is not asked again")
    func never() {
        var pace = UpkeepPace()
        pace.ended(.impossible, at: at(10))
        #expect(!pace.isDue(at: at(1e9)))
    }

    @Test("One telling at a time")
    func one() {
        var pace = UpkeepPace()
        let first = begins(&pace, 0)
        let beside = begins(&pace, 1e9)
        pace.ended(.done, at: at(1))
        let next = begins(&pace, 1)
        #expect([first, beside, next] == [true, false, true])
    }

    @Test("One that came to nothing is repeated after an hour, one that was refused after a day")
    func pace() {
        var pace = UpkeepPace()
        var began = [begins(&pace, 0)]
        pace.ended(.unanswered, at: at(0))
        began += [begins(&pace, 3599), begins(&pace, 3600)]
        pace.ended(.refused, at: at(3600))
        began += [begins(&pace, 89_999), begins(&pace, 90_000)]
        #expect(began == [true, false, true, false, true])
    }
}

@Suite struct EncryptionUpgradeTests {
    @Test("A secret comes by itself where nobody listens alone, and at home if a person says so")
    func endpoints() {
        let instance = Endpoint(
            kind: .instance, webhookURL: "http://192.168.1.2/w", isAuthentic: false)
        let cloud = Endpoint(
            kind: .cloudhook, webhookURL: "https://hooks.example/x", isAuthentic: true)
        let ask = { (place: Route.Place, wish: EncryptionUpgrade.Wish) in
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
