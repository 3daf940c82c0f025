import HomingBase
import HomingMachine
import HomingTestKit
import Testing

@Suite("Thrift")
struct ThriftPolicyTests {
    private static let metered = DataUseTests.network(nil, metered: true)
    private static let free = DataUseTests.network(nil)

    private static func use(_ bytes: Int, metered: Bool = true) -> DataUse {
        var use = DataUse(at: DataUseTests.time(2026, 11))
        use.add(bytes, on: metered ? Self.metered : free)
        return use
    }

    private static func thrift(
        _ settings: ThriftPolicy.Settings, _ network: NetworkState? = metered,
        power: PowerState = .mains, used: DataUse = use(0), day: Int = 1, hour: Int = 12
    ) -> Thrift? {
        var policy = ThriftPolicy(settings: settings)
        policy.review(network: network, power: power, use: used, at: at(day, hour))
        return policy.thrift
    }

    private static func at(_ day: Int, _ hour: Int = 12) -> CalendarTime {
        CalendarTime(year: 2026, month: 11, day: day, secondOfDay: hour * 3600)
    }

    private static func battery(_ charge: Double) -> PowerState {
        PowerState(batteryPercentage: charge, onBattery: true)
    }

    @Test("auto saves on a metered network and on a low battery; on always; off never")
    func modes() {
        #expect(Self.thrift(.init(mode: .off)) == nil)
        #expect(Self.thrift(.init(mode: .auto), Self.free) == nil)
        #expect(Self.thrift(.init(mode: .auto), nil) == nil)
        #expect(Self.thrift(.init(mode: .auto))?.cause == .metered)
        #expect(
            Self.thrift(.init(mode: .auto), Self.free, power: Self.battery(19))?.cause == .battery)
        #expect(Self.thrift(.init(mode: .auto), Self.free, power: Self.battery(20)) == nil)
        #expect(Self.thrift(.init(mode: .on), Self.free)?.cause == .chosen)
    }

    @Test("The channel is closed where the network is metered, and only there")
    func channel() {
        #expect(Self.thrift(.init(mode: .auto))?.closesChannel == true)
        #expect(Self.thrift(.init(mode: .on), Self.free)?.closesChannel == false)
        #expect(
            Self.thrift(.init(mode: .auto), Self.free, power: Self.battery(5))?.closesChannel
                == false)
    }

    @Test("A battery that hovers about the limit does not switch with each percent")
    func hysteresis() {
        var policy = ThriftPolicy(settings: .init(mode: .auto))
        let states = [21, 19.9, 20.5, 24.9, 25, 24, 20, 19].map { charge in
            policy.review(
                network: Self.free, power: Self.battery(charge), use: Self.use(0), at: Self.at(1))
            return policy.thrift != nil
        }
        #expect(states == [false, true, true, true, false, false, false, true])
        policy.review(network: Self.free, power: .mains, use: Self.use(0), at: Self.at(1))
        #expect(policy.thrift == nil)
    }

    @Test(
        "Each day's share that was used too early doubles the intervals, up to 16 times",
        arguments: [
            // A budget of 30 MB in 30 days: 1 MB a day.
            (1, 0, 1), (1, 1_000_000, 1), (1, 1_000_001, 2), (1, 2_000_000, 2), (1, 2_000_001, 4),
            (1, 3_500_000, 8), (1, 4_500_000, 16), (1, 29_000_000, 16), (10, 9_900_000, 1),
            (10, 10_500_000, 2), (30, 29_999_999, 1),
        ])
    func budget(_ day: Int, _ used: Int, _ factor: Double) {
        let thrift = Self.thrift(
            .init(mode: .auto, budget: 30_000_000), used: Self.use(used), day: day)
        #expect(thrift?.factor == factor)
        #expect(thrift?.isSpent == false)
    }

    @Test("auto counts metered networks alone, on counts all")
    func counted() {
        let used = Self.use(2_500_000, metered: false)
        #expect(
            Self.thrift(.init(mode: .auto, budget: 30_000_000), used: used)?.factor == 1)
        #expect(Self.thrift(.init(mode: .on, budget: 30_000_000), used: used)?.factor == 4)
    }

    @Test(
        "A budget that is used up stops the heartbeat and closes the channel, with its arithmetic")
    func spent() {
        var policy = ThriftPolicy(settings: .init(mode: .on, budget: 10_000_000))
        policy.review(
            network: Self.free, power: .mains, use: Self.use(12_400_000), at: Self.at(21))
        #expect(policy.thrift?.isSpent == true)
        #expect(policy.thrift?.closesChannel == true)
        #expect(policy.thrift?.heartbeat(900) == 0)
        #expect(policy.thrift?.wait(usual: 60, maxAge: 300) == nil)
        #expect(policy.thrift?.sensorInterval == nil)
        #expect(policy.shortage == "12.4 MB in 20.5 days make 18.1 MB in 30; the budget is 10 MB")
        policy.review(
            network: Self.free, power: .mains, use: Self.use(5_000_000), at: Self.at(21))
        #expect(policy.thrift?.isSpent == false)
        #expect(policy.shortage == nil)
    }

    @Test("The shortage is told before the budget is used up, once nothing more can be saved")
    func shortage() {
        var policy = ThriftPolicy(settings: .init(mode: .on, budget: 30_000_000))
        policy.review(network: nil, power: .mains, use: Self.use(6_000_000), at: Self.at(1))
        #expect(policy.shortage == "6 MB in 1 day make 180 MB in 30; the budget is 30 MB")
        policy.review(network: nil, power: .mains, use: Self.use(5_000_000), at: Self.at(1))
        #expect(policy.shortage == nil)
    }

    @Test("Quiet hours hold while data is saved")
    func quiet() {
        let hours = QuietHours("22:00-07:00")
        #expect(Self.thrift(.init(mode: .auto, quiet: hours), hour: 23)?.isQuiet == true)
        #expect(Self.thrift(.init(mode: .auto, quiet: hours), hour: 12)?.isQuiet == false)
        #expect(Self.thrift(.init(mode: .auto, quiet: hours), Self.free, hour: 23) == nil)
    }

    @Test("A budget of metered networks says nothing of the others")
    func otherNetworks() {
        let spent = Self.thrift(
            .init(mode: .auto, budget: 1_000_000), Self.free, power: Self.battery(10),
            used: Self.use(2_000_000))
        #expect(spent == Thrift(cause: .battery))
    }

    @Test("A budget of metered networks that does not last is told on the others too")
    func shortageElsewhere() {
        var policy = ThriftPolicy(settings: .init(mode: .auto, budget: 30_000_000))
        for network in [Self.metered, Self.free, nil] {
            policy.review(network: network, power: .mains, use: Self.use(6_000_000), at: Self.at(1))
            #expect(policy.shortage == "6 MB in 1 day make 180 MB in 30; the budget is 30 MB")
        }
        policy.settings.mode = .off
        policy.review(
            network: Self.metered, power: .mains, use: Self.use(6_000_000), at: Self.at(1))
        #expect(policy.shortage == nil)
    }

    @Test("The factor stretches every interval", arguments: [1.0, 2, 4, 8, 16])
    func factor(_ factor: Double) {
        let thrift = Thrift(cause: .chosen, factor: factor)
        #expect(thrift.minDistance(20) == 100 * factor)
        #expect(thrift.heartbeat(900) == min(7200 * factor, 86_400))
        #expect(thrift.wait(usual: 60, maxAge: 300) == min(240 * factor, 3600))
        #expect(thrift.sensorInterval == min(21_600 * factor, 86_400))
    }

    @Test("A shortage is news, though the intervals are as long as before")
    func shortageIsNews() {
        var policy = ThriftPolicy(settings: .init(mode: .on, budget: 30_000_000))
        func review(_ used: Int) -> Bool {
            policy.review(network: nil, power: .mains, use: Self.use(used), at: Self.at(1))
        }
        let isStretched = review(4_500_000)
        #expect(isStretched)
        #expect(policy.thrift?.factor == 16)
        #expect(policy.shortage == nil)
        let isSame = !review(4_600_000)
        #expect(isSame)
        let isShort = review(5_100_000)
        #expect(isShort)
        #expect(policy.shortage != nil)
    }

    @Test("The next look comes where a quiet hour begins or ends")
    func waits() {
        func wait(_ settings: ThriftPolicy.Settings, _ hour: Int) -> Seconds? {
            ThriftPolicy(settings: settings).secondsToChange(from: Self.at(1, hour))
        }
        let hours = QuietHours("22:30-07:00")
        #expect(wait(.init(mode: .off, quiet: hours), 12) == nil)
        #expect(wait(.init(mode: .auto, budget: 1), 12) == nil)
        #expect(wait(.init(mode: .auto, quiet: hours), 22) == 1800)
    }

    @Test("Whatever the budget asks, no number leaves its range, and more thrift never tells more")
    func ranges() {
        var random = SeededRandom(seed: TestRun.seed())
        for _ in 0..<10_000 {
            let usual = Double.random(in: 60...86_400, using: &random)
            var before: Thrift?
            for factor in [1.0, 2, 4, 8, 16] {
                let thrift = Thrift(cause: .chosen, factor: factor)
                #expect((usual...86_400).contains(thrift.heartbeat(usual)))
                #expect(thrift.heartbeat(0) == 0)
                let dear = Seconds.random(in: 0...3600, using: &random)
                #expect((dear...3600).contains(thrift.wait(usual: dear, maxAge: usual) ?? -1))
                if let before {
                    #expect(thrift.heartbeat(usual) >= before.heartbeat(usual))
                    #expect(
                        thrift.wait(usual: dear, maxAge: usual) ?? 0
                            >= before.wait(usual: dear, maxAge: usual) ?? 0)
                    #expect(thrift.minDistance(20) >= before.minDistance(20))
                    #expect(thrift.sensorInterval ?? 0 >= before.sensorInterval ?? 0)
                }
                before = thrift
            }
        }
    }
}
