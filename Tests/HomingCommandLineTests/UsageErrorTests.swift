import HomingCommandLine
import Testing

struct UsageErrorTests {
    /// Words that are typed, the command whose help is named, and the middle of the answer's line.
    static let cases: [(words: [String], command: String, message: String)] = [
        (["-c", "x"], "", #"a command is missing."#),
        (["stauts"], "", #"unknown command "stauts"; did you mean "status"?"#),
        (["frobnicate"], "", #"unknown command "frobnicate"."#),
        ([""], "", #"unknown command ""."#),
        (["a\nb"], "", #"unknown command "a\u{a}b"."#),
        (["config"], "config", #""config" needs one of check or example."#),
        (
            ["config", "chekc"], "",
            #"unknown command "config chekc"; did you mean "config check"?"#
        ),
        (
            ["conifg", "check"], "",
            #"unknown command "conifg check"; did you mean "config check"?"#
        ),
        (["conifg"], "", #"unknown command "conifg"; did you mean "config"?"#),
        (["config", "frobnicate"], "config", #"unknown command "config frobnicate"."#),
        (["status", "--jsno"], "status", #"unknown option "--jsno"; did you mean "--json"?"#),
        (
            ["status", "--confg=secret"], "status",
            #"unknown option "--confg"; did you mean "--config"?"#
        ),
        (["status", "-q"], "status", #"unknown option "-q"."#),
        (["status", "-jqv"], "status", #"unknown option "-q"."#),
        (["status", "-1j2"], "status", #"unknown option "-1"."#),
        (["status", "-inf"], "status", #"option "--format" needs a value, FORMAT."#),
        (["status", "--=x"], "status", #"unknown option "--"."#),
        (["--json", "status"], "", #"option "--json" belongs after its command."#),
        (["--nope", "status"], "", #"unknown option "--nope"."#),
        (["--cofnig=x", "status"], "", #"unknown option "--cofnig"; did you mean "--config"?"#),
        (["--config"], "", #"option "--config" needs a value, FILE."#),
        (["status", "--config"], "status", #"option "--config" needs a value, FILE."#),
        (["status", "-jc"], "status", #"option "--config" needs a value, FILE."#),
        (["status", "-cf", "x", "y"], "status", #"option "--format" needs a value, FORMAT."#),
        (["status", "--json=yes"], "status", #"option "--json" takes no value."#),
        (["--help=me"], "", #"option "--help" takes no value."#),
        (
            ["status", "-f", "shrot"], "status",
            #"option "--format" takes short or long, not "shrot"; did you mean "short"?"#
        ),
        (["send-location"], "send-location", #"missing LATITUDE and LONGITUDE."#),
        (["send-location", "-33.9"], "send-location", #"missing LONGITUDE."#),
        (["send-location", "1", "2", "3", "4"], "send-location", #"surplus argument "3"."#),
        (["config", "check", "x"], "config check", #"surplus argument "x"."#),
    ]

    private func explanation(
        _ words: [String], of program: ProgramDefinition = sample
    ) throws -> String {
        switch CommandLineParser(program).parse(words) {
        case .success(let invocation): try #require(nil, "taken as \(invocation)")
        case .failure(let error): error.description
        }
    }

    @Test("wrong use is answered by one line that says what was meant", arguments: cases.indices)
    func line(_ index: Int) throws {
        let (words, command, message) = Self.cases[index]
        let see = command.isEmpty ? "homing --help" : "homing \(command) --help"
        let line = try explanation(words)
        #expect(line == "homing: \(message) See \"\(see)\".")
        #expect(!line.contains("\n"))
    }

    @Test("the whole line reads well")
    func wholeLine() throws {
        #expect(
            try explanation(["stauts"])
                == #"homing: unknown command "stauts"; did you mean "status"? See "homing --help"."#
        )
    }

    @Test("a program without commands speaks of itself")
    func onlyCommand() throws {
        #expect(
            try explanation(["x"], of: daemon)
                == #"homingd: surplus argument "x". See "homingd --help"."#)
        #expect(
            try explanation(["--log-level", "inof"], of: daemon)
                == #"homingd: option "--log-level" takes error, warning, notice, info or debug, "#
                + #"not "inof"; did you mean "info"? See "homingd --help"."#)
        #expect(
            try explanation(["-c"], of: daemon)
                == #"homingd: option "--config" needs a value, FILE. See "homingd --help"."#)
    }

    @Test("a surplus word of a command that begins other commands may be one of theirs")
    func secondWord() throws {
        let homes = ProgramDefinition(
            "homing", summary: "", version: "1", options: [],
            groups: [
                (
                    "",
                    [
                        CommandDefinition("homes", summary: "List"),
                        CommandDefinition("homes remove", summary: "Forget"),
                    ]
                )
            ])
        #expect(
            try explanation(["homes", "remvoe", "cabin"], of: homes)
                == #"homing: surplus argument "remvoe"; did you mean "homes remove"? "#
                + #"See "homing homes --help"."#)
        #expect(
            try explanation(["homes", "x"], of: homes)
                == #"homing: surplus argument "x". See "homing homes --help"."#)
    }

    @Test("A surplus address is told which option takes an address")
    func address() throws {
        let url = OptionDefinition("url", value: "URL", help: "Address")
        for (options, advice) in [([url], "; type --url before the address"), ([], "")] {
            let setup = ProgramDefinition(
                "homing", summary: "", version: "1", options: [],
                groups: [("", [CommandDefinition("setup", summary: "Pair", options: options)])])
            #expect(
                try explanation(["setup", "http://ha:8123"], of: setup)
                    == #"homing: surplus argument "http://ha:8123"\#(advice). "#
                    + #"See "homing setup --help"."#)
        }
    }

    @Test("the exit code is EX_USAGE")
    func exitCode() { #expect(UsageError.exitCode == 64) }
}
