import HomingTestKit
import Testing

@testable import HomingSettings

/// A program whose parts have files: which values a part has, and what its files may not say.
struct PartTests {
    private struct Fleet: Equatable, Sendable {
        var port = 1
        var speed = 10
        var name: String?

        static let table = Table(
            defaults: Fleet(),
            sections: [
                Section(
                    "boat", formerly: "ship", "Boats.",
                    [
                        Key("port", \.port, .number(1...9), "Where."),
                        Key("speed", \.speed, .number(1...99), "How fast.", scope: .inherited),
                        Key("name", \.name, .name(of: "boat"), "What.", scope: .own),
                    ])
            ],
            rules: [
                Rule(keys: ["boat.speed"]) { fleet, _ in
                    fleet.name == "slow" && fleet.speed > 20
                        ? ("boat.name", "is not the name of a fast boat") : nil
                }
            ], introduction: "", secretsPlace: "",
            parts: Parts(folder: "boats", whole: "fleet", part: "boat"))
    }

    private func load(
        _ files: [String: String], first: String? = "one"
    ) throws -> Result<Loaded<Fleet>, SettingsErrors> {
        let folder = try TemporaryFolder()
        for (name, text) in files { try folder.write(text, to: name) }
        return Fleet.table.load(
            path: "\(folder.path)/fleet.conf", explicit: false, first: first
        ).mapError { errors in
            SettingsErrors(
                errors.diagnostics.map {
                    Diagnostic(
                        file: $0.file.replacing("\(folder.path)/", with: ""), line: $0.line,
                        key: $0.key, $0.message)
                })
        }
    }

    private func said(_ files: [String: String], first: String = "one") throws -> [String] {
        guard case .failure(let errors) = try load(files, first: first) else { return [] }
        return errors.diagnostics.map(\.description)
    }

    private let main = "[boat]\nport = 2\nspeed = 20\nname = main\n"

    @Test("a part without a file has the defaults of all, and the first has all of the main file")
    func withoutFiles() throws {
        let loaded = try load(["fleet.conf": main]).get()
        #expect(loaded.main == Fleet(port: 2, speed: 20, name: "main"))
        #expect(loaded.values(of: "one") == loaded.main)
        #expect(loaded.values(of: "two") == Fleet(port: 2, speed: 20, name: nil))
    }

    @Test("the values of a part go along when it gets another name")
    func renamed() throws {
        let loaded = try load(["fleet.conf": main, "boats/two.conf": "[boat]\nspeed = 30\n"]).get()
        #expect(loaded.partNames == ["two"])
        let renamed = loaded.renaming("one", to: "three").renaming("two", to: "four")
        #expect(renamed.values(of: "three") == loaded.main)
        #expect(renamed.values(of: "one") == Fleet(port: 2, speed: 20, name: nil))
        #expect(renamed.values(of: "four") == loaded.values(of: "two"))
        let second = loaded.with(first: "two")
        #expect(second.values(of: "two") == Fleet(port: 2, speed: 30, name: "main"))
        #expect(second.values(of: "one") == Fleet(port: 2, speed: 20, name: nil))
        #expect(loaded.renaming("one", to: "two").values(of: "two") == second.values(of: "two"))
        #expect(loaded.with(first: nil).values(of: "one").name == nil)
    }

    @Test("the files of a part replace what the part inherits, and nothing of another part")
    func files() throws {
        let loaded = try load([
            "fleet.conf": main, "boats/two.conf": "[boat]\nspeed = 30\nname = two\n",
            "boats/two.conf.d/1.conf": "[boat]\nspeed = 31\n",
            "boats/three.conf.d/1.conf": "[boat]\nname = three\n",
            "boats/one.conf": "[boat]\nspeed = 11\n", "boats/.hidden.conf": "x",
            "boats/README": "x",
        ]).get()
        #expect(loaded.main == Fleet(port: 2, speed: 20, name: "main"))
        #expect(loaded.values(of: "one") == Fleet(port: 2, speed: 11, name: "main"))
        #expect(loaded.values(of: "two") == Fleet(port: 2, speed: 31, name: "two"))
        #expect(loaded.values(of: "three") == Fleet(port: 2, speed: 20, name: "three"))
        #expect(loaded.values(of: "four") == Fleet(port: 2, speed: 20, name: nil))
    }

    @Test("a key of the whole program is an error in the file of a part, the first one's too")
    func programKey() throws {
        let words =
            "boat.port: holds for the whole fleet, not for one boat; set it in the main file"
        for first in ["one", "two"] {
            #expect(
                try said(["boats/two.conf": "[boat]\nport = 3\n"], first: first)
                    == ["boats/two.conf:2: \(words)"])
        }
    }

    @Test("a rule that a part breaks is told of the key in the part's file")
    func rule() throws {
        #expect(
            try said(["fleet.conf": main, "boats/two.conf": "[boat]\nname = slow\n"]) == [])
        #expect(
            try said([
                "fleet.conf": "[boat]\nspeed = 30\n", "boats/two.conf": "[boat]\nname = slow\n",
            ]) == ["boats/two.conf:2: boat.name: is not the name of a fast boat"])
    }

    @Test("a rule about what a part inherits, broken by the part, is told of the part's own key")
    func ruleAcrossFiles() throws {
        let slow = "[boat]\nname = slow\n"
        let fast = "[boat]\nspeed = 30\n"
        #expect(
            try said(["fleet.conf": slow, "boats/one.conf": fast])
                == ["boats/one.conf:2: boat.name: is not the name of a fast boat"])
        #expect(
            try said(["fleet.conf": slow, "boats/two.conf": fast]) == [], "it has no such name")
        #expect(
            try said(["fleet.conf": slow + "speed = 30\n", "boats/one.conf": "[boat]\n"])
                == ["fleet.conf:2: boat.name: is not the name of a fast boat"], "told once")
    }

    @Test(
        "a name that is no name of a part is an error",
        arguments: ["Two", "-two", "a b", "é", "a.b", "a_b", String(repeating: "a", count: 33)])
    func names(_ name: String) throws {
        let said = try said(["boats/\(name).conf": ""])
        #expect(said.count == 1)
        #expect(said.first?.contains("no boat can be called \"\(name)\"") == true)
        #expect(said.first?.contains("a name has 1 to 32 of a-z, 0-9") == true)
    }

    @Test("a longest name is one")
    func longestName() throws {
        let name = String(repeating: "a-0", count: 10) + "zz"
        let loaded = try load(["boats/\(name).conf": "[boat]\nname = x\n"]).get()
        #expect(loaded.values(of: name).name == "x")
    }

    @Test("an earlier name of a section is read, with a note")
    func formerName() throws {
        let loaded = try load([
            "fleet.conf": "[ship]\nname = a\n", "boats/two.conf": "[ship]\nname = b\n",
        ]).get()
        #expect(loaded.values(of: "one").name == "a" && loaded.values(of: "two").name == "b")
        #expect(
            loaded.notes.map { "\($0.line ?? 0) \($0.key ?? ""): \($0.message)" }
                == Array(
                    repeating: "1 [ship]: is called [boat] now; the old name is still read",
                    count: 2))
        #expect(
            try said(["fleet.conf": "[ship]\nname = a\n[boat]\nname = b\n"])
                == ["fleet.conf:4: boat.name: is set already on line 2"])
    }

    @Test("the main file's keys that hold for one part alone are named, with that part")
    func ownKeys() throws {
        let loaded = try load(["fleet.conf": main]).get()
        #expect(loaded.ownKeys.map(\.key) == ["boat.name"])
        #expect(loaded.ownKeys.map(\.message) == ["holds for the boat \"one\" alone"])
        let without = try load(["fleet.conf": main], first: nil).get()
        #expect(
            without.ownKeys.map(\.message) == [
                "holds for no boat: there is no first boat; move the key to the file of a boat"
            ])
        #expect(try load(["fleet.conf": "[boat]\nport = 2\n"]).get().ownKeys == [])
    }

    @Test("the example says for whom each key holds")
    func example() {
        let example = Fleet.table.example()
        for words in [
            "# Scope: the fleet.\n#port = 1", "; this file has the default of all.\n#speed = 10",
            "# Scope: one boat; in this file, the first.\n#name =",
        ] { #expect(example.contains(words), "\(words)") }
    }
}
