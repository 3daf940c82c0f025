internal import HomingConfiguration
internal import HomingMachine
internal import HomingRegistration
internal import HomingRuntime
internal import HomingSensors
internal import HomingSettings

/// All homes of this machine.
@LoopActor final class Homes {
    private let folders: HomeFolders
    private let surroundings: Surroundings
    private let machine: Machine
    private let report: @LoopActor (Home, Home.Event) -> Void
    private var list: [Home] = []
    private var configuration: Loaded<Configuration>
    /// Those that have not told yet that they are drained.
    private var draining: Set<String> = []
    /// Whether `leave` is still asking homes: a home that is drained meanwhile ends nothing.
    private var isAsking = false

    /// Opens the homes whose folders there are; where there are none, makes one that waits for its
    /// registration.
    init(
        _ configuration: Loaded<Configuration>, _ surroundings: Surroundings, machine: Machine,
        report: @escaping @LoopActor (Home, Home.Event) -> Void
    ) throws(StartFailure) {
        self.configuration = configuration
        self.surroundings = surroundings
        self.machine = machine
        self.report = report
        let folders = HomeFolders(
            state: surroundings.folders.state, runtime: surroundings.folders.runtime)
        self.folders = folders
        let names: [String]
        do throws(SystemError) {
            for path in try folders.adoptEarlierFiles() {
                Log.warning("\(path) is not read: the home has another file of its name")
            }
            names = try folders.names()
        } catch { throw StartFailure("\(error)", isForPeople: !error.mayPass) }
        for name in names.isEmpty ? [HomeFolders.unnamed] : names { list.append(try open(name)) }
    }

    private func open(_ name: String) throws(StartFailure) -> Home {
        do throws(SystemError) { try folders.make(name) } catch {
            throw StartFailure("\(error)", isForPeople: !error.mayPass)
        }
        let events = Outlet<Home.Event>()
        let home = try Home(
            name, configuration.values(of: name),
            in: (state: folders.state(of: name), runtime: folders.runtime(of: name)),
            credentials: folders.credentials(of: name), surroundings, machine: machine
        ) { events.send($0) }
        events.connect { [weak self, weak home] event in
            if let self, let home { self.report(home, event) }
        }
        return home
    }

    /// Every home, the first one first.
    var all: [Home] { list }

    /// The first home.
    var first: Home { list[0] }

    /// The home of that name.
    subscript(name: String) -> Home? { list.first { $0.name == name } }

    /// Makes a home that waits for its registration, and starts it.
    func add(_ name: String) throws(StartFailure) -> Home {
        let home = try open(name)
        list.append(home)
        home.start()
        return home
    }

    /// Ends a home, and deletes it with its queue. Where no home is left, an empty one takes its
    /// place.
    func remove(_ home: Home) throws(StartFailure) {
        home.stop()
        list.removeAll { $0 === home }
        draining.remove(home.name)
        do throws(SystemError) { try folders.remove(home.name) } catch {
            throw StartFailure("\(error)", isForPeople: !error.mayPass)
        }
        if list.isEmpty { _ = try add(folders.first()) }
    }

    /// Gives a home another name. Its queue goes along; what is under way begins anew.
    func rename(_ home: Home, to name: String) throws(StartFailure) {
        guard let index = list.firstIndex(where: { $0 === home }) else { return }
        home.stop()
        var problem: SystemError?
        do throws(SystemError) { try folders.rename(home.name, to: name) } catch { problem = error }
        let renamed = try open(problem == nil ? name : home.name)
        list[index] = renamed
        renamed.start()
        if let problem { throw StartFailure("\(problem)", isForPeople: !problem.mayPass) }
    }

    /// What the homes have in common, and each for itself, from now on.
    func apply(_ configuration: Loaded<Configuration>) {
        self.configuration = configuration
        for home in list { home.apply(configuration.values(of: home.name)) }
    }

    /// What the machine is to observe for its homes, by this configuration.
    func machineSettings(by configuration: Loaded<Configuration>) -> Machine.Settings {
        let values = list.map { configuration.values(of: $0.name) }
        let wanting = list.filter { $0.sensors.choice != nil }
        return Machine.Settings(
            configuration.main, homes: values,
            choice: SensorChoice(
                any: wanting.map { configuration.values(of: $0.name).sensors.choice }))
    }

    /// The sensors that any home wants.
    var sensorChoice: SensorChoice { SensorChoice(any: list.compactMap(\.sensors.choice)) }

    /// Hands an event of the machine to all homes.
    func take(_ event: Machine.Event) {
        switch event {
        case .sleep(.preparing): draining = Set(list.map(\.name))
        case .sleep(.awake): draining = []
        default: break
        }
        for home in list { home.take(event) }
    }

    /// Has all homes deliver their last news. Returns whether any has such news.
    func leave() -> Bool {
        draining = Set(list.map(\.name))
        isAsking = true
        defer { isAsking = false }
        for home in list where !home.leave() { draining.remove(home.name) }
        return !draining.isEmpty
    }

    /// A home is drained. Returns whether all are.
    func noteDrained(_ home: Home) -> Bool {
        guard draining.remove(home.name) != nil else { return false }
        return draining.isEmpty && !isAsking
    }
}
