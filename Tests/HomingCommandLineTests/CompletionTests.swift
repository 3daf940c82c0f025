import HomingCommandLine
import Testing

/// Words that the shells are offered in place of the last word.
struct CompletionTests {
    private static let pigeon = ProgramDefinition(
        "pigeon", summary: "carries it", version: "1.2.3",
        options: [
            OptionDefinition("loft", value: "NAME", suggested: { ["blue", "red"] }, help: "Where"),
            OptionDefinition("map", short: "m", value: "FILE", help: "Of the land"),
        ],
        groups: [
            (
                "Fly",
                [
                    CommandDefinition(
                        "log", summary: "Write",
                        options: [
                            OptionDefinition(
                                "level", short: "l", value: "LEVEL", allowed: ["low", "high"],
                                help: "How much"),
                            OptionDefinition("name", value: "NAME", help: "Whose"),
                        ], arguments: [ArgumentDefinition("FILE", .any, help: "What to read")]),
                    CommandDefinition("route show", summary: "Show the route"),
                    CommandDefinition("route draw", summary: "Draw the route"),
                    CommandDefinition("nest", summary: "List nests"),
                    CommandDefinition(
                        "nest move", summary: "Move a nest",
                        arguments: [
                            ArgumentDefinition(
                                "NEST", suggested: { ["oak", "elm"] }, help: "Which"),
                            ArgumentDefinition("PLACE", help: "Where to"),
                        ]),
                ]
            )
        ])

    /// - Parameter line: the words behind the program's name; the last one is completed.
    private func offered(
        _ line: String, of program: ProgramDefinition = pigeon
    ) throws -> [String] {
        let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        let answer = try CommandLineParser(program).parse(["__complete", "--"] + words).get()
        guard case .answer(let text) = answer else { return ["no answer"] }
        #expect(text.isEmpty || text.hasSuffix("\n"))
        return text.split(separator: "\n").map(String.init)
    }

    @Test("words that lead to others are offered once, in their order, with their help")
    func words() throws {
        #expect(
            try offered("") == ["log\tWrite", "route\tshow or draw", "nest\tList nests"])
        #expect(try offered("ro") == offered(""))
        #expect(try offered("route ") == ["show\tShow the route", "draw\tDraw the route"])
        #expect(try offered("nest ") == ["move\tMove a nest"])
    }

    private static let everywhere = [
        "--loft\tWhere", "-m\tOf the land", "--map\tOf the land", "-h\tShow this help",
        "--help\tShow this help", "--version\tShow the version",
    ]

    @Test("options are offered to a dash, and where nothing else may stand")
    func options() throws {
        #expect(try offered("-") == Self.everywhere)
        #expect(try offered("route show ") == Self.everywhere)
        #expect(
            try offered("log --l")
                == ["-l\tHow much", "--level\tHow much", "--name\tWhose"] + Self.everywhere)
        #expect(
            try offered("--", of: daemon).map { $0.prefix { $0 != "\t" } } == [
                "-c", "--config", "--log-level", "-h", "--help", "--version",
            ])
    }

    @Test(
        "the value of an option is what the table allows, a file, what is suggested, or anything",
        arguments: [
            ("log --level ", ["low", "high"]), ("log -l ", ["low", "high"]),
            ("log --level = ", ["low", "high"]), ("log --level =", ["low", "high"]),
            ("log --level = h", ["low", "high"]),
            ("log --level=", ["--level=low", "--level=high"]),
            ("log --level=h", ["--level=low", "--level=high"]),
            ("--map ", [":files"]), ("-m x", [":files"]), ("--map=x", [":files"]),
            ("route show --map ", [":files"]), ("--loft ", ["blue", "red"]),
            ("log --name ", []), ("log --unknown=", []),
        ])
    func values(_ line: String, _ wanted: [String]) throws {
        #expect(try offered(line) == wanted)
    }

    @Test("options before the last word, and their values, lead nowhere")
    func passed() throws {
        for line in ["--loft log ", "--map=x ", "--map = x ", "-h ", "-- "] {
            #expect(try offered(line) == offered(""), "\(line)")
        }
        #expect(try offered("--loft x route --map log ") == offered("route "))
        #expect(try offered("log --level low x") == [":files"])
    }

    @Test("an argument is offered at its place alone, unless it repeats")
    func arguments() throws {
        #expect(try offered("log ") == [":files"])
        #expect(try offered("log a b c") == [":files"])
        #expect(try offered("nest move ") == ["oak", "elm"])
        #expect(try offered("nest move oak ") == Self.everywhere)
    }

    @Test("no help names the word by which shells ask, and no words are the first one")
    func hidden() throws {
        for words in [["--help"], ["log", "--help"]] {
            guard case .answer(let text) = try CommandLineParser(Self.pigeon).parse(words).get()
            else { continue }
            #expect(!text.contains("complete"))
        }
        #expect(try !offered("_").contains { $0.contains("complete") })
        #expect(
            try CommandLineParser(Self.pigeon).parse(["__complete"]).get()
                == CommandLineParser(Self.pigeon).parse(["__complete", "--", ""]).get())
    }
}
