import Glibc
internal import HomeAssistantAPI
import HomingCommandLine
import HomingControl
import HomingRegistration
import HomingRuntime
import HomingTerminal

extension Command {
    /// `homing image prepare`: each copy of this disk becomes a device of its own.
    static let prepareImage = CommandDefinition(
        "image prepare", summary: "Mark this disk, so that each copy becomes a new device",
        discussion: """
            Run this command last before you copy the disk: the next start of Homing on this \
            machine takes the mark away. This machine stays the device that it is. A copy is known by \
            its hardware, a container by its machine id. At its first start, the copy drops the queue \
            and the track of this machine.

            A copy of a registered machine registers automatically, with the address and the token \
            of this machine. The copy gets its own token. The image contains the token: keep the image \
            secret. A copy of a machine that is not registered waits for homing setup.
            """,
        options: [OptionDefinition("undo", help: "Take the mark away")],
        examples: [
            "sudo homing image prepare": "before the disk is copied",
            "sudo homing image prepare --undo": "copies warn, and send nothing",
        ],
        exitCodes: [
            0: "marked, or the mark is gone",
            75: "another command still registers this machine",
            77: "the state folder may not be written by this user",
        ]
    ).runs { (command: ParsedCommand) throws(ControlError) -> Void in
        // A user's own folder is no part of the system's daemon.
        if OfflineState.names.isEmpty, let daemon = try? ControlClient(), daemon.isAnotherUsers {
            throw ControlError(
                .notPermitted, "you may not mark the disk of the system's daemon",
                hint: "run: sudo homing image prepare\(command.has("undo") ? " --undo" : "")")
        }
        try RegistrationLock.wait()
        let mark = ImageMark(state: Folders.state())
        let finding: ImageMark.Finding
        do throws(SystemError) {
            if command.has("undo") {
                try OfflineState.asOwner { () throws(SystemError) in try mark.remove() }
                return Terminal.print(
                    "This disk has no mark: a copy of it warns, and sends nothing.")
            }
            try Folders.make(Folders.state())
            // A copy that never started is no image: its own mark is the marked machine's.
            let machine = MachineTraits.read()
            finding = try OfflineState.asOwner { () throws(SystemError) in
                let copy = ImageCopy(state: Folders.state(), folders: OfflineState.folders)
                let finding = try copy.make(on: machine)
                if finding != .unclear { try mark.set(for: machine) }
                return finding
            }
        } catch {
            guard [EACCES, EPERM].contains(error.number) else {
                throw ControlError(
                    error.number == EROFS ? .notPermitted : .failure, "\(error)")
            }
            throw ControlError(
                .notPermitted, "\(error)",
                hint: geteuid() == 0
                    ? "check the rights of \(Folders.state())"
                    : "run: sudo homing image prepare\(command.has("undo") ? " --undo" : "")")
        }
        if finding == .unclear {
            throw ControlError(.failure, ImageMark.unclear.message, hint: ImageMark.unclear.hint)
        }
        Terminal.print(
            "This disk is marked: each copy becomes a new device at its first start.")
        Terminal.print(secretsText)
    }

    /// Text about the secrets in the image.
    private static var secretsText: String {
        let isRegistered = OfflineState.names.contains {
            (try? OfflineState.stored(of: $0)) != nil
        }
        return isRegistered
            ? "A copy registers by itself with this machine's token: keep the image secret."
            : "This machine is not registered. On each copy, run: sudo homing setup"
    }
}
