internal import HomingBase

extension String {
    /// The same hint, with sudo in front of each command, for a daemon that is the system's.
    public var withSudo: String {
        ["homing", "journalctl", "systemctl start", "systemctl restart"].reduce(self) {
            text, command in
            text.replacingEach(": \(command) ", with: ": sudo \(command) ")
        }
    }
}
