import Glibc
import HomeAssistantAPI
import HomingControl
import HomingRuntime
import HomingStorage

/// The state folder where no daemon runs: the command reads and writes the registration itself.
struct OfflineState {
    let folder = Folders.state()
    private var store: RegistrationStore { RegistrationStore(directory: folder) }

    /// The registration there is.
    func load() throws(ControlError) -> Registration? {
        do throws(RegistrationError) { return try store.load() } catch { throw refusal(error) }
    }

    /// Makes the folder and tries whether it can be written: to be known before Home Assistant is
    /// told of a device whose registration nobody could keep.
    func prepare() throws(ControlError) {
        do throws(SystemError) {
            try Folders.make(folder)
            guard access(folder, W_OK | X_OK) == 0 else {
                throw SystemError("cannot write to \(folder)")
            }
        } catch { throw refusal(.system(error)) }
    }

    func save(_ registration: Registration) throws(ControlError) {
        do throws(RegistrationError) { try store.save(registration) } catch { throw refusal(error) }
    }

    func delete() throws(ControlError) {
        do throws(RegistrationError) { try store.delete() } catch { throw refusal(error) }
    }

    /// Where what was stored is, and for whom.
    var explanation: String {
        "No daemon runs; stored in \(place)"
    }

    /// The folder, and whose daemon looks there.
    var place: String {
        let daemon = getuid() == 0 ? "the daemon" : "a daemon of your own"
        let other = getuid() == 0 ? "" : " For the system's daemon, run it with sudo."
        return "\(folder) for \(daemon).\(other)"
    }

    /// Missing rights are a matter of who asks.
    private func refusal(_ error: RegistrationError) -> ControlError {
        guard case .system(let failure) = error, [EACCES, EPERM, EROFS].contains(failure.number)
        else { return ControlError(.failure, "\(error)") }
        let hint =
            getuid() == 0
            ? "check the rights of \(folder), and whether its file system is read-only"
            : "run it with sudo; for a daemon of your own, \(folder) must be yours"
        return ControlError(.notPermitted, "\(failure)", hint: hint)
    }
}
