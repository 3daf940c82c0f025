internal import HomeAssistantAPI
internal import HomingConfiguration
internal import HomingControl
internal import HomingCrypto
internal import HomingDelivery
internal import HomingHTTP
internal import HomingMachine
internal import HomingRuntime

/// The parts of a transport.
struct TransportParts {
    let http: HTTPClient
    let registration: Registration
    /// The name of the queue on the wire.
    let outboxID: String
    /// Carries requests over the socket that is open anyway.
    let socket: SocketCarrier
}

/// The clock, folders, files and makers that the agent uses. A test gives others.
struct Surroundings {
    typealias Folders = (state: String, runtime: String)

    /// Throws if the registration has a secret that is no key.
    typealias TransportMaker =
        @LoopActor (TransportParts) throws(SecretKeyError) -> any Transport

    /// Throws the reason why the queue cannot be opened, in a sentence.
    typealias QueueMaker =
        @LoopActor (Configuration.Outbox, Folders, any Clockwork, @escaping (OutboxEvent) -> Void)
        throws(StartFailure) -> any PersistentOutbox

    typealias ObserverMaker =
        @LoopActor (
            Configuration.GPSD, HostFiles, any Clockwork,
            @escaping @LoopActor (Observation) -> Void
        ) -> any MachineObserver

    var clock: any Clockwork = SystemClock()
    /// Writes the lines of the machine's warnings and of each home to the journal.
    var writeLine: HomeLog.Writer = { Log.write($0, $1, messageID: $2, $3) }
    var folders: Folders = (
        state: HomingRuntime.Folders.state(), runtime: HomingRuntime.Folders.runtime()
    )
    /// Files that sensors read, and in which devices are watched.
    var files = HostFiles()
    /// The files of the configuration.
    var configuration = ConfigurationFiles(path: { "" }, problem: { _ in nil }, reload: { [] })
    /// Bytes that this process has used since its start.
    var dataUsed: @LoopActor () -> Int = { TrafficMeter.total }
    /// Seed for the jitter of courier and push channel.
    var seed = UInt64.random(in: 0...(.max))
    var observer: ObserverMaker = { MachineSources($0, files: $1, clock: $2, report: $3) }
    var queue: QueueMaker = {
        (settings, folders, clock, report) throws(StartFailure) -> any PersistentOutbox in
        try HealingOutbox.open(settings, folders, clock, report)
    }
    var transport: TransportMaker = { (parts) throws(SecretKeyError) -> any Transport in
        try WebhookTransport(parts)
    }

    /// Throws if the configuration's files would be wrong with another first home, or without a first
    /// home.
    func filesMustSuit(first: String?, after former: String?) throws(ControlError) {
        // Files that are wrong already are no worse than before.
        guard first != former, configuration.problem(former) == nil,
            let error = configuration.problem(first)
        else { return }
        let state = first.map { "with \($0) as the first home" } ?? "without a first home"
        throw ControlError(
            .configuration, "\(state), the configuration would be wrong: \(error)",
            hint: "first correct the named line, or rename the home's files in homes")
    }
}
