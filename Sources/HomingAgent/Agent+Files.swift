internal import HomingConfiguration
internal import HomingDelivery
internal import HomingHealth
internal import HomingRuntime
internal import HomingSQLite

/// The folders and what the daemon keeps in them.
extension Agent {
    typealias AgentFolders = (state: String, runtime: String)

    /// What is kept is its owner's alone; the socket is for everybody, who is told who may do what.
    static func make(_ folders: AgentFolders) throws(StartFailure) {
        do throws(SystemError) {
            try Folders.make(folders.state, mode: 0o700)
            try Folders.make(folders.runtime, mode: 0o755)
        } catch {
            throw StartFailure("\(error)", isForPeople: !error.mayPass)
        }
    }

    static func openOutbox(
        _ configuration: Configuration, _ surroundings: Surroundings,
        onNote: @escaping (OutboxNote) -> Void
    ) throws(StartFailure) -> HealingOutbox {
        let (folders, clock) = (surroundings.folders, surroundings.clock)
        let file = OutboxFile(
            stateDirectory: folders.state, runtimeDirectory: folders.runtime,
            durability: configuration.outbox.durability == .crash ? .crash : .powerLoss,
            maxSize: configuration.outbox.maxSize << 20)
        do throws(DatabaseError) {
            return try HealingOutbox(file, clock: { clock.now() }, onNote: onNote)
        } catch {
            let hint = hint(for: error.kind)
            throw StartFailure(
                "the outbox cannot be opened: \(error.message)"
                    + (hint.map { ". What to do: \($0)" } ?? ""), isForPeople: hint != nil)
        }
    }

    /// What only a person can do; `nil` for what may pass by itself.
    private static func hint(for kind: DatabaseError.Kind) -> String? {
        switch kind {
        case .newerSchema:
            "upgrade Homing, or move the file away; what is queued in it is not sent then"
        case .readOnly:
            "check the owner and rights of the file and its folder, and that the disk may be "
                + "written to"
        case .full, .damaged, .failed: nil
        }
    }

    static func journal(_ note: OutboxNote) {
        Log.write(note.isWarning ? .warning : .info, "\(note)")
    }

    /// The changed configuration is wrong (`nil`: it is right again).
    public func configurationProblem(_ problem: String?) {
        pipeline.raise(.configurationKept, problem != nil, detail: problem)
    }

    /// Another outbox in the place of a damaged one: its rows have another name on the wire, and
    /// what is under way is of the old one.
    func outboxChanged(_ note: OutboxNote) {
        guard case .setAside(let path, _, _) = note else { return }
        pipeline.outboxReplaced(kept: path)
        guard registration != nil else { return }
        adopt(registration)
        pipeline.perform(.askPosition)
    }
}
