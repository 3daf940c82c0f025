public import HomingCommandLine
public import HomingSocket

/// A subcommand: its declaration, and what it does.
///
/// Long: each program declares its commands as members, in a file of their subject.
public struct Command: Sendable {
    public let definition: CommandDefinition
    /// Runs it; throws what the user is told.
    public let run: @Sendable (ParsedCommand) throws(LineError) -> ExitCode
}

extension CommandDefinition {
    /// A command that ends with the code it says.
    public func runs(
        _ run: @escaping @Sendable (ParsedCommand) throws(LineError) -> ExitCode
    ) -> Command {
        Command(definition: self, run: run)
    }

    /// A command that has done its work when it returns.
    public func runs(_ run: @escaping @Sendable (ParsedCommand) throws(LineError) -> Void)
        -> Command
    {
        runs { (command: ParsedCommand) throws(LineError) -> ExitCode in
            try run(command)
            return .done
        }
    }
}
