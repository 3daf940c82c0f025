public import HomingRuntime

/// Material that sensors read from: files, what signals have told, and the time.
public struct MachineView: Sendable {
    public let files: HostFiles
    public let state: MachineState
    public let now: Moment
    /// Returns the space of the file system at a mount point.
    let space: @Sendable (String) -> FileSystemSpace?

    /// - Parameter space: in place of asking the file systems of this machine.
    public init(
        files: HostFiles = HostFiles(), state: MachineState, now: Moment,
        space: (@Sendable (String) -> FileSystemSpace?)? = nil
    ) {
        self.files = files
        self.state = state
        self.now = now
        self.space = space ?? { files.space(of: $0) }
    }
}
