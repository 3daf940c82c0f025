internal import HomingJSON
internal import HomingMachine
internal import HomingRuntime

/// Keeps what was learned of networks in `networks.json`, readable by its owner alone.
@LoopActor struct KnownNetworksFile {
    /// Bytes of the file: 64 networks with 16 access points have half of that.
    private static let limit = 128 << 10

    private struct Content: Codable {
        var version = 1
        var networks = KnownNetworks()
    }

    private let path: String

    /// - Parameter folder: the state folder of the home.
    init(folder: String) { path = "\(folder)/networks.json" }

    /// The networks; without a file, no networks. A damaged file counts as no file.
    func load(_ log: HomeLog) -> KnownNetworks {
        do throws(SystemError) {
            let bytes = try AtomicFile.read(path, limit: Self.limit)
            if let content = try? JSON.decode(Content.self, from: bytes) { return content.networks }
            log.warning("\(path) is damaged: Homing learns the network at home at the next receipt")
        } catch {
            if !error.isNotFound {
                log.warning("\(error): Homing learns the network at home at the next receipt")
            }
        }
        return KnownNetworks()
    }

    func save(_ networks: KnownNetworks, _ log: HomeLog) {
        do {
            let bytes = try JSON.bytes(Content(networks: networks), pretty: true)
            try AtomicFile.write(bytes + [0x0A], to: path)
        } catch {
            log.warning(
                "the network at home cannot be stored, and is forgotten at the end: \(error)")
        }
    }
}
