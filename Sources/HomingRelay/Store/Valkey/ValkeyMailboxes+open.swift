internal import HomingBase
internal import HomingRelayProtocol
public import HomingRuntime
internal import HomingValkey

extension ValkeyMailboxes {
    /// The result of an examination of an engine.
    public struct Finding: Sendable {
        /// `Redis 7.0.15`.
        public let version: String
        /// Addresses of the primaries.
        public let nodes: [String]
        /// Settings that must be changed, a sentence each.
        public let problems: [String]
        /// Settings that should be changed, a sentence each.
        public let warnings: [String]
        let tellsDisk: Bool
        /// The engine's time: milliseconds since 1970.
        let time: Int64
    }

    /// Examines an engine, and connects to it.
    ///
    /// - Throws: `.unfit` for an engine that must be set up otherwise; `.failed` where the engine cannot be
    ///   reached now.
    public static func open(
        _ settings: EngineSettings, limits: StoreLimits, clock: any Clockwork = SystemClock()
    ) async throws(StoreFailure) -> ValkeyMailboxes {
        let finding = try await examine(settings, clock: clock)
        guard finding.problems.isEmpty else {
            throw StoreFailure(.unfit, finding.problems.joined(separator: "; "))
        }
        for warning in finding.warnings { Log.warning(warning) }
        let ears = Ears()
        let engine = Engine(
            settings.seeds, settings.login(settings.proof(tellsDisk: finding.tellsDisk)),
            over: settings.client(), clock: clock, told: { ears.store?.heard($0) })
        let store = ValkeyMailboxes(
            engine, limits: limits, version: finding.version, firstTime: finding.time, clock: clock)
        ears.store = store
        // Counts the mailboxes, too.
        _ = try await store.answer { store.statistics($0) }
        return store
    }

    /// Passes the engine's events to the store, which is made after the engine.
    @LoopActor private final class Ears {
        weak var store: ValkeyMailboxes?
    }

    /// Looks at each primary of an engine.
    public static func examine(
        _ settings: EngineSettings, clock: any Clockwork = SystemClock()
    ) async throws(StoreFailure) -> Finding {
        let engine = Engine(
            settings.seeds, settings.login(.answer), over: settings.client(), clock: clock,
            told: { _ in })
        defer { engine.close() }
        if let problem = try await strangers(among: settings.seeds, engine) {
            throw StoreFailure(.unfit, problem)
        }
        let time = try await answer { engine.send(Command("TIME"), key: MailboxKeys.ring, $0) }
        let parts = time.array?.compactMap(\.time) ?? []
        guard parts.count == 2 else { throw .unreadable }
        var (problems, version, tellsDisk, bounded): ([String], String, Bool, Bool) = (
            [], "", true, true
        )
        if !engine.isComplete {
            problems.append(
                "not each slot of the cluster has a node: repair it with redis-cli --cluster fix")
        }
        for node in engine.nodes {
            let info = try await answer { engine.send(Command("INFO", "server"), to: node, $0) }
            let names = ["CONFIG", "GET"] + EngineExamination.settingNames
            let ask = Command(names.map { Array($0.utf8) })
            let values = try await answer { engine.send(ask, to: node, $0) }
            let found = EngineExamination(node, info: info, settings: values)
            problems += found.problems
            version = found.version
            tellsDisk = tellsDisk && found.tellsDisk
            bounded = bounded && found.isBounded
        }
        let warnings =
            bounded
            ? []
            : ["the engine has no maxmemory, and grows until the system ends it: set maxmemory"]
        return Finding(
            version: version, nodes: engine.nodes.map { "\($0)" }, problems: problems,
            warnings: warnings, tellsDisk: tellsDisk,
            time: RelayTime.milliseconds(Seconds(parts[0])) + min(parts[1], 999_999) / 1000)
    }

    /// The reason why the nodes that the configuration names are not one engine; `nil` where they are. Nodes
    /// that do not answer now tell nothing.
    private static func strangers(
        among seeds: [EngineAddress], _ engine: Engine
    ) async throws(StoreFailure) -> String? {
        guard Set(seeds).count > 1 else { return nil }
        var first: (seed: EngineAddress, nodes: Set<EngineAddress>)?
        for seed in seeds {
            let ask = Command("CLUSTER", "SLOTS")
            guard let reply = try? await answer({ engine.send(ask, to: seed, $0) }) else {
                continue
            }
            if case .error(let words) = reply, words.holds("cluster support disabled") {
                return "[store] url names several nodes, and \(seed) is no node of a cluster: "
                    + "name a single node, or the nodes of one cluster"
            }
            guard let map = SlotMap(reply, from: seed), !map.nodes.isEmpty else { continue }
            if let first, first.nodes.isDisjoint(with: map.nodes) {
                return "[store] url names nodes of two clusters, \(first.seed) and \(seed): "
                    + "name the nodes of one cluster"
            }
            first = first ?? (seed, Set(map.nodes))
        }
        return nil
    }

    /// Waits for an answer; an error of the engine's is one.
    private static func answer(
        _ ask: (@escaping EngineAnswer) -> Void
    ) async throws(StoreFailure) -> Reply {
        let result = await withCheckedContinuation { continuation in
            ask { continuation.resume(returning: $0) }
        }
        switch result {
        case .success(let reply): return reply
        case .failure(let failure):
            throw StoreFailure(.failed, "the engine cannot be reached: \(failure.description)")
        }
    }
}
