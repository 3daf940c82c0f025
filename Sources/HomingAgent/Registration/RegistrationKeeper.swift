internal import HomeAssistantAPI
internal import HomingControl
internal import HomingRegistration
internal import HomingRuntime

/// The registration of one home, in memory and in its file.
///
/// One at a time asks Home Assistant for something that changes the registration: Home Assistant
/// forgets the earlier of two.
@LoopActor final class RegistrationKeeper {
    /// `nil` where the home is not registered.
    private(set) var registration: Registration?
    /// Whether somebody is asking Home Assistant for a registration, or for a change of one.
    private(set) var isBusy = false
    private let log: HomeLog
    private let store: RegistrationStore
    /// Whether `registration` is what the file holds.
    private var isStored = true

    /// Throws the reason why the file cannot be read.
    init(
        folder: String, credentials: HomeCredentials, log: HomeLog
    ) throws(RegistrationError) {
        self.log = log
        store = RegistrationStore(directory: folder, credentials: credentials)
        registration = try store.load()
    }

    /// Whether there is a registration. To ask for this costs less than to copy the registration.
    var isRegistered: Bool { if case .some = registration { true } else { false } }

    /// Whether tokens of before are to be revoked.
    var hasRetiredTokens: Bool { registration?.retired?.isEmpty == false }

    /// Whether there was a registration that was deleted.
    var wasRegistered: Bool { store.wasRegistered }

    /// Works with this registration from now on.
    func use(_ registration: Registration?) { self.registration = registration }

    /// Stores the registration in its file. After a failure, `retry` tries again.
    func save(_ registration: Registration) throws(RegistrationError) {
        isStored = false
        try store.save(registration)
        isStored = true
    }

    /// Uses and stores a changed registration. The journal has the reason of a failure.
    func update(_ registration: Registration) {
        self.registration = registration
        do throws(RegistrationError) { try save(registration) } catch {
            log.error("the registration cannot be stored: \(error)")
        }
    }

    /// Stores a registration that could not be stored before.
    func retry() {
        if let registration, !isStored { update(registration) }
    }

    /// Takes the file away; the registration stays in use.
    func delete() throws(RegistrationError) { try store.delete() }

    /// The registration, if it is the one that was there before a wait.
    func same(as asked: Registration) -> Registration? {
        registration?.webhookID == asked.webhookID ? registration : nil
    }

    /// Runs work that no other such work may interrupt. Throws `.registering` if such work is under
    /// way.
    func exclusively<Value>(
        _ work: @LoopActor () async throws(ControlError) -> Value
    ) async throws(ControlError) -> Value {
        guard !isBusy else { throw .registering }
        isBusy = true
        defer { isBusy = false }
        return try await work()
    }
}
