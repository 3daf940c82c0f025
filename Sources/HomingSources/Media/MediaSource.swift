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
    private let news: News
    private let players: BusObjectSet
    private var connection: OpaquePointer?
    private var arrivals: BusSignal?
    private var listing: PendingCall?

    /// - Parameters:
    ///   - bus: a session bus (`Bus.sessionAddress()`); whoever made it opens it.
    ///   - deliver: gets `.media` and nothing else.
    public init(bus: Bus, deliver: @escaping @LoopActor (Observation) -> Void) {
        self.bus = bus
        let news = News(deliver)
        self.news = news
        players = BusObjectSet { players in
            let sorted = players.sorted { $0.key.service < $1.key.service }
            news.tell(
                .media(
                    sorted.map { place, object in
                        MediaPlayer(
                            name: String(place.service.dropFirst(Self.prefix.count)),
                            properties: object.properties)
                    }))
        }
    }

    /// Begins to watch: joins the bus, open or not yet.
    public func start() { bus.subscribe(self) }

    /// Ends it; nothing is delivered after that, until it is started again.
    public func shutdown() {
        bus.unsubscribe(self)
        release()
        news.forget()
    }

    private func release() {
        connection = nil
        arrivals = nil
        listing = nil
        players.clear()
    }

    private func list() {
        guard let connection else { return }
        listing = PendingCall.method(
            "ListNames", of: "org.freedesktop.DBus", at: "/org/freedesktop/DBus",
            "org.freedesktop.DBus", on: connection
        ) { [weak self] outcome in
            let names = (try? outcome.get())?.first?.list ?? []
            let players = names.compactMap(\.text).filter { $0.hasPrefix(Self.prefix) }
            let places = players.prefix(Bound.players).map {
                BusObjectSet.Place($0, Self.path, Self.interface)
            }
            self?.players.show(places, on: connection)
        }
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
        news.tell(.media(nil))
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
