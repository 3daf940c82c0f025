import HomingCommandLine
import Testing

struct CommandLineParserTests {
    private func run(
        _ line: String, of program: ProgramDefinition = sample
    ) throws -> ParsedCommand {
        try run(line.split(separator: " ").map(String.init), of: program)
    }

    private func run(
        _ words: [String], of program: ProgramDefinition = sample
    ) throws -> ParsedCommand {
        let invocation = try CommandLineParser(program).parse(words).get()
        guard case .run(let command) = invocation else {
            Issue.record("\(words) is answered")
            return try #require(nil)
        }
        return command
    }

    @Test("a command of one word, and of two")
    func names() throws {
        #expect(try run("status").name == "status")
        #expect(try run("config check").name == "config check")
        #expect(try run("config check").arguments.isEmpty)
    }

    @Test(
        "the program's options are taken before and after the command, in every form",
        arguments: [
            "--config x status", "-c x status", "--config=x status", "status --config x",
            "status -c x", "status --config=x", "-c y status -c x", "-- status -c x",
        ])
    func programOptions(_ line: String) throws {
        let command = try run(line)
        #expect(command.name == "status")
        #expect(command.value("config") == "x")
        #expect(command.arguments.isEmpty)
    }

    @Test(
        "flags may be bundled, the last of them with a value",
        arguments: [
            "status -j -v -f long", "status -jvf long", "status -f long -vj", "status -fjv long",
        ])
    func bundles(_ line: String) throws {
        let command = try run(line)
        #expect(command.has("json") && command.has("verbose"))
        #expect(command.value("format") == "long")
    }

    @Test("every value of an option is kept, in order; the last one counts")
    func repeated() throws {
        let command = try run("-c 1 status --config=2 -c 3")
        #expect(command.values["config"] == ["1", "2", "3"])
        #expect(command.value("config") == "3")
        #expect(command.value("format") == nil)
    }

    @Test("a value may be empty, begin with a dash, or hold any characters")
    func values() throws {
        #expect(try run(["status", "--config="]).value("config") == "")
        #expect(try run(["status", "--config", "--json"]).value("config") == "--json")
        #expect(try run(["status", "-c", "--"]).value("config") == "--")
        #expect(try run(["status", "-c", "--json=x"]).value("config") == "--json=x")
        #expect(try run(["-c", "ä\n=ö", "status"]).value("config") == "ä\n=ö")
    }

    @Test("a negative number is an argument")
    func negativeNumbers() throws {
        #expect(try run("send-location -33.9 -.5 -a 5").arguments == ["-33.9", "-.5"])
        #expect(try run("send-location --wait -- -33.9 151").arguments == ["-33.9", "151"])
    }

    @Test("behind -- everything is an argument")
    func separator() throws {
        #expect(try run("log a -- b").arguments == ["a", "b"])
        #expect(try run("log a -- --json -- -h").arguments == ["a", "--json", "--", "-h"])
        #expect(try run("log -- --").arguments == ["--"])
        #expect(try run("log - --").arguments == ["-"])
    }

    @Test("an optional argument may be left out, a repeating one given often")
    func counts() throws {
        #expect(try run("register").arguments == [])
        #expect(try run("register --again http://x").arguments == ["http://x"])
        #expect(try run("log 1 2 3 4").arguments == ["1", "2", "3", "4"])
        #expect(try run(["log", ""]).arguments == [""])
    }

    @Test("a program may be its own only command")
    func onlyCommand() throws {
        let command = try run("--log-level debug -c x", of: daemon)
        #expect(command.name == "")
        #expect(command.value("log-level") == "debug")
        #expect(command.value("config") == "x")
        let bare = try run("", of: daemon)
        #expect(bare.flags.isEmpty && bare.values.isEmpty && bare.arguments.isEmpty)
    }
}
