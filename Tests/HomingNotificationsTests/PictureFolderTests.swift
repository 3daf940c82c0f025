import HomingNotifications
import HomingRuntime
import HomingTestKit
import Testing

@Suite struct PictureFolderTests {
    init() { LoopThread.start() }

    /// The beginning of a PNG of this size.
    private static func png(_ side: UInt32) -> [UInt8] {
        let size = (0..<4).map { UInt8(truncatingIfNeeded: side >> (24 - 8 * $0)) }
        let magic: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]
        return magic + Array("IHDR".utf8) + size + size + [8, 6, 0, 0, 0]
    }

    @Test("A picture that is too large to be shown is not kept in a file")
    @LoopActor func bounds() throws {
        let folder = try TemporaryFolder()
        let pictures = PictureFolder("\(folder.path)/pictures")
        #expect(pictures.store(Self.png(60_000)) == nil)
        #expect(pictures.store(Array("no picture".utf8)) == nil)
        #expect(pictures.store(Self.png(64)) != nil)
        pictures.clear()
    }
}
