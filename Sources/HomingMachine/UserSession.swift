/// Somebody's session on the machine, as logind describes it.
public struct UserSession: Equatable, Sendable {
    /// The user's name.
    public var user: String
    /// Whether it is at the machine itself, and not over the network.
    public var isLocal: Bool
    /// Whether it has a graphical display, which can be locked.
    public var isGraphical: Bool
    /// Whether it is the one in front.
    public var isActive: Bool
    public var isLocked: Bool
    /// Whether nobody has touched it for a while, by the desktop's reckoning.
    public var isIdle: Bool
    /// The user's number.
    public var userID: UInt32?

    public init(
        user: String, isLocal: Bool, isGraphical: Bool, isActive: Bool, isLocked: Bool = false,
        isIdle: Bool = false, userID: UInt32? = nil
    ) {
        self.user = user
        self.userID = userID
        self.isLocal = isLocal
        self.isGraphical = isGraphical
        self.isActive = isActive
        self.isLocked = isLocked
        self.isIdle = isIdle
    }
}
