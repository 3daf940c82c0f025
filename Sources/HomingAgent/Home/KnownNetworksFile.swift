internal import HomingJSON
internal import HomingMachine
internal import HomingRuntime

/// Keeps what was learned of networks in `networks.json`, readable by its owner alone.
@LoopActor struct KnownNetworksFile {
    /// Bytes of the file.
    private static let limit = 64 << 10

    private struct Content: Codable {
        var version = 1
        var networks = KnownNetworks()
    }

    private let path: String
    private let folder: String

    /// - Parameter folder: the state folder of the home.
    init(folder: String) {
        self.folder = folder
        path = "\(folder)/networks.json"
    }

    /// The networks; none where there is no file. A damaged file is as none: what it held is learned
    /// again.
    func load(_ log: HomeLog) -> KnownNetworks {
        do throws(SystemError) {
            let bytes = try AtomicFile.read(path, limit: Self.limit)
            if let content = try? JSON.decode(Content.self, from: bytes) { return content.networks }
            log.warning("\(path) is damaged: the networks at home are learned anew")
        } catch {
            if !error.isNotFound { log.warning("the networks at home are learned anew: \(error)") }
        }
        return KnownNetworks()
    }

    func save(_ networks: KnownNetworks, _ log: HomeLog) {
        // Text and switches alone: nothing in it can fail to be encoded.
        let bytes = (try? JSON.bytes(Content(networks: networks), pretty: true)) ?? []
        do throws(SystemError) {
            try AtomicFile.write(bytes + [0x0A], to: path, owner: Folders.owner(of: folder))
        } catch {
            log.warning("what was learned of this network is not kept: \(error)")
        }
    }
}
