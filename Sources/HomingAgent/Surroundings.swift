internal import HomeAssistantAPI
internal import HomingCrypto
internal import HomingHTTP
internal import HomingRuntime

/// What the agent takes from the machine it runs on, and from the world; a test may give it another.
struct Surroundings {
    /// Throws if the registration has a secret that is no key.
    typealias TransportMaker =
        @LoopActor (HTTPClient, Registration, _ outboxID: String) throws(SecretKeyError)
        -> any Transport

    var clock: any Clockwork = SystemClock()
    var folders: Agent.AgentFolders = (state: Folders.state(), runtime: Folders.runtime())
    /// Where sensors read, and where devices are watched.
    var files = HostFiles()
    /// Of the courier's chance.
    var seed = UInt64.random(in: 0...(.max))
    var transport: TransportMaker = {
        (http, registration, outboxID) throws(SecretKeyError) -> any Transport in
        try WebhookTransport(http: http, registration: registration, outboxID: outboxID)
    }
}
