internal import HomingRelayProtocol
internal import HomingRuntime
internal import HomingServer

/// Warns of proxies that make many clients look like one client. Listens to devices with a good token
/// only: a stranger could fake the field to have a proxy trusted.
@LoopActor final class ProxyWatch {
    /// Whether requests came through a proxy that is not listed.
    private(set) var hasUnlistedProxy = false
    private var sightings = Sightings<MailboxID, ClientAddress>()
    private var hasToldOfOneAddress = false

    nonisolated init() {}

    /// Whether nearly all devices come from one address.
    var haveDevicesOneAddress: Bool { sightings.haveOneAddress }

    /// The device of a mailbox sends a request.
    func note(_ mailbox: MailboxID, _ request: ServerRequest) {
        if request.untrustedForward, !hasUnlistedProxy {
            hasUnlistedProxy = true
            Log.warning(
                "a proxy is not in [listen] trusted_proxies, so all its clients count as one: "
                    + "add the proxy's address to trusted_proxies")
        }
        sightings.note(mailbox, at: request.client.group)
        guard !hasToldOfOneAddress, sightings.haveOneAddress else { return }
        hasToldOfOneAddress = true
        Log.warning(
            "nearly all machines come from one address. If that is a proxy, list the address in "
                + "[listen] trusted_proxies, and have the proxy set X-Forwarded-For")
    }
}
