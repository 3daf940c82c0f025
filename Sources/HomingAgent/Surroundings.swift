internal import HomeAssistantAPI
internal import HomingConfiguration
internal import HomingCrypto
internal import HomingDelivery
internal import HomingHTTP
internal import HomingRuntime
internal import HomingSQLite

/// What a transport is made of.
struct TransportParts {
    let http: HTTPClient
    let registration: Registration
    /// The name of the queue on the wire.
    let outboxID: String
    /// Carries requests over the socket that is open anyway.
    let socket: SocketCarrier
    /// What a sensor is, by its unique id; `nil` for one that this machine has no more.
    let describeSensor: @LoopActor (String) -> SensorRegistration?
}

/// What the agent takes from the machine it runs on, and from the world; a test may give it another.
struct Surroundings {
    typealias Folders = (state: String, runtime: String)

    /// Throws if the registration has a secret that is no key.
    typealias TransportMaker =
        @LoopActor (TransportParts) throws(SecretKeyError) -> any Transport

    /// Throws what keeps the queue from being opened, in a sentence.
    typealias QueueMaker =
        @LoopActor (Configuration.Outbox, Folders, any Clockwork, @escaping (OutboxEvent) -> Void)
        throws(StartFailure) -> any PersistentOutbox

    typealias ObserverMaker =
        @LoopActor (
            Configuration.GPSD, HostFiles, any Clockwork,
            @escaping @LoopActor (MachineSources.Event) -> Void
        ) -> any MachineObserver

    var clock: any Clockwork = SystemClock()
    var folders: Folders = (
        state: HomingRuntime.Folders.state(), runtime: HomingRuntime.Folders.runtime()
    )
    /// Where sensors read, and where devices are watched.
    var files = HostFiles()
    /// For the jitter of courier and push channel.
    var seed = UInt64.random(in: 0...(.max))
    var observer: ObserverMaker = { MachineSources($0, files: $1, clock: $2, report: $3) }
    var queue: QueueMaker = {
        (settings, folders, clock, report) throws(StartFailure) -> any PersistentOutbox in
        try HealingOutbox.open(settings, folders, clock, report)
    }
    var transport: TransportMaker = { (parts) throws(SecretKeyError) -> any Transport in
        try WebhookTransport(parts)
    }
}
