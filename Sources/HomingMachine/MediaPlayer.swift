/// A media player on the session bus (MPRIS).
public struct MediaPlayer: Equatable, Sendable {
    /// Name that the player gives itself on the bus, without the common beginning: `spotify`.
    public var name: String
    public var isPlaying: Bool
    public var title: String?
    public var artist: String?
    public var album: String?

    public init(
        name: String, isPlaying: Bool, title: String? = nil, artist: String? = nil,
        album: String? = nil
    ) {
        self.name = name
        self.isPlaying = isPlaying
        self.title = title
        self.artist = artist
        self.album = album
    }
}
