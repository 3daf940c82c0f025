internal import HomingJSON
internal import HomingRuntime

/// File with the facts that the next daemon needs, as JSON; nobody else can read the file. In the
/// runtime folder a reboot ends the file, in the state folder nothing does.
@LoopActor struct RuntimeFile<Content: Codable> {
    let path: String
    /// Bytes of what is read.
    let limit: Int
    /// Consequence if the file cannot be written or read, for the journal.
    let loss: String

    /// Reads what an earlier daemon wrote; `nil` if there is no file, or the file is not
    /// understood. Such a file is of another version, or torn.
    func load() -> Content? {
        guard let content = try? AtomicFile.read(path, limit: limit) else { return nil }
        let read = try? JSON.decode(Content.self, from: content)
        if read == nil { Log.info("\(path) is not understood: \(loss)") }
        return read
    }

    func store(_ value: Content) {
        // Text and finite numbers alone: nothing in it can fail to be encoded.
        guard let content = try? JSON.bytes(value) else { return }
        do throws(SystemError) { try AtomicFile.write(content, to: path) } catch {
            Log.warning("\(loss): \(error)")
        }
    }
}
