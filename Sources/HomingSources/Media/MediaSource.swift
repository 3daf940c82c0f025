public import HomingBus
public import HomingMachine
public import HomingRuntime

/// Watches media players on a session bus (MPRIS), and delivers `.media` whenever one came, went or
/// plays something else. Players on the bus are asked, none is started.
@LoopActor public final class MediaSource: Source {
    private static let prefix = "org.mpris.MediaPlayer2."
    private static let path = "/org/mpris/MediaPlayer2"
    private static let interface = "org.mpris.MediaPlayer2.Player"

    private let bus: Bus
    private let deliver: @LoopActor (Observation) -> Void
    private var connection: OpaquePointer?
    private var arrivals: BusSignal?
    private var listing: PendingCall?
    private var looking: [String: PendingCall] = [:]
    private var players: [String: BusObject] = [:]
    private var delivered: [MediaPlayer]??

    /// - Parameters:
    ///   - bus: a session bus (`Bus.sessionAddress()`); whoever made it opens it.
    ///   - deliver: gets `.media` and nothing else.
    public init(bus: Bus, deliver: @escaping @LoopActor (Observation) -> Void) {
        self.bus = bus
        self.deliver = deliver
    }

    /// Begins to watch: joins the bus, open or not yet.
    public func start() { bus.subscribe(self) }

    /// Ends it; nothing is delivered after that, until it is started again.
    public func shutdown() {
        bus.unsubscribe(self)
        release()
        delivered = nil
    }

    private func release() {
        connection = nil
        arrivals = nil
        listing?.cancel()
        listing = nil
        looking.values.forEach { $0.cancel() }
        looking = [:]
        players = [:]
    }

    private func list() {
        guard let connection else { return }
        listing = PendingCall.method(
            "ListNames", of: "org.freedesktop.DBus", at: "/org/freedesktop/DBus",
            "org.freedesktop.DBus", on: connection
        ) { [weak self] outcome in
            let names = (try? outcome.get())?.first?.list ?? []
            let players = names.compactMap(\.text).filter { $0.hasPrefix(Self.prefix) }
            self?.show(Set(players.prefix(Bound.players)))
        }
    }

    private func show(_ names: Set<String>) {
        guard let connection else { return }
        players = players.filter { names.contains($0.key) }
        looking = looking.filter { names.contains($0.key) }
        for name in names where players[name] == nil && looking[name] == nil {
            looking[name] = BusObject.look(
                at: Self.path, Self.interface, of: name, on: connection,
                changed: { [weak self] in self?.tell() },
                completion: { [weak self] outcome in
                    self?.looking[name] = nil
                    self?.players[name] = try? outcome.get()
                    self?.tell()
                })
        }
        tell()
    }

    private func tell() {
        guard looking.isEmpty else { return }
        note(
            players.sorted { $0.key < $1.key }.map { name, object in
                MediaPlayer(
                    name: String(name.dropFirst(Self.prefix.count)), properties: object.properties)
            })
    }

    private func note(_ media: [MediaPlayer]?) {
        guard delivered != .some(media) else { return }
        delivered = .some(media)
        deliver(.media(media))
    }
}

extension MediaSource: BusSubscriber {
    public func busConnected(_ connection: OpaquePointer) {
        release()
        self.connection = connection
        arrivals = BusSignal(
            "NameOwnerChanged", of: "org.freedesktop.DBus", at: "/org/freedesktop/DBus",
            from: "org.freedesktop.DBus", within: "org.mpris.MediaPlayer2", on: connection
        ) { [weak self] _, _ in self?.list() }
        list()
    }

    public func busDisconnected() {
        release()
        note(nil)
    }
}

extension MediaPlayer {
    /// Reads a player's properties (MPRIS 2.2).
    init(name: String, properties: [String: BusValue]) {
        let metadata = properties["Metadata"]?.table ?? [:]
        let artists = (metadata["xesam:artist"]?.list ?? []).compactMap(\.text)
        self.init(
            name: name, isPlaying: properties["PlaybackStatus"]?.text == "Playing",
            title: metadata["xesam:title"]?.text?.bounded(Bound.name),
            artist: artists.isEmpty
                ? nil : artists.joined(separator: ", ").bounded(Bound.name),
            album: metadata["xesam:album"]?.text?.bounded(Bound.name))
    }
}
