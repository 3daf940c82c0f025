import HomingRuntime

/// Runs a shell that is confined.
enum ConfinedShell {
    struct Said {
        let ending: ChildProcess.Ending
        let output: String
        let errors: String
    }

    /// Runs a command, and returns what the shell says.
    @LoopActor static func run(
        _ command: String, in folder: String, _ confinement: Confinement
    ) async throws -> Said {
        let result: ChildProcess.Result = try await withCheckedThrowingContinuation { done in
            do throws(SystemError) {
                _ = try ChildProcess(
                    "/bin/sh", ["-c", "cd \(folder); \(command)"], timeout: 10, limit: 10_000,
                    confinement: confinement
                ) { done.resume(returning: $0) }
            } catch {
                done.resume(throwing: error)
            }
        }
        return Said(
            ending: result.ending, output: String(decoding: result.output, as: UTF8.self),
            errors: String(decoding: result.errors, as: UTF8.self))
    }
}
