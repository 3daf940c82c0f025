import HomingCommandLine
import HomingControl
import HomingSocket

/// `homing camera`: where a camera's stream is.
enum CameraCommand {
    static let command = Command(
        definition: CommandDefinition(
            "camera", summary: "Print where the stream of a camera is",
            discussion: """
                The address belongs to the way that is in use now: at home it is the instance's, \
                elsewhere that of the remote UI, if there is one. Home Assistant wants a token for \
                it, in the header Authorization: Bearer, unless the address has one in it.
                """,
            options: [Output.json],
            arguments: [ArgumentDefinition("ENTITY", help: "The camera: camera.door")],
            examples: [ExampleDefinition("homing camera camera.door", help: "one address a line")],
            exitCodes: [
                ExitCodeDefinition(0, help: "printed"),
                CommonExit.notRegistered, CommonExit.notReached,
                CommonExit.refused("Home Assistant has no such camera"), CommonExit.notPermitted,
            ]),
        run: { (command: ParsedCommand) throws(ControlError) -> ExitCode in
            let params = ControlCommand.Camera(entity: command.arguments[0])
            let result = try ControlClient().call(.camera(params), returning: CameraResult.self)
            let lines = [result.mjpegURL, result.hlsURL].compactMap { $0 }
            Output.show(result, command, text: lines.joined(separator: "\n"))
            return .done
        })
}
