internal import HomingRelayProtocol
internal import HomingServer
public import HomingSettings

/// Everything `relay.conf` and its drop-ins decide, with the defaults where the files say nothing.
///
/// Each section is a file under `Sections/`: its values, and the table of its keys.
public struct RelayConfiguration: Equatable, Sendable {
    /// `[listen]`.
    public var listen = Listen()
    /// `[join]`.
    public var join = Join()
    /// `[limits]`.
    public var limits = Limits()
    /// `[store]`.
    public var store = Store()
    /// `[forward]`.
    public var forward = Forward()
    /// `[keys]`.
    public var keys = Keys()
    /// `[log]`.
    public var log = Log()

    /// All defaults.
    public init() {}

    /// Every section, key and rule.
    public static let table = Table(
        defaults: RelayConfiguration(),
        sections: [
            listenSection, joinSection, limitsSection, storeSection, forwardSection, keysSection,
            logSection,
        ],
        rules: Rule.all,
        introduction: """
            Configuration of Homing's push relay: /etc/homing/relay.conf. Files relay.conf.d/*.conf \
            beside it are read after it, in the order of their names. Their keys replace \
            what came before.

            Every key has a default, shown here behind a "#". Numbers are whole, in the unit \
            named; lists are separated by ";". A comment stands on a separate line. No key, code or \
            other secret belongs here.

            "homing-relay check" finds mistakes in these files. "sudo systemctl restart \
            homing-relay" applies changes. The pages named here are in \
            /usr/share/doc/homing-relay.
            """,
        secretsPlace: "\"homing-relay init\" stores secrets elsewhere")

    /// Returns the path of the file that holds the mailboxes.
    ///
    /// - Parameter state: the folder of the service's state.
    public func storePath(in state: String) -> String { store.path ?? "\(state)/mailboxes.db" }

    /// The bounds of the store.
    public var storeLimits: StoreLimits {
        var limits = StoreLimits()
        limits.maximum = self.limits.maximum
        limits.commands = self.limits.commands
        limits.messages = self.limits.messages
        limits.mailboxBytes = self.limits.mailboxKiB << 10
        limits.bytes = store.maxSize << 20
        limits.mailboxes = store.mailboxes
        return limits
    }

    /// The bounds of the server's clients.
    var serverLimits: ServerLimits {
        var server = ServerLimits()
        server.connections = limits.connections
        server.perAddress = limits.perAddress
        server.buffered = limits.memory << 20
        server.silence = RelayService.deviceSilence
        server.largeBodies = [RelayPath.sealed: SealedRequest.limit]
        // The relay answers before; this is for what it forgets.
        server.answerTime = RelayService.answerTime + 1
        return server
    }
}
