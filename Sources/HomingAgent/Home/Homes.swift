internal import HomingConfiguration
internal import HomingControl
internal import HomingHealth
internal import HomingMachine
internal import HomingRegistration
internal import HomingRuntime
internal import HomingSensors
internal import HomingSettings

/// All homes of this machine. A home that cannot be opened stops no other home: opening is tried
/// again each minute.
///
/// Long: one list, and each change of the list. Which home is meant stands in a file beside.
@LoopActor final class Homes {
    /// Seconds between two attempts to open a home.
    private static let pause: Seconds = 60

    private let folders: HomeFolders
    private let surroundings: Surroundings
    private let machine: Machine
    private let report: @LoopActor (Home, Home.Event) -> Void
    private let listChanged: @LoopActor () -> Void
    private var list: [Home] = []
    /// Homes that could not be opened, and why.
    private var failures: [(name: String, failure: StartFailure)] = []
    private(set) var configuration: Loaded<Configuration>
    /// Names of homes that have not reported yet that they are drained.
    private var draining: Set<String> = []
    /// Whether `leave` is still asking homes: a home that is drained meanwhile ends nothing.
    private var isAsking = false
    private lazy var timer = WakeTimer(surroundings.clock) { [weak self] in self?.openFailed() }

    /// Opens the homes whose folders there are. Where there are no such folders, makes a home that
    /// waits for its registration.
    ///
    /// Throws the reason why the only home, or each home, cannot be opened.
    ///
    /// - Parameter listChanged: called when there are other homes than before.
    init(
        _ configuration: Loaded<Configuration>, _ surroundings: Surroundings, machine: Machine,
        listChanged: @escaping @LoopActor () -> Void,
        report: @escaping @LoopActor (Home, Home.Event) -> Void
    ) throws(StartFailure) {
        self.configuration = configuration
        self.surroundings = surroundings
        self.machine = machine
        self.report = report
        self.listChanged = listChanged
        let folders = HomeFolders(
            state: surroundings.folders.state, runtime: surroundings.folders.runtime)
        self.folders = folders
        var names: [String]
        do throws(SystemError) {
            for path in try folders.adoptEarlierFiles() {
                Log.warning("\(path) is not read: the home has its own")
            }
            names = try folders.names()
        } catch { throw StartFailure(error) }
        do throws(SystemError) {
            try folders.settleFirst()
            try folders.clear()
        } catch { Log.warning("\(error)") }
        if names.isEmpty {
            names = [first ?? HomeFolders.unnamed]
            try? folders.makeFirst(names[0])
        }
        self.configuration = configuration.with(first: first)
        for name in names { admit(name, isOneOfSeveral: names.count > 1) }
        dropUnused()
        if list.isEmpty { throw failures[0].failure }
        for (name, failure) in failures { Log.error("\(name): \(failure)") }
        for name in configuration.partNames where !self.names.contains(name) {
            Log.notice("homes/\(name).conf is not used: no home is called \(name)")
        }
        changed()
    }

    /// Removes homes that were never registered: a first home in place of which another home was
    /// registered, or the rest of a registration that failed.
    private func dropUnused() {
        for home in list where list.count > 1 && home.isUnused {
            let wasFirst = first == home.name
            if wasFirst, names.count == 2, let heir = list.first(where: { $0 !== home }) {
                do throws(ControlError) {
                    try surroundings.filesMustSuit(first: heir.name, after: home.name)
                } catch {
                    Log.warning("\(home.name) was never registered, and stays: \(error.message)")
                    continue
                }
            }
            home.stop()
            list.removeAll { $0 === home }
            Log.notice("\(home.name) was never registered and is gone")
            let heir = wasFirst && names.count == 1 ? list.first : nil
            // Before the folder is gone: a kill in between leaves a first home.
            if let heir { try? folders.makeFirst(heir.name) }
            try? folders.remove(home.name)
            configuration = configuration.with(first: first)
            guard let other = heir else { continue }
            // With the configuration and the credentials of a first home.
            other.stop()
            list = []
            admit(other.name, isOneOfSeveral: false)
        }
    }

    /// Opens a home, or notes why it cannot be opened.
    ///
    /// - Parameter index: its place among the others; the last, if not given.
    @discardableResult private func admit(
        _ name: String, isOneOfSeveral: Bool, at index: Int? = nil
    ) -> Home? {
        do throws(StartFailure) {
            let home = try open(name, isOneOfSeveral: isOneOfSeveral)
            list.insert(home, at: index ?? list.count)
            return home
        } catch {
            failures.append((name, error))
            return nil
        }
    }

    private func open(_ name: String, isOneOfSeveral: Bool) throws(StartFailure) -> Home {
        do throws(SystemError) { try folders.make(name) } catch {
            throw StartFailure(error)
        }
        let owner = Owner<Home>()
        var identity = folders.identity(of: name)
        if list.contains(where: { $0.identity == identity && $0.name != name }) {
            Log.warning("\(name) is a copy of another home: gave the copy a new id")
            identity = folders.renewIdentity(of: name)
        }
        let place = Home.Place(
            name: name, identity: identity,
            folders: (state: folders.state(of: name), runtime: folders.runtime(of: name)),
            credentials: folders.credentials(of: name), isFirst: first == name,
            isOneOfSeveral: isOneOfSeveral)
        let home = try Home(
            place, configuration.values(of: name), surroundings, machine: machine
        ) { [report] event in
            if let home = owner() { report(home, event) }
        }
        owner.set(home)
        return home
    }

    /// Handles other homes than before, or others that cannot be opened.
    private func changed() {
        for home in list { home.log.nameHome(names.count > 1) }
        let details = failures.map { "\($0.name): \($0.failure)" }
        machine.warn(.homeUnusable, !failures.isEmpty, detail: details.joined(separator: "; "))
        timer.set(at: failures.isEmpty ? nil : surroundings.clock.now().uptime + Self.pause)
        listChanged()
    }

    /// Tries again to open the homes that could not be opened.
    private func openFailed() {
        let waiting = failures
        failures = []
        for (name, _) in waiting {
            do throws(StartFailure) {
                let home = try open(name, isOneOfSeveral: true)
                list.insert(home, at: first == name ? 0 : list.count)
                home.start()
                home.log.notice("the home is open again")
            } catch { failures.append((name, error)) }
        }
        changed()
    }

    /// The home for which the keys of `agent.conf` hold that hold for one home alone.
    var first: String? { folders.first() }

    /// The homes that are open, the first home first.
    var all: [Home] { list }

    /// The only home, if it is open.
    var only: Home? { names.count == 1 ? list.first : nil }

    /// The names of all homes, open or not.
    var names: [String] { list.map(\.name) + failures.map(\.name) }

    /// The open home of that name.
    subscript(name: String) -> Home? { list.first { $0.name == name } }

    /// Returns why the home of that name cannot be opened; `nil` if the home is open, or unknown.
    func failure(of name: String) -> StartFailure? {
        failures.first { $0.name == name }?.failure
    }

    /// The name of the home with this id, if that home cannot be opened.
    func failedName(of identity: String) -> String? {
        failures.map(\.name).first { folders.identity(of: $0) == identity }
    }

    /// Paths of registrations and keys for relays, which scripts may not read: also of a home that
    /// was removed, and of an earlier version. A home's folder may be a link.
    var secretPaths: [String] {
        let state = surroundings.folders.state
        let places = names.map { folders.state(of: $0) }
        return ["\(state)/homes"] + ([state] + places).map { RegistrationStore.path(in: $0) }
            + places.map { RelayStore.path(in: $0) }
    }

    /// Makes a home that waits for its registration, and starts the home.
    func add(_ name: String) throws(ControlError) {
        let home: Home
        do throws(StartFailure) { home = try open(name, isOneOfSeveral: !list.isEmpty) } catch {
            throw ControlError(.failure, "\(error)")
        }
        list.append(home)
        changed()
        home.start()
    }

    /// Ends a home, and deletes the home with its queue. Where no home is left, an empty home takes
    /// the place.
    func remove(_ home: Home) throws(ControlError) {
        end(home)
        list.removeAll { $0 === home }
        try delete(home.name)
    }

    /// Deletes a home that cannot be opened.
    func removeFailed(_ name: String) throws(ControlError) {
        failures.removeAll { $0.name == name }
        try delete(name)
    }

    private func delete(_ name: String) throws(ControlError) {
        defer { changed() }
        var problem: SystemError?
        do throws(SystemError) { try folders.remove(name) } catch {
            problem = error
            // Such as a mount point: the home is still there, with its queue.
            if (try? folders.names())?.contains(name) ?? true {
                failures.append((name, StartFailure(error)))
            }
        }
        configuration = configuration.with(first: first)
        if names.isEmpty {
            let blank = first ?? HomeFolders.unnamed
            try? folders.makeFirst(blank)
            configuration = configuration.with(first: blank)
            admit(blank, isOneOfSeveral: false)?.start()
        }
        if let problem { throw ControlError(.failure, "\(problem)", hint: "delete it by hand") }
    }

    /// Throws if the configuration would be wrong without this home. The daemon could not start
    /// again.
    func filesMustSuit(without name: String) throws(ControlError) {
        let first = self.first
        // No home takes over the place of the first home, but for a home that is made in its place.
        let next = names.count > 1 ? (first == name ? nil : first) : first ?? HomeFolders.unnamed
        try surroundings.filesMustSuit(first: next, after: first)
    }

    /// Gives a home another name. Its queue goes along; a request under way is sent again.
    func rename(_ home: Home, to name: String) throws(ControlError) {
        guard let index = list.firstIndex(where: { $0 === home }) else { return }
        let first = self.first
        if first == home.name { try surroundings.filesMustSuit(first: name, after: first) }
        if let credential = home.ownCredential {
            throw ControlError(
                .failure,
                "the credential \(credential) has the home's name",
                hint:
                    "give the credential the new name in the service's settings. Run: systemctl daemon-reload "
                    + "and then run: systemctl restart homing. Then rename the home")
        }
        defer { changed() }
        end(home)
        let isOneOfSeveral = names.count > 1
        list.remove(at: index)
        var problem: String?
        var present = home.name
        do throws(SystemError) {
            try folders.rename(home.name, to: name)
            configuration = configuration.renaming(home.name, to: name)
            present = name
        } catch { problem = "\(error)" }
        if let renamed = admit(present, isOneOfSeveral: isOneOfSeveral, at: index) {
            // Before a script is started: its rules hide the files under the new name.
            listChanged()
            renamed.start()
        }
        problem = problem ?? failure(of: present).map { "\($0)" }
        if let problem { throw ControlError(.failure, problem) }
    }

    /// Ends a home while the others go on.
    private func end(_ home: Home) {
        // The daemon waits until all homes are drained: it no longer waits for this home.
        report(home, .drained)
        home.stop()
    }

    /// Other settings from now on, of the machine and of each home.
    func apply(_ configuration: Loaded<Configuration>) {
        self.configuration = configuration
        for home in list { home.apply(configuration.values(of: home.name)) }
        if !failures.isEmpty { openFailed() }
    }

    /// Returns the settings by which the machine observes for its homes, from this configuration.
    func machineSettings(by configuration: Loaded<Configuration>) -> Machine.Settings {
        let values = list.map { configuration.values(of: $0.name) }
        let wanting = list.filter { $0.sensors.choice != nil }
        return Machine.Settings(
            configuration.main, homes: values,
            choice: SensorChoice(
                any: wanting.map { SensorChoice(configuration.values(of: $0.name)) }))
    }

    /// The sensors that any home wants.
    var sensorChoice: SensorChoice { SensorChoice(any: list.compactMap(\.sensors.choice)) }

    /// Whether any home would use a look-up now.
    var wantLookUps: Bool { list.contains { $0.places.wantsLookUps } }

    /// Before sleep all homes are drained.
    func sleepChanged(_ state: SleepState) {
        draining = state == .preparing ? Set(list.map(\.name)) : []
        if state == .awake { timer.rearm() }
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

    /// Ends all homes.
    func stop() {
        timer.cancel()
        for home in list { home.stop() }
    }
}
