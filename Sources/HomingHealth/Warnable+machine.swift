/// Faults of this machine, whatever home is asked.
extension Warnable {
    /// Advice for a machine that is to have no receiver.
    private static let adviceWithoutReceiver =
        "If this machine has no receiver, run: homing setup. "
        + "Keep a registration that is there, and answer y to the question about the receiver"

    public static let gpsdUnreachable = Warnable(
        "gpsd_unreachable", .machine, .warning, id: "0f6e450515f64dccb2e5d2dbaef1af49",
        "gpsd cannot be reached",
        resolved: "gpsd can be reached",
        hint:
            "if gpsd is not installed, type: sudo apt install gpsd. If gpsd does not run: sudo systemctl restart "
            + "gpsd. If gpsd is elsewhere, set [gpsd] host and port. \(adviceWithoutReceiver)",
        visibleAfter: 2 * 60, dependsOn: [.usersDaemon])

    public static let noReceiver = Warnable(
        "no_receiver", .machine, .warning, id: "4c396a67d6224999b6cf046f6006cab5",
        "gpsd has no GPS receiver",
        resolved: "gpsd has a GPS receiver",
        hint:
            "plug the receiver in. If gpsd does not find the receiver, write the receiver's device in "
            + "/etc/default/gpsd, such as DEVICES=\"/dev/ttyUSB0\", and run: sudo systemctl restart gpsd. "
            + "If [gpsd] device is set, the device must be the receiver's. \(adviceWithoutReceiver)",
        visibleAfter: 2 * 60, dependsOn: [.gpsdUnreachable, .usersDaemon])

    public static let noFix = Warnable(
        "no_fix", .machine, .warning, id: "c473b82926de4f0cb3d8d864bef60866",
        "The GPS receiver has had no fix for an hour",
        resolved: "The GPS receiver has a fix",
        hint: "give its antenna a view of the sky",
        visibleAfter: 60 * 60, dependsOn: [.gpsdUnreachable, .noReceiver])

    public static let noFixNow = Warnable(
        "no_fix_now", .machine, .warning, id: "304170d454dd461e85e04326ca950dea",
        "The GPS receiver has no fix at the moment",
        resolved: "The GPS receiver has a fix",
        hint: "give its antenna a view of the sky",
        dependsOn: [.gpsdUnreachable, .noReceiver, .noFix])

    public static let fixesSkipped = Warnable(
        "fixes_skipped", .machine, .warning, id: "a96e21cde7714ac3b0c8d3438b8b26ba",
        "All fixes of the GPS receiver are skipped",
        resolved: "Fixes of the GPS receiver are used",
        hint: "run: homing status. The line Skipped has the reason",
        visibleAfter: 2 * 60, dependsOn: [.gpsdUnreachable, .noReceiver])

    public static let homeUnusable = Warnable(
        "home_unusable", .machine, .error, id: "5f0d3a86c1e94b0f9d7c2a64be18f305",
        "A home cannot be opened: nothing is sent to its Home Assistant",
        resolved: "Every home can be opened",
        hint: "correct the named fault; Homing tries again each minute")

    public static let clockBehind = Warnable(
        "clock_behind", .machine, .warning, id: "52c07cff99634a7c9a8b5777c38a4ab4",
        "This machine's clock is behind the GPS receiver's: its fixes are skipped",
        resolved: "This machine's clock and the GPS receiver's agree",
        hint: "let NTP set the clock, or chrony from gpsd where there is no network",
        visibleAfter: 2 * 60)

    public static let clockAhead = Warnable(
        "clock_ahead", .machine, .warning, id: "7404be3073c246ef8e82f8bc81653713",
        "This machine's clock is ahead of the GPS receiver's: its fixes are skipped",
        resolved: "This machine's clock and the GPS receiver's agree",
        hint: "let NTP set the clock, or chrony from gpsd where there is no network",
        visibleAfter: 2 * 60)

    public static let configurationKept = Warnable(
        "configuration_kept", .machine, .warning, id: "59a9d6a62d874c8898265810fd0d51cc",
        "The changed configuration is wrong; the last correct configuration is in use",
        resolved: "The configuration is correct and in use",
        hint: "run: homing config check")

    public static let terminalsUnreachable = Warnable(
        "terminals_unreachable", .machine, .warning, id: "0aa604c4161448bb922a1f6106e2f16a",
        "Notifications cannot be written to terminals",
        resolved: "Notifications can be written to terminals",
        hint:
            "give the service the group tty (see the page notifications in /usr/share/doc/homing/docs), or set [push] wall = false"
    )

    public static let configurationWrong = Warnable(
        "configuration_wrong", .machine, .error, id: "05797cde4f7642d79068a6401d3c8ec5",
        "The configuration is wrong",
        resolved: "The configuration is correct", hint: "run: homing config check")

    public static let stateUnusable = Warnable(
        "state_unusable", .machine, .error, id: "db1ea9c8413b4b0e9efb3c173e718eda",
        "The state folder cannot be used",
        resolved: "The state folder can be used",
        hint: "mount its file system for writing, and give the folder to the daemon's user. "
            + "For the system's daemon: sudo chown -R homing:homing /var/lib/homing")

    /// Advice on a file with a secret that others may have read.
    public static let adviceOnExposedSecret =
        "If others may have read the file, make a new token in your profile, Security, and delete the old "
        + "token. Then run: homing register --again --token-file FILE"

    public static let filesExposed = Warnable(
        "files_exposed", .machine, .error, id: "da047bab1b1d43d39827d51def238e7f",
        "A file that holds a secret is open to other users",
        resolved: "Each file that holds a secret is closed to other users",
        hint:
            "run: chmod 600 PATH. \(adviceOnExposedSecret)"
    )

    public static let scriptsUnconfined = Warnable(
        "scripts_unconfined", .machine, .warning, id: "3f6e0f1ad3c64d5b9c0b7a7d51e2486c",
        "Scripts can read the file that holds the secrets",
        resolved: "The file that holds the secrets is hidden from scripts",
        hint: "this kernel has no Landlock: "
            + "run only scripts that you trust with Home Assistant's token")

    public static let diskFull = Warnable(
        "disk_full", .machine, .warning, id: "68072643c0db44b9880da95ed65e5ccf",
        "The disk that holds the queue is almost full",
        resolved: "The disk that holds the queue has room",
        hint: "free space on it; the queue needs [outbox] max_size MiB")

    public static let dataBudgetShort = Warnable(
        "data_budget_short", .machine, .warning, id: "752c192ede9d425faaad1db05c7e8ee4",
        "The data budget of this month does not last",
        resolved: "The data budget of this month lasts",
        hint: "raise [thrift] budget, report less ([location] min_distance, [sensors] disable), "
            + "or change nothing: events, answers and zone crossings are always sent")

    public static let daemonNotRunning = Warnable(
        "daemon_not_running", .machine, .error, id: "ebd705e4cd48426397e558c06f0258a1",
        "The daemon is not running",
        resolved: "The daemon is running",
        hint:
            "start the daemon: sudo systemctl start homing. For a daemon of your own: systemctl --user start homing. "
            + "On a new machine run: homing setup")

    public static let daemonHangs = Warnable(
        "daemon_hangs", .machine, .error, id: "51d19c086c3f407e8764976d45be758c",
        "The daemon does not answer",
        resolved: "The daemon answers",
        hint: "read the reason: journalctl -u homing. Then: systemctl restart homing")

    public static let usersDaemon = Warnable(
        "users_daemon", .machine, .warning, id: "b8d22e366f5b4600adb5bf971efbdfa5",
        "The daemon of a user runs, and not the system's daemon",
        resolved: "The system's daemon is running",
        hint:
            "if you want this daemon, type the command as that user, without sudo. If you want the system's "
            + "daemon, first type as that user: \"homing unregister\" and "
            + "\"systemctl --user disable --now homing\". Then: homing setup")

    public static let twoDaemons = Warnable(
        "two_daemons", .machine, .warning, id: "eab747acf44f40a4ac455549258a4476",
        "The daemon of a user runs beside the system's daemon",
        resolved: "One daemon is running",
        hint:
            "Home Assistant keeps only the last registration of a device, so a machine has one daemon. If you "
            + "want the system's daemon, type as that user: systemctl --user disable --now homing. Then: homing "
            + "setup. If you want the user's daemon: sudo systemctl disable --now homing. Then type as that user: "
            + "\"homing setup\""
    )

    public static let versionsDiffer = Warnable(
        "versions_differ", .machine, .warning, id: "614de75d6e4d4e40a1df9fc11c4b42ff",
        "The running daemon has another version than the command",
        resolved: "The running daemon has the version of the command",
        hint:
            "restart the daemon: systemctl restart homing. For a session helper: systemctl --user restart homing-session",
        dependsOn: [.daemonNotRunning, .daemonHangs])

    public static let systemBusMissing = Warnable(
        "system_bus_missing", .machine, .warning, id: "ce11e510894d44629c8af38033fdd969",
        "The system bus cannot be reached",
        resolved: "The system bus can be reached",
        hint: "install and start dbus; without it networks, power and sleep are not seen")

    public static let networkManagerMissing = Warnable(
        "network_manager_missing", .machine, .warning, id: "2d02b1da7f994eea88a17b4270cd1003",
        "NetworkManager is not running",
        resolved: "NetworkManager is running",
        hint: "type: sudo apt install network-manager. Or delete the names under [home_network]",
        dependsOn: [.systemBusMissing])

    public static let networkUnreadable = Warnable(
        "network_unreadable", .machine, .warning, id: "f6b7c47288dc47aea7dde3a1405a01e6",
        "The name of the present Wi-Fi network cannot be read",
        resolved: "The name of the present Wi-Fi network can be read",
        hint: "list its bssid or connection under [home_network] instead of its ssid",
        dependsOn: [.networkManagerMissing, .systemBusMissing])

    public static let notificationsMissing = Warnable(
        "notifications_missing", .machine, .warning, id: "883ee79ff6724cf3b7087deba7562e6d",
        "No notification server runs in this desktop session",
        resolved: "A notification server runs in this desktop session",
        hint: "start the desktop's notification server, or install dunst")
}
