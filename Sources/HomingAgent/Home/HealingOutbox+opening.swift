internal import HomingConfiguration
internal import HomingDelivery
internal import HomingRuntime
internal import HomingSQLite

extension HealingOutbox {
    /// Opens the queue in this folder.
    static func open(
        _ settings: Configuration.Outbox, _ folders: Surroundings.Folders,
        _ clock: any Clockwork, _ report: @escaping (OutboxEvent) -> Void
    ) throws(StartFailure) -> HealingOutbox {
        let file = OutboxFile(
            stateDirectory: folders.state, runtimeDirectory: folders.runtime,
            durability: settings.durability == .crash ? .crash : .powerLoss,
            maxSize: settings.maxSize << 20)
        do throws(DatabaseError) {
            return try HealingOutbox(file, clock: { clock.now() }, report: report)
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
}
