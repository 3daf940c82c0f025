/// The paths of a relay's HTTP.
public enum RelayPath {
    /// Home Assistant posts here: `push_url`.
    public static let push = "/v1/push"
    /// Tells the count of a token's day, and counts nothing.
    public static let check = push + checkEnding
    /// The end of that path, behind `push_url`.
    public static let checkEnding = "/check"
    /// A front posts here what it has sealed.
    public static let sealed = "/v1/sealed"
    /// Tells a front the token to which it forwards a device's messages.
    public static let forward = "/v1/forward"
    /// Gives a token to a device.
    public static let join = "/v1/join"
    /// The devices' WebSocket, with `Authorization: Bearer TOKEN`.
    public static let mailbox = "/v1/mailbox"
}
