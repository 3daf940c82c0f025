/// The body of a request while it arrives, within its limits.
struct BodyIntake {
    /// Multiples of the limit that are read and dropped before the connection is closed. A client
    /// that finishes its body within them can read the refusal.
    private static let patience = 4

    private let limit: Int
    private var taken = 0
    /// The bytes that are kept.
    private(set) var bytes: [UInt8] = []
    /// The reason for which the body is refused; `nil` while the body is kept.
    private(set) var refusal: ServerRefusal?

    init(limit: Int) { self.limit = limit }

    /// Takes the next bytes.
    ///
    /// - Parameter room: bytes that may be kept beside those of all other requests.
    mutating func addBodyBytes(_ piece: some Collection<UInt8>, room: Int) {
        taken += piece.count
        guard refusal == nil else { return }
        if taken > limit {
            refuse(.bodyTooLarge(limit))
        } else if piece.count > room {
            refuse(.overloaded)
        } else {
            bytes += piece
        }
    }

    private mutating func refuse(_ refusal: ServerRefusal) {
        self.refusal = refusal
        bytes = []
    }

    /// Whether the body is so long that the rest is not read.
    var isHopeless: Bool { taken > limit * Self.patience }

    /// Whether a body of this length is refused before it is read: at once where the client waits
    /// for a word, else where it is so long that it is not waited for.
    static func refusesAtOnce(_ declared: Int, limit: Int, expectsWord: Bool) -> Bool {
        declared > (expectsWord ? limit : limit * patience)
    }
}
