import HomingBase
import HomingTestKit
import Testing

@testable import HomingMachine

/// Random histories of networks around a machine that is at home, or not.
@Suite struct PlaceHistoryTests {
    @Test("In 1000 random histories of networks what is told changes only when the truth did")
    func histories() {
        let seed = TestRun.seed()
        print("HOMING_SEED=\(seed): histories of networks")
        for number in 0..<1000 {
            var history = NetworkHistory(seed: seed &+ UInt64(number))
            history.run()
            #expect(
                history.problem == nil, "HOMING_SEED=\(seed &+ UInt64(number))")
            if history.problem != nil { return }
        }
    }

    @Test("A planted flap is found: a stage without patience is away after a blink")
    func planted() {
        var history = NetworkHistory(seed: 1)
        history.isWrong = true
        history.run()
        #expect(history.problem != nil)
    }
}

/// History of networks, and the truth beside it.
private struct NetworkHistory {
    private var world = PlaceWorld.atHome()
    private var random: SeededRandom
    /// States that the networks have shown for long enough, without repetitions.
    private var truth = ["home"]
    var isWrong = false
    private(set) var problem: String?

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    mutating func run() {
        for _ in 0..<Int.random(in: 5...60, using: &random) {
            if Bool.random(using: &random) { stayAtHome() } else { stayAway() }
            guard world.told == truth else {
                problem = "\(world.told) in place of \(truth)"
                return
            }
        }
    }

    private mutating func stayAtHome() {
        let links = [
            [PlaceWorld.wifi()], [PlaceWorld.cable()], [PlaceWorld.cable(), PlaceWorld.wifi()],
            [PlaceWorld.wifi(bssid: "02:00:00:00:01:02")], [PlaceWorld.cafe, PlaceWorld.cable()],
        ]
        let chosen = links.randomElement(using: &random) ?? []
        noise()
        world.tellPlaces(.links(NetworkLinks(chosen)))
        note("home")
        for _ in 0..<Int.random(in: 0...6, using: &random) {
            world.pass(Seconds.random(in: 0...4000, using: &random))
            noise()
            world.tellPlaces(.links(NetworkLinks(chosen)))
        }
    }

    private mutating func stayAway() {
        let links = [
            [PlaceWorld.cafe], [PlaceWorld.cable(gateway: PlaceWorld.otherGateway)],
            [PlaceWorld.wifi(bssid: "02:00:00:00:07:01", gateway: PlaceWorld.otherGateway)],
            [PlaceWorld.modem],
        ]
        noise()
        world.tellPlaces(.links(NetworkLinks(links.randomElement(using: &random) ?? [])))
        let isLong = Bool.random(using: &random)
        world.pass(
            isLong ? .random(in: 121...9000, using: &random) : .random(in: 0...115, using: &random))
        if isLong || isWrong { note("not_home") } else { world.tellPlaces(.links(nil)) }
        noise()
    }

    private mutating func note(_ state: String) {
        if truth.last != state { truth.append(state) }
    }

    /// Makes events that say nothing of a place.
    private mutating func noise() {
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            switch Int.random(in: 0..<6, using: &random) {
            case 0: world.tellPlaces(.links(NetworkLinks([])))
            case 1: world.tellPlaces(.links(nil))
            case 2: world.tellPlaces(.links(NetworkLinks([PlaceWorld.cafe], connectivity: .portal)))
            case 3:
                world.tellPlaces(
                    .links(NetworkLinks([PlaceWorld.cable(gateway: nil)], isResolving: true)))
            case 4:
                world.tellPlaces(.sleep(.preparing))
                world.pass(.random(in: 0...40_000, using: &random))
                world.tellPlaces(.sleep(.awake))
            default:
                // A blink of another network.
                world.tellPlaces(.links(NetworkLinks([PlaceWorld.cafe])))
                world.pass(.random(in: 0...100, using: &random))
                world.tellPlaces(.links(NetworkLinks([])))
            }
            world.pass(.random(in: 0...9000, using: &random))
        }
    }
}
