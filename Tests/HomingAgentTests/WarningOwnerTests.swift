import HomingHealth
import HomingRuntime
import Testing

@testable import HomingAgent

/// The boards of warnings against the tables: `Warnable.subject` says who may raise what.
@Suite struct WarningOwnerTests {
    private static let folder =
        "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        + "/Sources/HomingAgent"

    @Test("a home raises warnings about a home alone, the machine those about the machine alone")
    func raisers() throws {
        var count = 0
        for path in try Self.sources() {
            let text = String(decoding: try AtomicFile.read(path), as: UTF8.self)
            // The receiver writes to the machine's board.
            let isReceiver = path.hasSuffix("/Machine/Receiver.swift")
            let calls: [(String, Warnable.Subject)] = [
                ("warnings.set(", isReceiver ? .machine : .home), ("machine.warn(", .machine),
            ]
            for (call, subject) in calls {
                for code in Self.codes(raisedBy: call, in: text) {
                    count += 1
                    #expect(Warnable(code: code)?.subject == subject, "\(code) in \(path)")
                }
            }
        }
        #expect(count > 30)
    }

    @Test("all that the courier complains of is about a home")
    func complaints() {
        #expect(DeliveryWarning.all.allSatisfy { $0.subject == .home })
    }

    /// The files of `HomingAgent` and of its folders.
    private static func sources() throws -> [String] {
        var paths: [String] = []
        for name in try Folders.names(in: folder) {
            let path = "\(folder)/\(name)"
            if name.hasSuffix(".swift") {
                paths.append(path)
            } else {
                paths += try Folders.names(in: path).map { "\(path)/\($0)" }
            }
        }
        return paths.filter { $0.hasSuffix(".swift") }
    }

    /// The codes of the warnings that stand behind a call: `.noEndpoint` has the code `no_endpoint`.
    private static func codes(raisedBy call: String, in text: String) -> [String] {
        text.split(separator: call).dropFirst().compactMap { rest in
            let argument = rest.drop { $0.isWhitespace }
            guard argument.first == "." else { return nil }
            return argument.dropFirst().prefix { $0.isLetter }
                .map { $0.isUppercase ? "_\($0.lowercased())" : "\($0)" }.joined()
        }
    }
}
