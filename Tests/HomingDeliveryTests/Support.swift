import Glibc
import HomingBase
import HomingSQLite
import HomingTestKit
import Testing

@testable import HomingDelivery

extension TemporaryFolder {
    /// Copies the files that a machine would find after the process was killed here.
    func copy() throws -> TemporaryFolder {
        let copy = try TemporaryFolder()
        for name in names() where name.hasPrefix("outbox") {
            try copy.write(try read(name), to: name)
        }
        return copy
    }

    /// Bytes in all files.
    func size() -> Int {
        names().reduce(0) { total, name in
            var status = stat()
            return stat(file(name), &status) == 0 ? total + Int(status.st_size) : total
        }
    }

    /// An outbox with its files here.
    func outboxFile(
        _ durability: OutboxFile.Durability = .powerLoss, maxSize: Int = 1 << 20
    ) -> OutboxFile {
        OutboxFile(
            stateDirectory: path, runtimeDirectory: path, durability: durability, maxSize: maxSize)
    }
}

extension OutboxFile {
    /// Opens it; what was met on the way comes with it.
    func opened(
        at time: Seconds, after damage: DatabaseError? = nil,
        given: [HomingDelivery.Stream: Int64] = [:]
    ) throws -> (store: any PersistentOutbox, notes: [OutboxNote]) {
        var notes: [OutboxNote] = []
        let store = try open(at: time, after: damage, given: given) { notes.append($0) }
        return (store, notes)
    }
}
