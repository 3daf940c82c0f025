import HomingCommandLine
import HomingControl

/// `homing camera`: where a camera's stream is.
enum CameraCommand {
    static let command = CommandDefinition(
        "camera", summary: "Print where the stream of a camera is",
        discussion: """
            The address belongs to the way that is in use now: at home it is the instance's, \
            elsewhere that of the remote UI, if there is one. Home Assistant wants a token for \
            it, in the header Authorization: Bearer, unless the address has one in it.
            """,
        options: [Output.json],
        arguments: [ArgumentDefinition("ENTITY", help: "The camera: camera.door")],
        examples: ["homing camera camera.door": "one address a line"],
        exitCodes: .ofHomeAssistant + [0: "printed", 76: "Home Assistant has no such camera"]
    ).runs { (command: ParsedCommand) throws(ControlError) -> Void in
        let result = try ControlClient().call(
            .camera(entity: command.arguments[0]), returning: CameraResult.self)
        let lines = [result.mjpegURL, result.hlsURL].compactMap { $0 }
        Output.show(result, command, text: lines.joined(separator: "\n"))
    }
}
