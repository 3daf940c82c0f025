internal import HomingMachine

/// Activity of media players on the session bus; a system service lacks that bus, and says nothing.
struct MediaSensor: MachineSensor {
    static let playing = SensorDescription(
        "media_playing", "Media playing", kind: .binarySensor, icon: "mdi:music",
        urgency: .prompt,
        summary: "Whether a media player plays; only where Homing runs in a user's session.")
    static let title = SensorDescription(
        "media_title", "Media title", icon: "mdi:music-note", urgency: .prompt,
        offBecause: "it shows what you listen to and watch",
        summary: "What plays; artist, album and player are attributes.")
    static let descriptions = [playing, title]
    static let occasion = SensorOccasion.change
    static let reads = "MPRIS players"

    mutating func read(_ machine: MachineView) throws(SensorFailure) -> [SensorReading] {
        guard let players = machine.state.media else { return [] }
        let player = players.first { $0.isPlaying }
        let facts = ["player": player?.name, "artist": player?.artist, "album": player?.album]
        return [
            SensorReading(
                Self.playing, .boolean(player != nil), icon: player == nil ? "mdi:music-off" : nil),
            SensorReading(
                Self.title, .text(player.map { $0.title ?? "Untitled" } ?? "None"),
                attributes: facts.compactMapValues { $0.map { .text($0) } }),
        ]
    }
}
