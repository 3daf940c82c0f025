/// Limits of what is kept from outside: bytes of a text in UTF-8, and the number of each kind.
/// docs/threat-model.md has the largest limits; a type has limits of its own where the type keeps
/// things.
public enum Bound {
    // MARK: Bytes

    /// The version of a program.
    public static let version = 64
    /// A machine's word of one kind: an error code, a point in time.
    public static let word = 64
    /// Name that people gave to something: a network, a song, a battery.
    public static let name = 255
    /// A state of Home Assistant's, such as a zone's name: 255 characters.
    public static let state = 1020
    /// Reason why something failed, for people.
    public static let reason = 512
    /// A URL, which is left out where it is longer.
    public static let address = 2048
    /// A token, which is refused where it is longer.
    public static let token = 8192

    // MARK: Together

    /// Texts of the notifications that wait to be shown.
    public static let waitingNotifications = 256 << 10
    /// Texts of the notifications that are shown, on all desktops together.
    public static let shownNotifications = 256 << 10
    /// Texts of the notifications whose answers may still be asked about, on one desktop.
    public static let answeredNotifications = 64 << 10
    /// Texts of the answers that wait for a session to be unlocked, with their notifications.
    public static let heldAnswers = 256 << 10
    /// Texts of all categories of notifications.
    public static let categories = 128 << 10
    /// Texts of what all scripts say.
    public static let scripts = 256 << 10
    /// The ids of all sensors that Home Assistant says it holds, or has disabled.
    public static let entityIDs = 192 << 10
    /// A property of an object on a bus, and what is kept of one that is larger.
    public static let busProperty = 1024
    public static let largeBusProperty = 8 << 10
    /// Answers that wait for a client of the control socket that may not do everything.
    public static let strangersAnswers = 64 << 10

    // MARK: How many

    /// Zones of Home Assistant.
    public static let zones = 512
    /// Sensors that Home Assistant says it holds, or has disabled.
    public static let entities = 2048
    /// Media players.
    public static let players = 16
    /// Users whose session helpers are followed.
    public static let desktops = 8
    /// Objects of one kind on a bus: sessions, batteries.
    public static let busObjects = 64
    /// Networks and VPNs that are told by name.
    public static let connections = 16
    /// IP addresses of a connection.
    public static let addresses = 16
    /// Requests of somebody at this machine who waits: for locations, for notifications.
    public static let waiters = 64
    /// Answers whose end is followed, and reasons that are remembered in a list.
    public static let remarks = 128
}

extension String {
    /// The text within so many bytes of UTF-8, cut before a scalar. It shares no storage with a text
    /// that was cut.
    public func bounded(_ bytes: Int) -> String {
        guard utf8.count > bytes else { return self }
        var end = utf8.index(utf8.startIndex, offsetBy: bytes)
        while end > utf8.startIndex, utf8[end] & 0xC0 == 0x80 { end = utf8.index(before: end) }
        return String(decoding: Array(utf8[..<end]), as: UTF8.self)
    }

    /// The text, unless it is longer: what is worth nothing when it is cut.
    public func whole(within bytes: Int) -> String? { utf8.count <= bytes ? self : nil }
}
