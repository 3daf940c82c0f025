/// Faults of a home: the route to its Home Assistant, our registration there, its queue and its
/// notifications.
extension Warnable {
    public static let notRegistered = Warnable(
        "not_registered", .home, .warning, id: "7264563a3c2e401183e1366b9b2d022a",
        "Not registered with Home Assistant",
        resolved: "Registered with Home Assistant", hint: "run: homing setup",
        dependsOn: [.daemonNotRunning, .daemonHangs, .twoDaemons, .usersDaemon])

    public static let registrationUnusable = Warnable(
        "registration_unusable", .home, .error, id: "9b87135ee9e341bdab965724378078e3",
        "The stored registration cannot be used: nothing is sent",
        resolved: "The stored registration can be used",
        hint: "correct the named fault, or run: homing register --again. The queue is kept",
        dependsOn: [.notRegistered])

    public static let noEndpoint = Warnable(
        "no_endpoint", .home, .error, id: "8c6fd8af3bf24ce9ac61d0e0b4211b35",
        "No endpoint of Home Assistant may be used on this network",
        resolved: "An endpoint of Home Assistant may be used on this network",
        hint:
            "at home, run: homing network home. Elsewhere use an https URL (or plain_http_away = true)",
        dependsOn: [.notRegistered])

    public static let portal = Warnable(
        "portal", .home, .warning, id: "717aac49d1344f63822bce8bbaa1e63e",
        "A captive portal stands between this machine and the internet",
        resolved: "The network gives access to the internet",
        hint: "log in to the network with a browser; nothing is lost meanwhile")

    public static let notDelivering = Warnable(
        "not_delivering", .home, .error, id: "5873b2bba6844c3b860cb61d7b8757ee",
        "Home Assistant cannot be reached",
        resolved: "Home Assistant can be reached",
        hint: "see: homing status. What is queued is kept and sent later", visibleAfter: 15 * 60,
        dependsOn: [.notRegistered, .portal, .noEndpoint, .nameUnresolved, .noRoute])

    /// Hint about a registration that Home Assistant does not have.
    private static let hintOfLostDevice =
        "if the device was removed there, run: homing register --again. If a copy of this disk took the "
        + "device, first run on the copy: homing register --new. Then run here: homing register --again "
        + "--take-over. If another daemon of this machine took the device, run: homing setup. The queue is kept"

    public static let unknownWebhook = Warnable(
        "unknown_webhook", .home, .error, id: "578f7faca55c4cbaa38bbe81d27c9446",
        "Home Assistant does not know this registration",
        resolved: "Home Assistant knows this registration",
        hint: hintOfLostDevice,
        visibleAfter: 15 * 60,
        dependsOn: [.notRegistered, .mobileAppMissing, .gone, .twoDaemons, .usersDaemon])

    public static let keyRefused = Warnable(
        "key_refused", .home, .error, id: "52f0c12381d74f29bfaae734eb76b01a",
        "Home Assistant cannot decrypt this machine's messages: it has another key",
        resolved: "Home Assistant decrypts this machine's messages",
        hint: "run: homing register --again. The queue is kept", visibleAfter: 15 * 60,
        dependsOn: [.notRegistered, .mobileAppMissing, .gone, .twoDaemons, .usersDaemon])

    public static let gone = Warnable(
        "gone", .home, .error, id: "d22addb9874142b1a06bed1892a9784f",
        "The registration was deleted in Home Assistant",
        resolved: "Home Assistant has this registration",
        hint: hintOfLostDevice,
        dependsOn: [.notRegistered, .twoDaemons, .usersDaemon])

    public static let unauthorized = Warnable(
        "unauthorized", .home, .error, id: "8b76c72d75cf4590ba948b940d781a02",
        "Home Assistant or a proxy before it refuses this machine",
        resolved: "Home Assistant accepts this machine's messages",
        hint: "look at the proxy's rules and at Home Assistant's ip_ban", visibleAfter: 15 * 60,
        dependsOn: [.notRegistered, .portal, .tls, .nameUnresolved, .noRoute])

    public static let trackerMissing = Warnable(
        "tracker_missing", .home, .warning, id: "75c9dbba0ea74afa8fecd1c36320d477",
        "This machine's device tracker is disabled in Home Assistant, or not loaded there",
        resolved: "The device tracker is loaded",
        hint: "enable the device's tracker entity in Home Assistant", visibleAfter: 15 * 60,
        dependsOn: [.unknownWebhook, .keyRefused, .gone])

    public static let trackerDeleted = Warnable(
        "tracker_deleted", .home, .warning, id: "5431dddc053b4849a9844f0d49e9f5a9",
        "This machine's device tracker was deleted in Home Assistant",
        resolved: "The device tracker exists",
        hint: "in Home Assistant: Settings, Devices & services, Mobile App, this device, ⋮, Reload",
        dependsOn: [.unknownWebhook, .keyRefused, .gone])

    public static let tls = Warnable(
        "tls", .home, .error, id: "b5d8bea3dc68402191667173d429ef96",
        "The TLS connection to Home Assistant cannot be trusted",
        resolved: "A connection to Home Assistant works",
        hint: "check the clock and [home_assistant] ca_file, client_certificate, client_key",
        dependsOn: [.notRegistered, .portal, .nameUnresolved, .noRoute])

    public static let foreign = Warnable(
        "foreign", .home, .error, id: "1d81a79e59c44029a0a17feb5fefd333",
        "Another server answers at the address of Home Assistant",
        resolved: "Home Assistant answers at its address",
        hint: "check the URL: another machine, a proxy or a portal has it", visibleAfter: 15 * 60,
        dependsOn: [.notRegistered, .portal, .tls, .nameUnresolved, .noRoute])

    public static let rejected = Warnable(
        "rejected", .home, .warning, id: "5922e177ba1540acb25dd5fd80f99fa5",
        "Home Assistant refused a message",
        resolved: "Home Assistant accepts the messages",
        hint: "see: homing status, and Home Assistant's log",
        clearsAfter: 24 * 3600)

    public static let unencrypted = Warnable(
        "unencrypted", .home, .warning, id: "0b0b2649e8c2472b8d3da878294629b4",
        "This registration has no secret: messages are not encrypted",
        resolved: "This registration has a secret: messages are encrypted",
        hint: "run: homing registration encrypt, best where the https address can be reached",
        dependsOn: [.notRegistered])

    public static let secretUnproven = Warnable(
        "secret_unproven", .home, .warning, id: "5d0c9a1be7f04e4f9d7b3a6c12e8f470",
        "The secret of this registration came over plain HTTP: others may know it",
        resolved: "The secret of this registration came with the registration itself",
        hint: "run: homing register --again. Until then the token goes over https only",
        dependsOn: [.notRegistered])

    public static let tokenLeft = Warnable(
        "token_left", .home, .warning, id: "8e61d0c47b5f4f0c9a2d35e1f7a6b904",
        "A token that Homing made before could not be revoked in Home Assistant",
        resolved: "All former tokens of Homing are revoked",
        hint: "wait: Homing tries again each hour. "
            + "Or delete the older \"Homing on …\" in your profile, Security")

    public static let registrationShared = Warnable(
        "registration_shared", .home, .warning, id: "c3b9b1f2d4864ac7a1f0e25b7c9d6e83",
        "Another machine uses this registration too: the map shows both in turn, and only one machine gets notifications",
        resolved: "This machine alone uses this registration",
        hint: "on the machine that is the copy, run: homing register --new", clearsAfter: 24 * 3600)

    public static let anotherMachine = Warnable(
        "another_machine", .home, .error, id: "6a0de4e26cda48eebbe687e08eaf9672",
        "This registration belongs to another machine: nothing is sent",
        resolved: "This registration belongs to this machine",
        hint:
            "if this machine replaces the other one, run: homing registration keep. If both are used, run "
            + "here: homing register --new")

    public static let imageCopy = Warnable(
        "image_copy", .home, .warning, id: "2c64c2765aac4a589be83eafa0ee5218",
        "This machine is a copy of an image, and is not registered yet",
        resolved: "This machine has a registration of its own",
        hint: "the machine registers by itself as soon as it can; by hand: homing setup")

    public static let outboxFailed = Warnable(
        "outbox_failed", .home, .error, id: "7c71cba9714a4311a4fe4beebc809498",
        "The queue cannot be used",
        resolved: "The queue can be used",
        hint: "free space on the disk, check the rights of the state folder, "
            + "look at the disk's health")

    public static let journalFailed = Warnable(
        "journal_failed", .home, .warning, id: "94f4773e8024485a8086b09e8f508c77",
        "Locations cannot wait in memory: each location is written to the disk at once",
        resolved: "Locations wait in memory again",
        hint: "free space in the runtime folder; if the folder was removed at a logout, run: "
            + "loginctl enable-linger")

    public static let outboxReplaced = Warnable(
        "outbox_replaced", .home, .warning, id: "f32a925692eb4d95a9602d755eec6709",
        "The queue was damaged and replaced",
        resolved: "The new queue works",
        hint: "the old file was kept beside it; look at the disk's health")

    public static let pushNoToken = Warnable(
        "push_no_token", .home, .warning, id: "5cd732228ddd47da84918fed70dd6974",
        "The registration has no token: notifications are off",
        resolved: "The registration has a token",
        hint:
            "run: homing register --again --token-file FILE. If you want no notifications, set [push] mode = off"
    )

    public static let pushTokenRefused = Warnable(
        "push_token_refused", .home, .warning, id: "e0df1f5e2d2a4218a5641f6f6ccb6b85",
        "Home Assistant refuses the token, perhaps because somebody deleted the token: notifications are off",
        resolved: "Home Assistant accepts the token",
        hint:
            "make a new long-lived token in Home Assistant, then run: homing register --again --token-file FILE"
    )

    public static let pushUnreachable = Warnable(
        "push_unreachable", .home, .warning, id: "1bb82ea87a1f4688886d6c02256d46af",
        "The channel for notifications cannot be opened",
        resolved: "The channel for notifications is open",
        hint: "see: homing status. A proxy before it has to pass WebSockets on",
        visibleAfter: 15 * 60, dependsOn: [.pushTokenRefused])

    public static let pushRelayNoToken = Warnable(
        "push_relay_no_token", .home, .warning, id: "99907f4985714d189a374f9ffe0c1470",
        "The relay for notifications has no token, so Home Assistant does not use the relay",
        resolved: "The relay for notifications has a token",
        hint: "name a file that the daemon can read by [push] token_file, or leave url out")

    public static let relayUnreachable = Warnable(
        "relay_unreachable", .home, .warning, id: "2883eb5400e54c92b15495970df9e448",
        "The relay for notifications cannot be reached",
        resolved: "The relay for notifications can be reached",
        hint: "check that the relay is running, or leave the relay: homing relay leave",
        visibleAfter: 3600)

    public static let relayRefused = Warnable(
        "relay_refused", .home, .warning, id: "67b8e60dc1e34647a998a2154f216fd1",
        "The relay refuses this machine's token: nothing arrives by the relay",
        resolved: "The relay accepts this machine's token",
        hint:
            "do what the relay says, or ask who runs the relay for a code, and run: "
            + "homing relay join URL CODE")

    public static let relayUnusable = Warnable(
        "relay_unusable", .home, .warning, id: "5d685cbe1f7445f2b3d70a7fdc5151b1",
        "The stored data of the relay cannot be used",
        resolved: "The stored data of the relay can be used",
        hint: "do what the message says, or run: homing relay join URL CODE")

    public static let answerExpired = Warnable(
        "answer_expired", .home, .warning, id: "f6810d589be84e52b16d663003cab529",
        "An answer to a notification was not delivered in time",
        resolved: "Answers to notifications are delivered in time",
        hint:
            "answer again when Home Assistant can be reached; [push] action_expiry sets the limit",
        clearsAfter: 24 * 3600)

    public static let nameUnresolved = Warnable(
        "name_unresolved", .home, .error, id: "4fe64e6d7fd24088b6b8b4db13fdd4c5",
        "The name of Home Assistant's host cannot be resolved",
        resolved: "The name of Home Assistant's host can be resolved",
        hint: "check the address, or give Home Assistant's IP address; "
            + "a .local name needs libnss-mdns or systemd-resolved",
        dependsOn: [.notRegistered, .portal])

    public static let noRoute = Warnable(
        "no_route", .home, .error, id: "37860624130547959728dd20284f4500",
        "Home Assistant's host cannot be reached, or nothing listens there",
        resolved: "Home Assistant answers at its host and port",
        hint: "check this machine's network, the port, and that Home Assistant is running",
        dependsOn: [.notRegistered, .portal])

    public static let mobileAppMissing = Warnable(
        "mobile_app_missing", .home, .error, id: "d98a2b320f1b44c2920b19224b5aefad",
        "Home Assistant's mobile_app integration is not loaded",
        resolved: "Home Assistant's mobile_app integration is loaded",
        hint: "add default_config: or mobile_app: to configuration.yaml and restart Home Assistant",
        dependsOn: [.notRegistered])

    public static let trackerElsewhere = Warnable(
        "tracker_elsewhere", .home, .warning, id: "b028309ed7804a65bc0469c15510842e",
        "Home Assistant shows this machine in another location",
        resolved: "Home Assistant shows the location of this machine",
        hint: "run: homing send-location. If it persists, see the queue in: homing status",
        dependsOn: [
            .trackerMissing, .trackerDeleted, .notDelivering, .daemonNotRunning, .daemonHangs,
        ])

    public static let clockWrong = Warnable(
        "clock_wrong", .home, .warning, id: "c6dcc98f994847dfbefad76e4cedd012",
        "This machine's clock and Home Assistant's differ",
        resolved: "This machine's clock and Home Assistant's agree",
        hint: "let NTP set both clocks; certificates and fixes are judged by them")

    public static let homeAssistantOld = Warnable(
        "home_assistant_old", .home, .warning, id: "76449542a884474ea5ea96ccd3a40af9",
        "This Home Assistant is older than those Homing is tested with",
        resolved: "This Home Assistant is among those Homing is tested with",
        hint: "update Home Assistant to 2024.3 or later")
}
