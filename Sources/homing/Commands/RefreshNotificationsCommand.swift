import HomingCommandLine
import HomingControl

/// `homing notifications refresh`: the categories of notifications, asked anew.
enum RefreshNotificationsCommand {
    static let command = CommandDefinition(
        "notifications refresh", summary: "Ask Home Assistant anew for categories of actions",
        discussion: """
            Categories are the older scheme of actionable notifications: ios: push: \
            categories: in Home Assistant's configuration.yaml. They are asked whenever the \
            channel for notifications is opened; this is for those who have just changed them.
            """,
        exitCodes: .ofQueue + [0: "asked", 75: "Home Assistant cannot be asked now"]
    ).runs(run)

    private static func run(_ command: ParsedCommand) throws(ControlError) {
        let result = try ControlClient().call(.refreshNotifications, returning: RefreshResult.self)
        for problem in result.problems { Terminal.print("Note: \(problem)") }
        guard let count = result.categories else {
            Terminal.print("Home Assistant has no categories: its ios integration is not set up.")
            if result.kept > 0 {
                Terminal.print("It may be starting: those of before are kept for five minutes.")
            }
            return
        }
        Terminal.print("\(count) \(count == 1 ? "category" : "categories") can be used.")
    }
}
