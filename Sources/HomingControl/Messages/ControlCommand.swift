public import HomingJSON
public import HomingLocation

/// Request that a client may send to the daemon. The labels of the values are names on the wire.
///
/// To add one: a case with its parameters, its word in `ControlMethod`, its result in the file of
/// its family beside this, and its line in the daemon's `HomeHandler`.
public enum ControlCommand: Codable, Equatable, Sendable {
    public typealias CodingKeys = ControlMethod

    case status
    /// The status now and after each change, until the client goes.
    case watchStatus
    /// List the homes.
    case homes
    /// Forget a home's registration, and delete the home with its queue.
    case removeHome
    /// Give a home another name.
    case renameHome(to: String)
    /// Report the position now; with a zone, report that zone in place of a position, and, if
    /// `allowUnknown` says so, one that Home Assistant does not have.
    case sendLocation(zone: String?, allowUnknown: Bool? = nil)
    /// List the networks that the machine is on, and what the home knows of each.
    case networks
    /// Say that the present networks are at home, or have them forgotten.
    case judgeNetworks(areHome: Bool)
    case register(Register)
    case unregister
    /// Show the registration, without its secrets.
    case registration
    /// Tell Home Assistant what this machine is now; without a name, the device keeps its own.
    case updateRegistration(deviceName: String?)
    /// Say that this machine took the place of the machine that was registered.
    case keepRegistration
    /// Ask Home Assistant for a secret, for a registration that has none. Whether it may come over
    /// plain HTTP says a person, who knows what that means.
    case enableEncryption(overPlainHTTP: Bool)
    /// Queue an event for Home Assistant's bus; `wait` for the answer until it is delivered, or will
    /// not be. After `expires` seconds it is not delivered any more.
    case sendEvent(type: String, data: [String: JSONValue], wait: Bool, expires: Double?)
    /// Request that Home Assistant gets at once, and that is never queued.
    case callService(domain: String, service: String, data: [String: JSONValue])
    case renderTemplate(template: String, variables: [String: JSONValue])
    case zones
    case homeAssistantConfiguration
    case scanTag(tag: String)
    /// The language is a BCP 47 tag, or Home Assistant's own; `isNew` begins another conversation.
    case say(text: String, language: String?, isNew: Bool)
    case camera(entity: String)
    /// A page of the local track log, between two times in seconds since 1970, after the end of the
    /// page before.
    case readTrack(since: Double, until: Double, after: TrackCursor? = nil)
    /// Read the configuration again.
    case reload
    /// Look at each endpoint of Home Assistant, from its name to what Home Assistant holds.
    case examine
    /// Show a notification as Home Assistant would send it; its `data` is a JSON object.
    case notify(message: String, title: String? = nil, data: String? = nil)
    /// List the newest notifications.
    case notifications
    /// Take a notification that Home Assistant handed to the relay: the body of its POST to
    /// `push_url`, which holds the webhook id and is secret.
    case receiveNotification(body: String)
    /// Join a relay for notifications.
    case joinRelay(JoinRelay)
    /// Leave the relay that was joined.
    case leaveRelay
    /// See whether the relay is reached, and takes this machine's token. Costs no notification.
    case checkRelay
    /// Send a message to ourselves by the relay; whether it is also shown.
    case testRelay(isShown: Bool)
    /// Ask Home Assistant again for the categories of notifications.
    case refreshNotifications
    /// A helper in somebody's session shows notifications, until it goes: `DesktopOrder` events.
    case attendDesktop(AttendDesktop)
    /// Message from that helper to the daemon.
    case reportDesktop(DesktopReport)
}

extension ControlCommand {
    /// The name of the command's case in its coding. A command without a coding, because of a
    /// number that is none, cannot be sent.
    public var method: ControlMethod {
        let coded = try? JSONValue(encoding: self)
        return coded?.members.keys.first.flatMap { ControlMethod(rawValue: $0) } ?? .status
    }
}
