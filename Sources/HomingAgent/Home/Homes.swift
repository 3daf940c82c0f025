internal import HomingConfiguration
internal import HomingMachine
internal import HomingRuntime
internal import HomingSensors

/// All homes of this machine.
@LoopActor final class Homes {
    let all: [Home]
    /// Those that have not told yet that they are drained.
    private var draining: Set<String> = []
    /// Whether `leave` is still asking homes: a home that is drained meanwhile ends nothing.
    private var isAsking = false

    init(
        _ configuration: Configuration, _ surroundings: Surroundings, machine: Machine,
        report: @escaping @LoopActor (Home, Home.Event) -> Void
    ) throws(StartFailure) {
        let events = Outlet<Home.Event>()
        let home = try Home("home", configuration, surroundings, machine: machine) {
            events.send($0)
        }
        all = [home]
        events.connect { [weak home] event in
            if let home { report(home, event) }
        }
    }

    /// The first home.
    var first: Home { all[0] }

    /// The sensors that any home wants.
    var sensorChoice: SensorChoice { SensorChoice(any: all.compactMap(\.sensors.choice)) }

    /// The same, once the homes have this configuration.
    func sensorChoice(by configuration: Configuration) -> SensorChoice {
        SensorChoice(
            any: all.filter { $0.sensors.choice != nil }.map { _ in configuration.sensors.choice })
    }

    /// Hands an event of the machine to all homes.
    func take(_ event: Machine.Event) {
        switch event {
        case .sleep(.preparing): draining = Set(all.map(\.name))
        case .sleep(.awake): draining = []
        default: break
        }
        for home in all { home.take(event) }
    }

    /// Has all homes deliver their last news. Returns whether any has such news.
    func leave() -> Bool {
        draining = Set(all.map(\.name))
        isAsking = true
        defer { isAsking = false }
        for home in all where !home.leave() { draining.remove(home.name) }
        return !draining.isEmpty
    }

    /// A home is drained. Returns whether all are.
    func noteDrained(_ home: Home) -> Bool {
        guard draining.remove(home.name) != nil else { return false }
        return draining.isEmpty && !isAsking
    }
}
