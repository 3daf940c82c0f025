internal import CGLib
internal import Glibc

/// A browser on the screen of whoever runs the command.
public enum Browser {
    /// Whether there is a screen of this user's own: root has none, and neither has a login by SSH
    /// without one forwarded.
    public static var isThere: Bool {
        geteuid() != 0 && (getenv("WAYLAND_DISPLAY") != nil || getenv("DISPLAY") != nil)
    }

    /// Opens the page; false if no program does that here.
    public static func open(_ page: String) -> Bool {
        start(["xdg-open", page]) || start(["gio", "open", page])
    }

    /// Starts a program found in `PATH`, which goes on when we end.
    private static func start(_ words: [String]) -> Bool {
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        let flags = GSpawnFlags(
            rawValue: G_SPAWN_SEARCH_PATH.rawValue | G_SPAWN_STDOUT_TO_DEV_NULL.rawValue
                | G_SPAWN_STDERR_TO_DEV_NULL.rawValue)
        return g_spawn_async(nil, &arguments, nil, flags, nil, nil, nil, nil) != 0
    }
}
