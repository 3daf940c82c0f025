import Glibc
import HomingBase
import HomingTestKit
import Testing

@testable import HomingSQLite

/// Byte strings on a disk.
@Suite struct BlockLogTests {
    private let folder: TemporaryFolder
    private static let owner = String(repeating: "a", count: 32)

    init() throws { folder = try TemporaryFolder() }

    private var path: String { folder.file("log") }

    private func log(owner: String = owner) throws -> BlockLog {
        try BlockLog(path, owner: owner)
    }

    private func strings() throws -> [[UInt8]]? { try BlockLog.read(path)?.strings }

    @Test("The strings that were added are read in their order, with the owner")
    func order() throws {
        let log = try log()
        #expect(try strings() == [])
        for length in [0, 1, 700, 4000, 5000, 3, 4096] {
            #expect(try log.append([UInt8](repeating: UInt8(length & 0xff), count: length)))
        }
        let contents = try #require(try BlockLog.read(path))
        #expect(contents.strings.map(\.count) == [0, 1, 700, 4000, 5000, 3, 4096])
        #expect(contents.owner == Self.owner && contents.isReadable && contents.others.isEmpty)
    }

    @Test("The file is readable by its owner only, and keeps its size")
    func file() throws {
        let log = try log()
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        let size = status.st_size
        while try log.append([UInt8](repeating: 1, count: 1000)) {}
        #expect(stat(path, &status) == 0 && status.st_size == size && size == BlockLog.size)
        #expect(try strings()?.count == 30, "two to a block, each in sectors of its own")
    }

    @Test("A string lies within a block where it fits into a block")
    func blocks() throws {
        let log = try log()
        for count in 1...30 {
            let before = try folder.read("log")
            #expect(try log.append([UInt8](repeating: UInt8(count), count: 1200)))
            let after = try folder.read("log")
            let changed = Set(after.indices.filter { before[$0] != after[$0] }.map { $0 / 4096 })
            #expect(changed.count == 1, "\(count)")
        }
    }

    @Test("Cleared strings are gone with the next string, and all strings with the next process")
    func clear() throws {
        let first = try log()
        for number in 0..<9 { _ = try first.append([UInt8(number)]) }
        first.clear()
        _ = try first.append([77])
        #expect(try strings() == [[77]])
        let second = try log()
        #expect(try strings() == [])
        _ = try second.append([78])
        #expect(try strings() == [[78]])
    }

    @Test("Strings of any lengths are all read, whatever lies behind and between them from before")
    func cycles() throws {
        let seed = TestRun.seed()
        print("HOMING_SEED=\(seed): cycles of a log")
        var random = SeededRandom(seed: seed)
        let log = try log()
        var expected: [[UInt8]] = []
        for number in 0..<600 {
            let byte = UInt8(number & 0xff)
            let string = [UInt8](repeating: byte, count: Int.random(in: 0...5000, using: &random))
            if Int.random(in: 0..<8, using: &random) == 0 {
                log.clear()
                expected = []
            }
            if try log.append(string) {
                expected.append(string)
            } else {
                log.clear()
                expected = []
                continue
            }
            #expect(try strings() == expected, "string \(number)")
        }
    }

    @Test("Another owner finds nothing, and wiped strings are gone")
    func otherOwner() throws {
        _ = try log().append([1])
        let other = try log(owner: String(repeating: "b", count: 32))
        #expect(try strings() == [])
        _ = try other.append([2])
        try other.wipe()
        #expect(try strings() == [])
        _ = try other.append([3])
        #expect(try strings() == [[3]])
    }

    @Test("A file that is something else is no log, and a log takes its place")
    func noLog() throws {
        #expect(try BlockLog.read(path) == nil)
        let lengths = [0, 100, BlockLog.size]
        for bytes in lengths.map({ [UInt8](repeating: 7, count: $0) }) {
            try folder.write(bytes, to: "log")
            #expect(try BlockLog.read(path) == nil)
        }
        _ = try log().append([1])
        #expect(try strings() == [[1]])
    }

    @Test("A changed byte costs its string, and the strings behind it are told apart")
    func damage() throws {
        let seed = TestRun.seed()
        print("HOMING_SEED=\(seed): damaged logs")
        var random = SeededRandom(seed: seed)
        let log = try log()
        let sent = (0..<12).map { number in [UInt8](repeating: UInt8(number), count: 1000) }
        for string in sent { _ = try log.append(string) }
        let whole = try folder.read("log")
        for _ in 0..<500 {
            var bytes = whole
            // Two strings to a block, in sectors of their own.
            let number = Int.random(in: 0..<12, using: &random)
            let place = (1 + number / 2) * 4096 + number % 2 * 1536
            bytes[place + Int.random(in: 0..<1036, using: &random)] ^=
                1 << UInt8.random(in: 0..<8, using: &random)
            let contents = try #require(BlockLog.contents(in: bytes))
            #expect(contents.strings == Array(sent[..<number]), "\(number)")
            #expect(contents.others == Array(sent[(number + 1)...]), "\(number)")
        }
    }

    @Test("A header with a changed byte is no log")
    func damagedHeader() throws {
        _ = try log().append([1])
        let whole = try folder.read("log")
        for place in 0..<68 {
            var bytes = whole
            bytes[place] ^= 4
            #expect(BlockLog.contents(in: bytes) == nil, "\(place)")
        }
    }

    @Test("A folder that cannot be looked into is an error, and not a log that is missing")
    func unreadableFolder() throws {
        let long = folder.file(String(repeating: "n", count: 300))
        #expect(throws: DatabaseError.self) { try BlockLog.read(long) }
        #expect(try BlockLog.read(folder.file("gone/log")) == nil)
    }
}
