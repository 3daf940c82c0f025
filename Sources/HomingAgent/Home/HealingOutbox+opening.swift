internal import Glibc
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
            durability: OutboxFile.Durability(settings.durability),
            maxSize: settings.maxSize << 20)
        do throws(DatabaseError) {
            return try HealingOutbox(file, clock: { clock.now() }, report: report)
        } catch {
            let hint = hint(for: error.kind, in: folders.state)
            throw StartFailure(
                "cannot open the queue: \(error.message)"
                    + (hint.map { ". What to do: \($0)" } ?? ""), isForPeople: hint != nil)
        }
    }

    /// Advice for a person; `nil` for a failure that may pass by itself.
    private static func hint(for kind: DatabaseError.Kind, in folder: String) -> String? {
        switch kind {
        case .newerSchema:
            "upgrade Homing, or move the file away; what is queued in it is not sent then"
        case .readOnly:
            isReadOnly(folder)
                ? "the file system of \(folder) is read-only: mount it for writing, and look at the "
                    + "disk's health"
                : "check the owner and rights of the file and its folder"
        case .full, .damaged, .failed: nil
        }
    }

    private static func isReadOnly(_ folder: String) -> Bool {
        var status = statvfs()
        return statvfs(folder, &status) == 0 && status.f_flag & UInt(ST_RDONLY) != 0
    }
}

extension OutboxFile.Durability {
    fileprivate init(_ word: Configuration.Outbox.Durability) {
        self =
            switch word {
            case .grouped: .grouped
            case .powerLoss: .powerLoss
            case .crash: .crash
            }
    }
}
