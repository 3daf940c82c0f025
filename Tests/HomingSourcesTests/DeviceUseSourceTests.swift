import Glibc
import HomingRuntime
import HomingTestKit
import Testing

@testable import HomingSources

@Suite struct DeviceUseSourceTests {
    private let folder: TemporaryFolder

    init() throws {
        TestLoop.start()
        folder = try TemporaryFolder()
        try folder.write("", to: "snd/pcmC0D0c")
        try folder.write("", to: "video0")
        try folder.write("", to: "null")
    }

    private func use(_ name: String) {
        close(open("\(folder.path)/\(name)", O_RDONLY))
    }

    @Test(
        "sound devices and cameras are noticed when they are used, once for what happens together",
        arguments: ["snd/pcmC0D0c", "video0"])
    @LoopActor func uses(_ name: String) async throws {
        var count = 0
        let source = DeviceUseSource(folder: folder.path, clock: SystemClock()) { count += 1 }
        source.start()
        source.start()
        for _ in 0..<5 { use(name) }
        try await eventually("a notice") { count > 0 }
        await Watch.pause(1.3)
        let noticed = count
        #expect(noticed < 5, "five uses were not five notices")
        use("null")
        await Watch.pause(1.3)
        #expect(count == noticed, "nothing else is watched")
        use(name)
        try await eventually("another notice") { count > noticed }
        source.shutdown()
        let last = count
        use(name)
        await Watch.pause(1.3)
        #expect(count == last, "nothing after the end")
    }

    @Test("a camera that is plugged in later is watched too")
    @LoopActor func later() async throws {
        var count = 0
        let source = DeviceUseSource(folder: folder.path, clock: SystemClock()) { count += 1 }
        source.start()
        try folder.write("", to: "video1")
        try await eventually("its coming") { count > 0 }
        await Watch.pause(1.3)
        let before = count
        use("video1")
        try await eventually("its use") { count > before }
        source.shutdown()
    }
}
