internal import HomingBase

extension String {
    /// The same hint, with sudo in front of each command, for a daemon that is the system's.
    public var withSudo: String {
        ["homing", "journalctl", "systemctl start", "systemctl restart"].reduce(self) {
            text, command in
            text.replacingEach(": \(command) ", with: ": sudo \(command) ")
        }
    }

    /// The same hint for a user's own daemon, whose service and journal are the user's.
    public var withUser: String {
        replacingEach(": journalctl ", with: ": journalctl --user ")
            .replacingEach(": systemctl restart ", with: ": systemctl --user restart ")
    }
}
