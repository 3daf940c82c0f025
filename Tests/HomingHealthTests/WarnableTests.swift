import HomingHealth
import HomingRuntime
import Testing

/// The tables of what can be wrong.
@Suite struct WarnableTests {
    private static let folder =
        "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        + "/Sources/HomingHealth"

    @Test("what is declared stands once in the list of all, and in the table of its subject")
    func noneIsForgotten() throws {
        var declared: [String] = []
        for name in try Folders.names(in: Self.folder) where name.hasPrefix("Warnable") {
            let source = String(
                decoding: try AtomicFile.read("\(Self.folder)/\(name)"), as: UTF8.self)
            let codes = source.split(separator: " = Warnable(").dropFirst().map {
                String($0.split(separator: "\"", maxSplits: 2)[1])
            }
            for code in codes {
                let subject = Warnable(code: code)?.subject
                #expect(subject.map { "Warnable+\($0).swift" } == name, "\(code) in \(name)")
            }
            declared += codes
        }
        #expect(declared.count > 30)
        #expect(declared.sorted() == Warnable.all.map(\.code).sorted())
    }

    @Test("every warnable has a code, words and a message id of its own")
    func words() {
        for warnable in Warnable.all {
            #expect(warnable.code.allSatisfy { $0 == "_" || "a"..."z" ~= $0 })
            #expect(!warnable.text.isEmpty && !warnable.text.hasSuffix("."))
            #expect(!warnable.resolved.isEmpty && !warnable.resolved.hasSuffix("."))
            #expect(warnable.resolved != warnable.text, "the good state, not the fault")
            #expect(!warnable.hint.isEmpty && !warnable.hint.hasSuffix("."))
            #expect(warnable.messageID.count == 32)
            #expect(Warnable(code: warnable.code)?.text == warnable.text)
        }
        #expect(Set(Warnable.all).count == Warnable.all.count)
        #expect(Set(Warnable.all.map(\.messageID)).count == Warnable.all.count)
        #expect(Warnable(code: "no_such_code") == nil)
    }

    @Test("what a warnable depends on is listed, and is of this machine if the warnable is")
    func dependencies() {
        let all = Set(Warnable.all)
        for warnable in Warnable.all {
            let explanations = warnable.dependsOn
            #expect(all.isSuperset(of: explanations), "\(warnable.code)")
            let areOfMachine = explanations.allSatisfy { $0.subject == .machine }
            #expect(warnable.subject == .home || areOfMachine, "\(warnable.code)")
        }
    }
}
