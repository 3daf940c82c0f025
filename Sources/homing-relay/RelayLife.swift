import Glibc
import HomingRelay
import HomingRuntime
import HomingServer
import HomingSocket

/// The relay from the first turn of the loop to the last: starts the parts, minds the signals.
@LoopActor enum RelayLife {
    /// Seconds after which SIGALRM kills a relay that does not end: `RelayService.end` takes 15.
    private static let patience: UInt32 = 18

    /// Read by the main thread after the loop has ended.
    nonisolated(unsafe) private(set) static var exitCode = ExitCode.done
    private static var service: RelayService?
    private static var control: LineServer<RelayCommand>?
    private static var watches: [Watch] = []
    private static var isEnding = false

    static func begin(_ configuration: RelayConfiguration) async {
        watchSignals()
        do throws(LineError) {
            try await start(configuration)
            feedWatchdog()
            ServiceManager.ready()
        } catch {
            Log.error(error.hint.map { "\(error.message); \($0)" } ?? error.message)
            exitCode = error.exitCode
            EventLoop.main.quit()
        }
    }

    private static func start(_ configuration: RelayConfiguration) async throws(LineError) {
        let keys = KeyFile(configuration, state: RelayFolders.state)
        do throws(SystemError) {
            try Folders.make(RelayFolders.state)
            try Folders.make(RelayFolders.runtime, mode: 0o755)
        } catch { throw LineError(.failure, "\(error)") }
        let opened = try await RelayStore.open(configuration, keys)
        do throws(ServerFailure) {
            service = try RelayService(
                configuration, ring: opened.ring, keys: keys, shared: opened.shared,
                store: opened.store)
        } catch { throw LineError(error) }
        do throws(SystemError) {
            control = try LineServer(path: RelaySocket.own) { command, client in
                service?.answer(command, client)
            }
        } catch { throw LineError(.failure, "\(error)") }
        let secure = service?.secureAddresses.map { "\($0) with TLS" } ?? []
        let addresses = (service?.addresses.map(\.description) ?? []) + secure
        Log.notice("the relay listens on \(listed(addresses, "and"))")
        if let far = configuration.forward.url {
            Log.notice("the relay is a front, and forwards to \(far)")
        }
        let monitor = service?.monitorAddresses.map(\.description) ?? []
        if !monitor.isEmpty { Log.notice("monitoring reads on \(listed(monitor, "and"))") }
    }

    private static func watchSignals() {
        watches = [SIGTERM, SIGINT].map { number in
            Watch.signal(number) {
                end()
                return .again
            }
        }
        watches.append(
            Watch.signal(SIGHUP) {
                service?.readCertificate()
                return .again
            })
    }

    private static func feedWatchdog() {
        guard let interval = ServiceManager.watchdogInterval() else { return }
        watches.append(
            Watch.slowTimer(interval / 3) {
                ServiceManager.feedWatchdog()
                return .again
            })
    }

    /// The first signal ends the relay in order, a second one at once.
    private static func end() {
        guard !isEnding else { return EventLoop.main.quit() }
        isEnding = true
        ServiceManager.stopping()
        alarm(patience)
        spawn {
            await service?.end()
            control?.shutdown()
            EventLoop.main.quit()
        }
    }
}
