import HomingBase
import HomingLocation
import HomingTestKit
import Testing

@testable import HomingMachine

/// Times at which a look-up service is asked, on a clock that only the test moves.
private struct LookUpWorld {
    private var stage = LookUpStage()
    private(set) var now = Moment(uptime: 1000, unixTime: 1_800_000_000)
    /// Uptimes of all questions.
    private(set) var asked: [Seconds] = []
    private(set) var cancelled = 0
    private(set) var found: [Fix] = []
    private(set) var wakeUps = 0
    private var wakesAt: Seconds?
    /// The answer to every question; `nil`: no answer.
    var answer: LookUpStage.Answer? = .located(Self.report(52))

    init(_ settings: LookUpStage.Settings = .init(isOn: true), isWanted: Bool = true) {
        tellLookUps(.settings(settings))
        tellLookUps(.links(NetworkLinks([PlaceWorld.wifi()])))
        tellLookUps(.wanted(isWanted))
    }

    static func report(_ latitude: Double, accuracy: Double? = 40) -> PositionReport {
        PositionReport(
            mode: .twoDimensional, latitude: latitude, longitude: 4.9, accuracy: accuracy,
            source: .geoclue)
    }

    var outcome: LookUpStage.Outcome { stage.outcome }

    mutating func tellLookUps(_ event: LookUpStage.Event) {
        for effect in stage.handle(event, at: now) {
            switch effect {
            case .ask:
                asked.append(now.uptime)
                if let answer { tellLookUps(.answer(answer)) }
            case .cancel: cancelled += 1
            case .found(let fix): found.append(fix)
            case .wake(let at): wakesAt = at
            }
        }
    }

    mutating func pass(_ seconds: Seconds) {
        let end = now.uptime + seconds
        while let at = wakesAt, at <= end {
            now = now.advanced(by: max(0, at - now.uptime))
            wakesAt = nil
            wakeUps += 1
            tellLookUps(.wake)
        }
        now = now.advanced(by: max(0, end - now.uptime))
    }
}

@Suite struct LookUpStageTests {
    @Test("The service is asked at once where a look-up is wanted, and then once an interval")
    func interval() {
        var world = LookUpWorld()
        #expect(world.asked.count == 1 && world.found.count == 1)
        world.pass(3 * 1800 + 10)
        #expect(world.asked.count == 4)
        var never = LookUpWorld(.init(isOn: true, interval: 0))
        never.pass(100_000)
        #expect(never.asked.count == 1 && never.wakeUps == 0)
    }

    @Test(
        "Nobody asks, and nothing wakes, while the service is off, not wanted, asleep or without a network"
    )
    func quiet() {
        var off = LookUpWorld(.init(isOn: false))
        var unwanted = LookUpWorld(isWanted: false)
        var asleep = LookUpWorld(isWanted: false)
        asleep.tellLookUps(.sleep(.preparing))
        asleep.tellLookUps(.wanted(true))
        var offline = LookUpWorld(isWanted: false)
        offline.tellLookUps(.links(NetworkLinks([])))
        offline.tellLookUps(.wanted(true))
        for _ in 0..<10 {
            off.pass(10_000)
            unwanted.pass(10_000)
            asleep.pass(10_000)
            offline.pass(10_000)
        }
        for world in [off, unwanted, asleep, offline] {
            #expect(world.asked.isEmpty && world.wakeUps == 0)
        }
        asleep.tellLookUps(.sleep(.awake))
        asleep.pass(LookUpStage.settling)
        #expect(asleep.asked.count == 1)
    }

    @Test(
        "Another network, the end of sleep and a request are occasions; requests come no faster than the pause"
    )
    func occasions() {
        var world = LookUpWorld()
        world.pass(100)
        world.tellLookUps(.links(NetworkLinks([PlaceWorld.cafe])))
        #expect(world.asked.count == 1, "the machine hears its neighbours first")
        world.pass(LookUpStage.settling)
        #expect(world.asked.count == 2)
        world.tellLookUps(.links(NetworkLinks([PlaceWorld.cafe], isResolving: true)))
        world.pass(100)
        #expect(world.asked.count == 2, "the same network")
        for _ in 0..<100 { world.tellLookUps(.request) }
        #expect(world.asked.count == 3)
        world.pass(LookUpStage.pause)
        #expect(world.asked.count == 4)
        world.tellLookUps(.doubt)
        world.pass(LookUpStage.doubtTime)
        #expect(world.asked.count == 5)
    }

    @Test("A service without an answer is let go after its time, and asked again later and later")
    func silence() {
        var world = LookUpWorld()
        world.answer = nil
        world.pass(1800)
        #expect(world.asked.count == 2 && world.cancelled == 0)
        world.pass(LookUpStage.patience)
        #expect(world.cancelled == 1)
        #expect(world.outcome == .failed("no answer in 30 s"))
        world.pass(100_000)
        let gaps = zip(world.asked.dropFirst(), world.asked.dropFirst(2)).map { $1 - $0 }
        #expect(gaps.prefix(3) == [90, 150, 270])
        #expect(gaps.last == LookUpStage.retry.last + LookUpStage.patience)
        #expect(world.cancelled >= world.asked.count - 2, "every question ends")
    }

    @Test("A question under way is called off when nobody wants to know any more")
    func calledOff() {
        var world = LookUpWorld(isWanted: false)
        world.answer = nil
        world.tellLookUps(.wanted(true))
        world.tellLookUps(.wanted(false))
        #expect(world.cancelled == 1)
        world.tellLookUps(.answer(.located(LookUpWorld.report(52))))
        #expect(world.found.isEmpty, "a late answer")
    }

    @Test(
        "After a refusal, the service is asked again an hour later, or when it is switched on again"
    )
    func refused() {
        var world = LookUpWorld(isWanted: false)
        world.answer = .refused("not permitted")
        world.tellLookUps(.wanted(true))
        world.pass(LookUpStage.retry.last - 1)
        #expect(world.asked.count == 1)
        world.pass(2)
        #expect(world.asked.count == 2)
        world.pass(60)
        world.tellLookUps(.settings(.init(isOn: false)))
        world.answer = .located(LookUpWorld.report(52))
        world.tellLookUps(.settings(.init(isOn: true)))
        #expect(world.found.count == 1)
    }

    @Test("An accuracy of 0 is unknown, and neither 0,0 nor a city is a place")
    func unusable() {
        var world = LookUpWorld(isWanted: false)
        world.answer = .located(LookUpWorld.report(52, accuracy: 0))
        world.tellLookUps(.wanted(true))
        #expect(world.found.last?.accuracy == 100)
        for report in [
            LookUpWorld.report(0), LookUpWorld.report(.nan),
            LookUpWorld.report(52, accuracy: 25_000),
        ] {
            var report = report
            if report.latitude == 0 { report.longitude = 0 }
            var other = LookUpWorld(isWanted: false)
            other.answer = .located(report)
            other.tellLookUps(.wanted(true))
            #expect(other.found.isEmpty)
            guard case .failed = other.outcome else {
                Issue.record("\(other.outcome)")
                continue
            }
        }
    }

    @Test("Whatever happens in whatever order, there is one question at a time, and each ends")
    func random() {
        let seed = TestRun.seed()
        print("HOMING_SEED=\(seed): look-ups")
        var random = SeededRandom(seed: seed)
        for _ in 0..<300 {
            var stage = LookUpStage()
            var (now, open, wakes): (Moment, Bool, Seconds?) = (
                Moment(uptime: 0, unixTime: 1_800_000_000), false, nil
            )
            var last: Seconds?
            for _ in 0..<200 {
                let event: LookUpStage.Event =
                    switch Int.random(in: 0..<9, using: &random) {
                    case 0: .settings(.init(isOn: Bool.random(using: &random)))
                    case 1: .wanted(Bool.random(using: &random))
                    case 2:
                        .links(Bool.random(using: &random) ? NetworkLinks([PlaceWorld.cafe]) : nil)
                    case 3: .sleep(Bool.random(using: &random) ? .preparing : .awake)
                    case 4: .request
                    case 5: .doubt
                    case 6: .answer(.located(LookUpWorld.report(52)))
                    case 7: .answer(.failed("x"))
                    default: .wake
                    }
                if case .answer = event { open = false }
                for effect in stage.handle(event, at: now) {
                    switch effect {
                    case .ask:
                        #expect(!open)
                        #expect(last.map { now.uptime - $0 >= LookUpStage.pause } ?? true)
                        (open, last) = (true, now.uptime)
                    case .cancel: open = false
                    case .found: break
                    case .wake(let at): wakes = at
                    }
                }
                #expect(open == stage.isAsking)
                #expect(!open || wakes.map { $0 <= now.uptime + LookUpStage.patience } ?? false)
                now = now.advanced(by: .random(in: 0...50, using: &random))
            }
        }
    }
}
