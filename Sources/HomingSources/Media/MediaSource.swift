public import HomingBus
public import HomingMachine
internal import HomingRuntime

extension ObjectsSource {
    /// Watches media players on a session bus (MPRIS): `.media`, whenever one came, went or plays
    /// something else. Players on the bus are asked, none is started.
    ///
    /// - Parameter bus: a session bus (`Bus.sessionAddress()`).
    public static func media(
        bus: Bus, deliver: @escaping @LoopActor (Observation) -> Void
    ) -> ObjectsSource {
        let (name, prefix) = ("org.freedesktop.DBus", "org.mpris.MediaPlayer2.")
        let lister = Lister(
            place: BusObjectSet.Place(name, "/org/freedesktop/DBus", name), method: "ListNames",
            signal: "NameOwnerChanged", namespace: "org.mpris.MediaPlayer2"
        ) { listed in
            listed.compactMap(\.text).filter { $0.hasPrefix(prefix) }.prefix(Bound.players).map {
                BusObjectSet.Place($0, "/org/mpris/MediaPlayer2", "\(prefix)Player")
            }
        }
        return ObjectsSource(bus: bus, listedBy: lister, deliver: deliver) { players in
            .media(
                players?.map {
                    MediaPlayer(
                        name: String($0.place.service.dropFirst(prefix.count)),
                        properties: $0.properties)
                })
        }
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
