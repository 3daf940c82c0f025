/// What a client may ask of the daemon.
///
/// To add one: a case, its word in `ControlMethod`, its lines in `ControlCommand+wire.swift`, its
/// parameters and its result in the file of its family beside this, and its line in the daemon's
/// `ControlHandler`.
public enum ControlCommand: Equatable, Sendable {
    case status
    /// The status now and after each change, until the client goes.
    case watchStatus
    /// List the homes.
    case homes
    /// Forget a home's registration, and delete the home with its queue.
    case removeHome
    /// Give a home another name.
    case renameHome(RenameHome)
    /// Report the position now; with a zone, report that zone in place of a position.
    case sendLocation(SendLocation)
    case register(Register)
    case unregister
    /// Show the registration, without its secrets.
    case registration
    /// Tell Home Assistant what this machine is now.
    case updateRegistration(UpdateRegistration)
    /// Ask Home Assistant for a secret, for a registration that has none.
    case enableEncryption(EnableEncryption)
    /// Queue an event for Home Assistant's bus.
    case sendEvent(SendEvent)
    /// What Home Assistant is asked at once, and never queued.
    case callService(CallService)
    case renderTemplate(RenderTemplate)
    case zones
    case homeAssistantConfiguration
    case scanTag(ScanTag)
    case say(Say)
    case camera(Camera)
    /// A page of the local track log.
    case readTrack(ReadTrack)
    /// Look at each way to Home Assistant, from its name to what Home Assistant holds.
    case examine
    /// Show a notification.
    case notify(Notify)
    /// Take a notification that Home Assistant handed to the relay.
    case receiveNotification(ReceiveNotification)
    /// Ask Home Assistant anew for the categories of notifications.
    case refreshNotifications
    /// A helper in somebody's session shows notifications, until it goes: `DesktopOrder` events.
    case attendDesktop(AttendDesktop)
    /// What that helper has to tell.
    case reportDesktop(DesktopReport)
}
