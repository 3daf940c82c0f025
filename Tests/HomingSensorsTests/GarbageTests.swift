import Glibc
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingSensors

/// Contents of files that no kernel wrote.
@Suite struct GarbageTests {
    /// Files any text in which is a name, or whose being there is all that counts.
    private static let texts = [
        "/etc/os-release", "/run/reboot-required", "/proc/sys/kernel/osrelease", "_label", "/name",
        "/model", "/type", "/uevent", "/vendor", "/address", "/id", "/size", "/rotational",
        "/runtime_status", "/modules.order", "/status", "/reboot-required.pkgs", "/fib_trie",
    ]
    /// Files that no sensor reads.
    private static let unread = [
        "_crit", "_max", "/pwm1", "in0_", "in1_", "power1_input", "/dbus.json",
    ]

    private struct Broken {
        let machine: RecordedMachine
        let folder: TemporaryFolder

        init(_ machine: RecordedMachine) throws {
            self.machine = machine
            folder = try TemporaryFolder()
            try Self.copy(machine.folder, "", to: folder)
        }

        private static func copy(_ root: String, _ path: String, to folder: TemporaryFolder) throws
        {
            for name in HostFiles().names(in: root + path) {
                let file = "\(path)/\(name)"
                let bytes = try? AtomicFile.read(root + file)
                if let bytes {
                    try folder.write(bytes, to: String(file.dropFirst()))
                } else {
                    try copy(root, file, to: folder)
                }
            }
        }

        /// Its files, from the root.
        var files: [String] { Self.files(folder.path, "") }

        private static func files(_ root: String, _ path: String) -> [String] {
            HostFiles().names(in: root + path).flatMap { name -> [String] in
                let file = "\(path)/\(name)"
                let inner = files(root, file)
                return inner.isEmpty ? [file] : inner
            }
        }

        /// Returns the failures of the catalogue's sensors when a file's content is replaced.
        func failures(_ file: String, _ content: [UInt8]) throws -> [String] {
            let whole = try AtomicFile.read(folder.path + file)
            try AtomicFile.write(content, to: folder.path + file)
            defer { try? AtomicFile.write(whole, to: folder.path + file) }
            let machine = machine.machine(root: folder.path)
            var failures: [String] = []
            for type in SensorCatalog.sensors {
                var sensor = type.init()
                do throws(SensorFailure) {
                    for reading in try sensor.read(machine) {
                        let problem = reading.sensor.problem(with: reading.state)
                        #expect(problem == nil, "\(type) with \(file): \(reading.state)")
                    }
                } catch {
                    failures.append(error.message)
                }
            }
            return failures
        }
    }

    @Test(
        "a file that holds no number where one is due fails by its name",
        arguments: RecordedMachine.all)
    func named(_ recorded: RecordedMachine) throws {
        let broken = try Broken(recorded)
        for file in broken.files {
            let failures = try broken.failures(file, Array("garbage here\nand more\nand more".utf8))
            for failure in failures { #expect(failure.hasPrefix("\(file) holds "), "\(failure)") }
            if isAsked(file, recorded) { #expect(!failures.isEmpty, "\(file)") }
        }
    }

    /// Whether a sensor of that machine reads a number, or one of a few words, from the file.
    private func isAsked(_ file: String, _ recorded: RecordedMachine) -> Bool {
        // A sound card's status is neither a number nor any text.
        if file.hasPrefix("/proc/asound/card0/pcm") { return true }
        // Read only where a better one is missing; a graphics card that sleeps; a disk that turns.
        let spared = ["/thermal_zone", "hwmon7/", recorded.name == "laptop" ? "?" : "hwmon5/"]
        return !(Self.texts + Self.unread).contains { file.contains($0) }
            && !spared.contains { file.contains($0) }
    }

    @Test(
        "random bytes in any file trap nothing, and what fails names that file",
        arguments: RecordedMachine.all)
    func random(_ recorded: RecordedMachine) throws {
        let seed = TestRun.seed()
        print("GarbageTests: HOMING_SEED=\(seed)")
        var random = SeededRandom(seed: seed)
        let broken = try Broken(recorded)
        for file in broken.files {
            let whole = try AtomicFile.read(broken.folder.path + file)
            for round in 0..<12 {
                let content = Self.spoiled(whole, round, &random)
                for failure in try broken.failures(file, content) {
                    #expect(
                        failure.hasPrefix("\(file) holds "), "seed \(seed), \(file): \(failure)")
                }
            }
        }
    }

    /// Wholly random, random with the right kind of characters, cut, or with some bytes changed.
    private static func spoiled(
        _ whole: [UInt8], _ round: Int, _ random: inout SeededRandom
    ) -> [UInt8] {
        let length = Int.random(in: 0...300, using: &random)
        switch round % 4 {
        case 0: return (0..<length).map { _ in .random(in: 0...255, using: &random) }
        case 1:
            let letters = Array("0123456789.-+eE \t\n:/ainfNx".utf8)
            return (0..<length).map { _ in letters.randomElement(using: &random) ?? 0 }
        case 2: return Array(whole.prefix(.random(in: 0...whole.count, using: &random)))
        default:
            var content = whole
            for _ in 0..<5 where !content.isEmpty {
                let index = Int.random(in: 0..<content.count, using: &random)
                content[index] = .random(in: 0...255, using: &random)
            }
            return content
        }
    }
}
