import HomingJSON
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingControl
@testable import HomingSocket

/// Behaviour of a command line where there are several homes.
@Suite struct SeveralHomesTests {
    init() { LoopThread.start() }

    /// Answers once so many requests are there, the last one first. Refuses a request that is alone
    /// for three seconds.
    @LoopActor private final class Daemon {
        private var waiting: [(home: String?, request: OpenRequest)] = []
        private let count: Int
        private var server: LineServer<ControlRequest>?

        init(_ path: String, answersAfter count: Int) throws {
            self.count = count
            server = try LineServer(path: path) { [unowned self] asked, request in
                holdRequest(asked.home, request)
            }
        }

        private func holdRequest(_ home: String?, _ request: OpenRequest) {
            waiting.append((home, request))
            guard waiting.count == count else {
                spawn {
                    try? await Task.sleep(for: .seconds(3))
                    self.giveUp()
                }
                return
            }
            for (home, request) in waiting.reversed() {
                switch home {
                case "shed": request.refuse(.notRegisteredHere)
                case "home": request.reply(SendLocationResult(.queued))
                default: request.reply(SendLocationResult(.delivered))
                }
            }
            waiting = []
        }

        private func giveUp() {
            for (_, request) in waiting {
                request.refuse(ControlError(.temporary, "the other homes were not asked"))
            }
            waiting = []
        }

        func stop() { server?.shutdown() }
    }

    @Test("All homes are asked before the first one answers, and each answer is its home's own")
    func atOnce() async throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/control.sock"
        let daemon = try await Daemon(path, answersAfter: 3)
        let answers = try ControlClient(path: path).call(
            .sendLocation(zone: nil), about: ["home", "shed", "cabin"],
            returning: SendLocationResult.self)
        #expect(
            answers == [
                .success(.init(.queued)), .failure(.notRegisteredHere), .success(.init(.delivered)),
            ])
        await daemon.stop()
    }

    @Test("A client that is about all homes names none, whatever home is meant")
    func aboutAll() async throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/control.sock"
        let daemon = try await Daemon(path, answersAfter: 1)
        let client = try ControlClient(path: path, home: "shed")
        let named = try thrown(ControlError.self) {
            try client.call(.status, returning: SendLocationResult.self)
        }
        #expect(named == .notRegisteredHere && client.aboutAll.home == nil)
        await daemon.stop()
    }

    @Test(
        "A command in a hint names the home, unless a home is named already",
        arguments: [
            (
                "run: homing register --again. The queue is kept",
                "run: homing register --home cabin --again. The queue is kept"
            ),
            (
                "run: homing send-location. If it persists, see: homing status",
                "run: homing send-location --home cabin. If it persists, see: homing status --home cabin"
            ),
            ("add a home: homing setup --home NAME", "add a home: homing setup --home NAME"),
            ("see: journalctl -u homing", "see: journalctl -u homing"),
            ("add a member to the group homing", "add a member to the group homing"),
        ])
    func hints(_ hint: String, _ told: String) {
        #expect(hint.namingHome("cabin") == told)
        #expect(hint.namingHome() == hint, "no home is meant")
    }

    @Test("A command with a number that is none cannot be sent, nor another in its place")
    func withoutCoding() {
        let event = ControlCommand.sendEvent(type: "t", data: [:], wait: false, expires: .infinity)
        #expect(throws: (any Error).self) {
            try JSON.bytes(LineRequest(id: 1, ControlRequest(event)))
        }
    }
}

extension ControlError {
    fileprivate static let notRegisteredHere = ControlError(.notRegistered, "not registered")
}
