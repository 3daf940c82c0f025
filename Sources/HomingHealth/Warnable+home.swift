/// What can be wrong with a home: the way to its Home Assistant, our registration there, its queue
/// and its notifications.
extension Warnable {
    public static let notRegistered = Warnable(
        "not_registered", .home, .warning, id: "7264563a3c2e401183e1366b9b2d022a",
        "Not registered with Home Assistant", hint: "run: homing setup")

    public static let registrationUnusable = Warnable(
        "registration_unusable", .home, .error, id: "9b87135ee9e341bdab965724378078e3",
        "The stored registration cannot be used: nothing is sent",
        hint: "correct the named fault, or run: homing register --again. The queue is kept",
        dependsOn: [.notRegistered])

    public static let noWay = Warnable(
        "no_way", .home, .error, id: "8c6fd8af3bf24ce9ac61d0e0b4211b35",
        "No way to Home Assistant may be used on this network",
        hint:
            "list this network under [home_network], or use an https URL (or plain_http_away = true)",
        dependsOn: [.notRegistered])

    public static let portal = Warnable(
        "portal", .home, .warning, id: "717aac49d1344f63822bce8bbaa1e63e",
        "A captive portal stands between this machine and the internet",
        hint: "log in to the network with a browser; nothing is lost meanwhile")

    public static let notDelivering = Warnable(
        "not_delivering", .home, .error, id: "5873b2bba6844c3b860cb61d7b8757ee",
        "Home Assistant cannot be reached",
        hint: "see: homing status. What is queued is kept and sent later", visibleAfter: 15 * 60,
        dependsOn: [.notRegistered, .portal, .noWay, .nameUnresolved, .noRoute])

    public static let unknownWebhook = Warnable(
        "unknown_webhook", .home, .error, id: "578f7faca55c4cbaa38bbe81d27c9446",
        "Home Assistant does not know this registration",
        hint: "if the device was removed there, run: homing register --again. The queue is kept",
        visibleAfter: 15 * 60, dependsOn: [.notRegistered, .mobileAppMissing, .gone])

    public static let keyRefused = Warnable(
        "key_refused", .home, .error, id: "52f0c12381d74f29bfaae734eb76b01a",
        "Home Assistant cannot open what we seal: it holds another key",
        hint: "run: homing register --again. The queue is kept", visibleAfter: 15 * 60,
        dependsOn: [.notRegistered, .mobileAppMissing, .gone])

    public static let gone = Warnable(
        "gone", .home, .error, id: "d22addb9874142b1a06bed1892a9784f",
        "The registration was deleted in Home Assistant",
        hint: "if the device was removed there, run: homing register --again. The queue is kept",
        dependsOn: [.notRegistered])

    public static let unauthorized = Warnable(
        "unauthorized", .home, .error, id: "8b76c72d75cf4590ba948b940d781a02",
        "Home Assistant or a proxy before it refuses us",
        hint: "look at the proxy's rules and at Home Assistant's ip_ban", visibleAfter: 15 * 60,
        dependsOn: [.notRegistered, .portal, .tls, .nameUnresolved, .noRoute])

    public static let trackerMissing = Warnable(
        "tracker_missing", .home, .warning, id: "75c9dbba0ea74afa8fecd1c36320d477",
        "Our device tracker is disabled in Home Assistant, or not loaded there",
        hint: "enable the device's tracker entity in Home Assistant", visibleAfter: 15 * 60,
        dependsOn: [.unknownWebhook, .keyRefused, .gone])

    public static let trackerDeleted = Warnable(
        "tracker_deleted", .home, .warning, id: "5431dddc053b4849a9844f0d49e9f5a9",
        "Our device tracker was deleted in Home Assistant",
        hint: "in Home Assistant: Settings, Devices & services, Mobile App, this device, ⋮, Reload",
        dependsOn: [.unknownWebhook, .keyRefused, .gone])

    public static let tls = Warnable(
        "tls", .home, .error, id: "b5d8bea3dc68402191667173d429ef96",
        "The TLS connection to Home Assistant cannot be trusted",
        hint: "check the clock and [home_assistant] ca_file, client_certificate, client_key",
        dependsOn: [.notRegistered, .portal, .nameUnresolved, .noRoute])

    public static let foreign = Warnable(
        "foreign", .home, .error, id: "1d81a79e59c44029a0a17feb5fefd333",
        "Something answers in Home Assistant's place that is not ours",
        hint: "check the URL: another machine, a proxy or a portal has it", visibleAfter: 15 * 60,
        dependsOn: [.notRegistered, .portal, .tls, .nameUnresolved, .noRoute])

    public static let rejected = Warnable(
        "rejected", .home, .warning, id: "5922e177ba1540acb25dd5fd80f99fa5",
        "Home Assistant refused a message", hint: "see: homing status, and Home Assistant's log",
        clearsAfter: 24 * 3600)

    public static let unencrypted = Warnable(
        "unencrypted", .home, .warning, id: "0b0b2649e8c2472b8d3da878294629b4",
        "This registration has no secret: messages travel unsealed",
        hint: "run: homing registration encrypt, best where the https address can be reached",
        dependsOn: [.notRegistered])

    public static let secretUnproven = Warnable(
        "secret_unproven", .home, .warning, id: "5d0c9a1be7f04e4f9d7b3a6c12e8f470",
        "The secret of this registration came over plain HTTP: others may know it",
        hint: "run: homing register --again. Until then the token goes over https only",
        dependsOn: [.notRegistered])

    public static let tokenLeft = Warnable(
        "token_left", .home, .warning, id: "8e61d0c47b5f4f0c9a2d35e1f7a6b904",
        "A token that Homing made before could not be revoked in Home Assistant",
        hint: "it is tried again each hour; "
            + "or delete the older \"Homing on …\" in your profile, Security")

    public static let registrationShared = Warnable(
        "registration_shared", .home, .warning, id: "c3b9b1f2d4864ac7a1f0e25b7c9d6e83",
        "Another machine uses this registration: places of both are shown, notifications reach one",
        hint: "on the machine that is the copy, run: homing register --new", clearsAfter: 24 * 3600)

    public static let anotherMachine = Warnable(
        "another_machine", .home, .error, id: "6a0de4e26cda48eebbe687e08eaf9672",
        "This registration is of another machine: nothing is sent",
        hint:
            "if this machine took its place, run: homing registration keep. If both are used, run "
            + "here: homing register --new")

    public static let imageCopy = Warnable(
        "image_copy", .home, .warning, id: "2c64c2765aac4a589be83eafa0ee5218",
        "This machine is a copy of an image, and is not registered yet",
        hint: "the machine registers by itself as soon as it can; by hand: homing setup")

    public static let outboxFailed = Warnable(
        "outbox_failed", .home, .error, id: "7c71cba9714a4311a4fe4beebc809498",
        "The outbox cannot be used as it should",
        hint: "free space on the disk, check the rights of the state folder, "
            + "look at the disk's health")

    public static let journalFailed = Warnable(
        "journal_failed", .home, .warning, id: "94f4773e8024485a8086b09e8f508c77",
        "Positions cannot wait in memory: each is written to the disk at once",
        hint: "free space in the runtime folder; if the folder was removed at a logout, run: "
            + "loginctl enable-linger")

    public static let outboxReplaced = Warnable(
        "outbox_replaced", .home, .warning, id: "f32a925692eb4d95a9602d755eec6709",
        "The outbox was damaged and a new one was begun",
        hint: "the old file was kept beside it; look at the disk's health")

    public static let pushNoToken = Warnable(
        "push_no_token", .home, .warning, id: "5cd732228ddd47da84918fed70dd6974",
        "The registration has no token: no notifications arrive",
        hint: "run: homing register --again, with a token; or set [push] mode = off")

    public static let pushTokenRefused = Warnable(
        "push_token_refused", .home, .warning, id: "e0df1f5e2d2a4218a5641f6f6ccb6b85",
        "Home Assistant refuses the token, as after it was deleted there: no notifications arrive",
        hint: "make a new long-lived token in Home Assistant and run: homing register --again")

    public static let pushUnreachable = Warnable(
        "push_unreachable", .home, .warning, id: "1bb82ea87a1f4688886d6c02256d46af",
        "The channel for notifications cannot be opened",
        hint: "see: homing status. A proxy before it has to pass WebSockets on",
        visibleAfter: 15 * 60, dependsOn: [.pushTokenRefused])

    public static let pushRelayNoToken = Warnable(
        "push_relay_no_token", .home, .warning, id: "99907f4985714d189a374f9ffe0c1470",
        "The relay for notifications has no token: Home Assistant is not told about it",
        hint: "name a file that the daemon can read by [push] token_file, or leave url out")

    public static let relayUnreachable = Warnable(
        "relay_unreachable", .home, .warning, id: "2883eb5400e54c92b15495970df9e448",
        "The relay for notifications cannot be reached",
        hint: "check that the relay is running, or leave the relay: homing relay leave",
        visibleAfter: 3600)

    public static let relayRefused = Warnable(
        "relay_refused", .home, .warning, id: "67b8e60dc1e34647a998a2154f216fd1",
        "The relay does not take this machine's token: nothing arrives by the relay",
        hint:
            "do what the relay says, or ask who runs the relay for a code, and run: "
            + "homing relay join URL CODE")

    public static let relayUnusable = Warnable(
        "relay_unusable", .home, .warning, id: "5d685cbe1f7445f2b3d70a7fdc5151b1",
        "What this machine keeps of the relay cannot be used",
        hint: "do what the message says, or run: homing relay join URL CODE")

    public static let answerExpired = Warnable(
        "answer_expired", .home, .warning, id: "f6810d589be84e52b16d663003cab529",
        "An answer to a notification did not get home in time",
        hint: "it was dropped because it was too old: see [push] action_expiry",
        clearsAfter: 24 * 3600)

    public static let nameUnresolved = Warnable(
        "name_unresolved", .home, .error, id: "4fe64e6d7fd24088b6b8b4db13fdd4c5",
        "The name of Home Assistant's host cannot be resolved",
        hint: "check the address and this network's name servers; "
            + "a .local name needs libnss-mdns or systemd-resolved",
        dependsOn: [.notRegistered, .portal])

    public static let noRoute = Warnable(
        "no_route", .home, .error, id: "37860624130547959728dd20284f4500",
        "There is no way to Home Assistant's host, or nothing listens there",
        hint: "check this machine's network, the port, and that Home Assistant is running",
        dependsOn: [.notRegistered, .portal])

    public static let mobileAppMissing = Warnable(
        "mobile_app_missing", .home, .error, id: "d98a2b320f1b44c2920b19224b5aefad",
        "Home Assistant's mobile_app integration is not loaded",
        hint: "add default_config: or mobile_app: to configuration.yaml and restart Home Assistant",
        dependsOn: [.notRegistered])

    public static let trackerElsewhere = Warnable(
        "tracker_elsewhere", .home, .warning, id: "b028309ed7804a65bc0469c15510842e",
        "Home Assistant believes this machine to be elsewhere",
        hint: "run: homing send-location. If it persists, see the queue in: homing status",
        dependsOn: [.trackerMissing, .trackerDeleted, .notDelivering, .daemonNotRunning])

    public static let clockWrong = Warnable(
        "clock_wrong", .home, .warning, id: "c6dcc98f994847dfbefad76e4cedd012",
        "This machine's clock and Home Assistant's differ",
        hint: "let NTP set both clocks; certificates and fixes are judged by them")

    public static let homeAssistantOld = Warnable(
        "home_assistant_old", .home, .warning, id: "76449542a884474ea5ea96ccd3a40af9",
        "This Home Assistant is older than those Homing is tested with",
        hint: "update Home Assistant to 2024.3 or later")
}
