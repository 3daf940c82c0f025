/// What people are told of each warnable.
extension Warnable {
    /// What is wrong, in a sentence; a detail may follow it.
    public var text: String {
        switch self {
        case .notRegistered: "This machine is not registered with Home Assistant"
        case .registrationUnusable: "The stored registration cannot be used: nothing is sent"
        case .noWay: "No way to Home Assistant may be used on this network"
        case .portal: "A captive portal stands between this machine and the internet"
        case .notDelivering: "Home Assistant cannot be reached"
        case .unknownWebhook: "Home Assistant does not know this registration"
        case .keyRefused: "Home Assistant cannot open what we seal: it holds another key"
        case .gone: "The registration was deleted in Home Assistant"
        case .unauthorized: "Home Assistant or a proxy before it refuses us"
        case .trackerMissing:
            "Our device tracker is disabled in Home Assistant, or not loaded there"
        case .trackerDeleted: "Our device tracker was deleted in Home Assistant"
        case .tls: "The TLS connection to Home Assistant cannot be trusted"
        case .foreign: "Something answers in Home Assistant's place that is not ours"
        case .rejected: "Home Assistant refused a message"
        case .unencrypted: "This registration has no secret: messages travel unsealed"
        case .secretUnproven:
            "The secret of this registration came over plain HTTP: others may know it"
        case .tokenLeft: "A token that Homing made before could not be revoked in Home Assistant"
        case .registrationShared:
            "Another machine uses this registration: places of both are shown, notifications reach one"
        case .gpsdUnreachable: "gpsd cannot be reached"
        case .noReceiver: "gpsd has no GPS receiver"
        case .noFix: "The GPS receiver has had no fix for an hour"
        case .noFixNow: "The GPS receiver has no fix at the moment"
        case .fixesSkipped: "All positions of the GPS receiver are skipped"
        case .clockBehind:
            "This machine's clock is behind the GPS receiver's: its fixes are skipped"
        case .clockAhead:
            "This machine's clock is ahead of the GPS receiver's: its fixes are skipped"
        case .outboxFailed: "The outbox cannot be used as it should"
        case .outboxReplaced: "The outbox was damaged and a new one was begun"
        case .configurationKept: "The changed configuration is wrong; the old one stays in use"
        case .pushNoToken: "The registration has no token: no notifications arrive"
        case .pushTokenRefused:
            "Home Assistant refuses the token, as after it was deleted there: no notifications arrive"
        case .pushUnreachable: "The channel for notifications cannot be opened"
        case .pushRelayNoToken: "The relay for notifications has no token: it is not told"
        case .answerExpired: "An answer to a notification did not get home in time"
        case .terminalsUnreachable: "Notifications cannot be told to those on terminals"
        case .nameUnresolved: "The name of Home Assistant's host cannot be resolved"
        case .noRoute: "There is no way to Home Assistant's host, or nothing listens there"
        case .mobileAppMissing: "Home Assistant's mobile_app integration is not loaded"
        case .trackerElsewhere: "Home Assistant believes this machine to be elsewhere"
        case .clockWrong: "This machine's clock and Home Assistant's differ"
        case .homeAssistantOld: "This Home Assistant is older than those Homing is tested with"
        case .configurationWrong: "The configuration is wrong"
        case .stateUnusable: "The state folder cannot be used"
        case .filesExposed: "A file that holds a secret is open to other users"
        case .scriptsUnconfined: "Scripts can read the file that holds the secrets"
        case .diskFull: "The disk that holds the queue is almost full"
        case .daemonNotRunning: "The daemon is not running"
        case .versionsDiffer: "The daemon that runs is of another version than the command"
        case .systemBusMissing: "The system bus cannot be reached"
        case .networkManagerMissing: "NetworkManager is not there"
        case .networkUnreadable: "The name of the present Wi-Fi network cannot be read"
        case .notificationsMissing: "No notification server runs in this desktop session"
        }
    }

    /// What to do about it.
    public var hint: String {
        switch self {
        case .notRegistered: "run: homing setup"
        case .noWay:
            "list this network under [home], or use an https URL (or plain_http_away = true)"
        case .portal: "log in to the network with a browser; nothing is lost meanwhile"
        case .notDelivering: "see: homing status. What is queued is kept and sent later"
        case .unknownWebhook, .gone:
            "if the device was removed there, run: homing register --again. The queue is kept"
        case .keyRefused: "run: homing register --again. The queue is kept"
        case .registrationUnusable:
            "mend what is said of it, or run: homing register --again. The queue is kept"
        case .unauthorized: "look at the proxy's rules and at Home Assistant's ip_ban"
        case .trackerMissing: "enable the device's tracker entity in Home Assistant"
        case .trackerDeleted:
            "in Home Assistant: Settings, Devices & services, Mobile App, this device, ⋮, Reload"
        case .tls: "check the clock and [home_assistant] ca_file, client_certificate, client_key"
        case .foreign: "check the URL: another machine, a proxy or a portal has it"
        case .rejected: "see: homing status, and Home Assistant's log"
        case .unencrypted:
            "run: homing registration encrypt, best where the https address can be reached"
        case .secretUnproven:
            "run: homing register --again. Until then the token goes over https only"
        case .tokenLeft:
            "it is tried again each hour; or delete the older \"Homing on …\" in your profile, Security"
        case .registrationShared:
            "on the machine that is the copy, run: homing register --new"
        case .gpsdUnreachable: "install and start gpsd, or set [gpsd] host and port"
        case .noReceiver: "plug the receiver in, or name it in /etc/default/gpsd; see [gpsd] device"
        case .noFix, .noFixNow: "give its antenna a view of the sky"
        case .fixesSkipped:
            "homing status names the reason, and docs/troubleshooting.md the remedy"
        case .clockBehind, .clockAhead:
            "let NTP set the clock, or chrony from gpsd where there is no network"
        case .outboxFailed:
            "free space on the disk, check the rights of the state folder, look at the disk's health"
        case .outboxReplaced: "the old file was kept beside it; look at the disk's health"
        case .configurationKept, .configurationWrong: "run: homing config check"
        case .pushNoToken: "run: homing register --again, with a token; or set [push] mode = off"
        case .pushTokenRefused:
            "make a new long-lived token in Home Assistant and run: homing register --again"
        case .pushUnreachable: "see: homing status. A proxy before it has to pass WebSockets on"
        case .pushRelayNoToken:
            "name a file that the daemon can read by [push] token_file, or leave url out"
        case .answerExpired: "it was dropped, lest it act late: see [push] action_expiry"
        case .terminalsUnreachable:
            "give the service the group tty (notifications.md), or set [push] wall = false"
        case .nameUnresolved:
            "check the address and this network's name servers; a .local name needs libnss-mdns or systemd-resolved"
        case .noRoute: "check this machine's network, the port, and that Home Assistant is running"
        case .mobileAppMissing:
            "add default_config: or mobile_app: to configuration.yaml and restart Home Assistant"
        case .trackerElsewhere:
            "run: homing send-location. If it persists, see the queue in: homing status"
        case .clockWrong: "let NTP set both clocks; certificates and fixes are judged by them"
        case .homeAssistantOld: "update Home Assistant to 2024.3 or later"
        case .stateUnusable:
            "its file system must not be read-only, and the folder the daemon's own: user homing, mode 0700"
        case .filesExposed:
            "chmod 600 it; if others may have read it, run: homing register --again"
        case .scriptsUnconfined:
            "this kernel has no Landlock: run only scripts that you trust with Home Assistant's token"
        case .diskFull: "free space on it; the queue needs [outbox] max_size MiB"
        case .daemonNotRunning:
            "start it: systemctl start homing, or systemctl --user start homing. "
                + "On a new machine run: homing setup"
        case .versionsDiffer: "restart it: systemctl restart homing"
        case .systemBusMissing:
            "install and start dbus; without it networks, power and sleep are not seen"
        case .networkManagerMissing:
            "install network-manager, or let the address decide what is home"
        case .networkUnreadable: "list its bssid or connection under [home] in place of its ssid"
        case .notificationsMissing: "start your desktop's, or install one such as dunst"
        }
    }
}
