import Glibc
import HomingRelay
import HomingRelayProtocol
import HomingRuntime
import HomingSQLite
import HomingSocket

/// The store that the configuration names, opened, with the keys that belong to it.
@LoopActor struct RelayStore {
    let store: any MailboxStore
    let ring: TokenRing
    /// Place where other relays have the same ring.
    let shared: SharedRing?

    static func open(
        _ configuration: RelayConfiguration, _ keys: KeyFile
    ) async throws(LineError) -> RelayStore {
        switch configuration.store.engine {
        case .sqlite: try await openFile(configuration, keys)
        case .valkey: try await openEngine(configuration, keys)
        }
    }

    private static func openFile(
        _ configuration: RelayConfiguration, _ keys: KeyFile
    ) async throws(LineError) -> RelayStore {
        let path = configuration.storePath(in: RelayFolders.state)
        let ring = try ring(keys, isNew: access(path, F_OK) != 0)
        let store = try await mailboxes(path, configuration.storeLimits)
        return RelayStore(store: store, ring: ring, shared: nil)
    }

    /// The first bytes of a database. https://sqlite.org/fileformat.html, section 1.3.
    private static let magic = Array("SQLite format 3\0".utf8)

    /// Looks whether the file of the mailboxes begins as a database does. To open the database would lock
    /// it, and bring it to the newest schema.
    static func examineFile(_ configuration: RelayConfiguration) throws(LineError) {
        let path = configuration.storePath(in: RelayFolders.state)
        guard configuration.store.engine == .sqlite, let file = fopen(path, "rb") else { return }
        defer { fclose(file) }
        var head = magic
        let count = fread(&head, 1, head.count, file)
        guard head == magic || count == 0 else {
            throw LineError(
                .configuration, "\(path): the file is not a database",
                hint: advice(.damaged, path))
        }
    }

    private static func mailboxes(
        _ path: String, _ limits: StoreLimits
    ) async throws(LineError) -> SQLiteMailboxes {
        do throws(DatabaseError) {
            return try await SQLiteMailboxes.open(path, limits: limits)
        } catch {
            let isLasting = [.damaged, .newerSchema, .readOnly].contains(error.kind)
            throw LineError(
                isLasting ? .configuration : .failure, error.message,
                hint: advice(error.kind, path))
        }
    }

    /// Returns advice about a file that cannot be used.
    private static func advice(_ kind: DatabaseError.Kind, _ path: String) -> String? {
        switch kind {
        case .damaged:
            "stop the relay, move all files whose names begin with \(path), such as \(path)-wal, to"
                + " another folder, and start the relay. What waits is lost, and so are blocks and"
                + " codes. The keys stay: no machine has to join again"
        case .newerSchema: "install the newer homing-relay again"
        case .readOnly: "let the relay's user write that file and into its folder"
        case .full, .failed: nil
        }
    }

    /// Relays of an engine need the same keys: no relay makes keys by itself.
    private static func openEngine(
        _ configuration: RelayConfiguration, _ keys: KeyFile
    ) async throws(LineError) -> RelayStore {
        let ring = try ring(keys, isNew: false)
        do throws(StoreFailure) {
            let settings = try EngineSettings(configuration.store)
            let store = try await ValkeyMailboxes.open(settings, limits: configuration.storeLimits)
            let shared = try await SharedRing.join(store, keys, ring)
            return RelayStore(store: store, ring: shared.ring, shared: shared)
        } catch {
            throw LineError(error.kind == .unfit ? .configuration : .failure, "\(error)")
        }
    }

    /// The keys. A relay without a store gets new ones; with a store its devices have tokens of keys
    /// that are lost.
    private static func ring(_ keys: KeyFile, isNew: Bool) throws(LineError) -> TokenRing {
        do throws(KeyFileError) { return try keys.read() } catch {
            guard error.isMissing, isNew else { throw LineError(.configuration, "\(error)") }
        }
        do throws(KeyFileError) {
            let (ring, isNew) = try keys.make()
            if isNew { Log.notice("\(keys.path) is made: put a copy into your backup") }
            return ring
        } catch { throw LineError(.failure, "\(error)") }
    }
}
