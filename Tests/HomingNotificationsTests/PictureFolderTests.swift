import HomingNotifications
import HomingRuntime
import HomingTestKit
import Testing

@Suite struct PictureFolderTests {
    init() { LoopThread.start() }

    @Test("A picture that is too large to be shown is not kept in a file")
    @LoopActor func bounds() throws {
        let folder = try TemporaryFolder()
        let pictures = PictureFolder("\(folder.path)/pictures")
        #expect(pictures.store(PictureHeaderTests.png(60_000, 60_000)) == nil)
        #expect(pictures.store(Array("no picture".utf8)) == nil)
        #expect(pictures.store(PictureHeaderTests.png(64, 64)) != nil)
        pictures.clear()
    }
}
