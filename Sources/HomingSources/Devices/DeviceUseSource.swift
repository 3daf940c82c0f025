internal import Glibc
public import HomingRuntime

/// Notices that a sound device or a camera was opened or closed, and says so a second later, once for
/// all that happened meanwhile. What is in use is for sensors to find out.
///
/// The kernel tells by inotify(7). Sound devices are watched by their folder; a camera by its file,
/// which takes the right to read it: a service that is not in the group `video` is told of cameras
/// only when they come and go.
@LoopActor public final class DeviceUseSource: Source {
    private static let uses = UInt32(IN_OPEN | IN_CLOSE_WRITE | IN_CLOSE_NOWRITE)
    private static let arrivals = UInt32(IN_CREATE | IN_DELETE | IN_ATTRIB)
    /// Seconds in which further openings and closings belong to the first.
    private static let settling: Seconds = 1

    private let folder: String
    private let changed: @LoopActor () -> Void
    private var descriptor: Int32?
    private var watch: Watch?
    private let clock: any Clockwork
    private var settle: (any Alarm)?

    /// - Parameters:
    ///   - folder: where the devices are.
    ///   - changed: called when something was opened or closed.
    public init(
        folder: String = "/dev", clock: any Clockwork,
        changed: @escaping @LoopActor () -> Void
    ) {
        self.folder = folder
        self.clock = clock
        self.changed = changed
    }

    /// Begins to watch. Where the kernel has no inotify left to give, nothing is noticed.
    public func start() {
        guard descriptor == nil else { return }
        let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        guard descriptor >= 0 else {
            return Log.debug("devices are not watched: \(SystemError("inotify_init1"))")
        }
        self.descriptor = descriptor
        watch = Watch.readable(descriptor) { [weak self] in
            self?.read()
            return .again
        }
        inotify_add_watch(descriptor, folder, Self.arrivals)
        watchDevices()
    }

    /// Ends it; nothing is noticed after that, until it is started again.
    public func shutdown() {
        settle = nil
        watch = nil
        if let descriptor { close(descriptor) }
        descriptor = nil
    }

    /// To watch twice is to watch once, and what cannot be watched is not.
    private func watchDevices() {
        guard let descriptor else { return }
        inotify_add_watch(descriptor, "\(folder)/snd", Self.uses)
        for name in HostFiles().names(in: folder) where name.hasPrefix("video") {
            inotify_add_watch(descriptor, "\(folder)/\(name)", Self.uses)
        }
    }

    private func read() {
        guard let descriptor else { return }
        var bytes = [UInt8](repeating: 0, count: 16_384)
        while Glibc.read(descriptor, &bytes, bytes.count) > 0 {}
        guard settle == nil else { return }
        settle = clock.once(after: Self.settling) { [weak self] in
            self?.settle = nil
            self?.watchDevices()
            self?.changed()
        }
    }
}
