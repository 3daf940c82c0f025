import HomingRuntime
import HomingTestKit
import Testing

@Suite struct HostFilesTests {
    private let folder: TemporaryFolder
    private let files: HostFiles

    init() throws {
        folder = try TemporaryFolder()
        files = HostFiles(root: folder.path)
    }

    @Test("what is not there is nothing, and no failure")
    func absent() {
        #expect(files.text("/x") == nil)
        #expect(files.line("/x") == nil)
        #expect(files.lines("/x").isEmpty)
        #expect(files.names(in: "/x").isEmpty)
        #expect(files.assignments("/x").isEmpty)
        #expect(files.space(of: "/x") == nil)
        #expect(!files.exists("/x"))
    }

    @Test("a line has no blanks around it, and none is none")
    func lines() throws {
        try folder.write("  a b \t\nc\n", to: "proc/x")
        try folder.write("\n \n", to: "proc/blank")
        #expect(files.line("/proc/x") == "a b")
        #expect(files.lines("/proc/x") == ["  a b \t", "c"])
        #expect(files.line("/proc/blank") == nil)
        #expect(files.names(in: "/proc") == ["blank", "x"])
        #expect(files.exists("/proc/x"))
    }

    @Test("what is no text is read all the same, and what is too large is not")
    func odd() throws {
        try folder.write([0xFF, 0x00, 0x41], to: "odd")
        try folder.write([UInt8](repeating: 0x41, count: 300_000), to: "large")
        #expect(files.line("/odd") == "\u{FFFD}")
        #expect(files.text("/large") == nil)
    }

    @Test("assignments are read without their quotes")
    func assignments() throws {
        try folder.write("# A=1\nB=\"b c\"\nC='d'\nD=\nE=e=f\nG\n\"=\"\nH=\"\n", to: "release")
        #expect(
            files.assignments("/release")
                == ["B": "b c", "C": "d", "E": "e=f", "\"": "\"", "H": "\""])
    }

    @Test("a file system tells how full it is")
    func space() throws {
        let space = try #require(files.space(of: "/"))
        #expect(space.total > 0)
        #expect(space.available <= space.free && space.free <= space.total)
    }
}
