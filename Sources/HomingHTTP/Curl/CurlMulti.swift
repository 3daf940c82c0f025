internal import CCurl
internal import CGLib
internal import HomingRuntime

/// Transfers side by side, and the connections they leave warm; driven by the loop, without a
/// thread or a poll of its own. libcurl-multi(3), curl_multi_socket_action(3).
@LoopActor final class CurlMulti {
    typealias Finished = @LoopActor (Transfer, CURLcode) -> Void

    /// Idle connections to keep: more than there are endpoints in turn.
    private static let idleConnections = 4

    /// Handle that only the loop's thread touches, but `deinit` is not isolated.
    nonisolated(unsafe) private var handle: UnsafeMutableRawPointer?
    private var transfers: [UnsafeMutableRawPointer: Transfer] = [:]
    private var watches: [Int32: Watch] = [:]
    /// Time at which libcurl wants to act. libcurl reckons by the machine's own clock.
    private lazy var deadline = SystemClock().deadline { [weak self] in
        self?.act(CURL_SOCKET_TIMEOUT, 0)
    }
    private let keepsDone: Bool
    private let finished: Finished

    /// `finished` gets each transfer that ends by itself, with the handle already free.
    ///
    /// - Parameter keepsDone: for handles that only connect, whose connection goes on when they are
    ///   done and would be closed if they were taken out: they stay until `remove`.
    init?(keepsDone: Bool = false, finished: @escaping Finished) {
        guard CurlLibrary.isReady, let handle = homing_curl_multi_init() else { return nil }
        self.handle = handle
        self.keepsDone = keepsDone
        self.finished = finished
        let me = Unmanaged.passUnretained(self).toOpaque()
        _ = homing_curl_multi_set_socket_callback(handle, CurlMulti.socketCallback, me)
        _ = homing_curl_multi_set_timer_callback(handle, CurlMulti.timerCallback, me)
        _ = homing_curl_multi_set_long(handle, CURLMOPT_MAXCONNECTS, CurlMulti.idleConnections)
    }

    deinit { CurlMulti.clean(handle) }

    /// Every transfer that is under way.
    var running: [Transfer] { Array(transfers.values) }

    /// Starts it. Nothing of it happens before the loop's next turn.
    func add(_ transfer: Transfer, _ easy: CurlEasy) -> Bool {
        guard let handle else { return false }
        transfers[easy.handle] = transfer
        if homing_curl_multi_add_handle(handle, easy.handle) == CURLM_OK { return true }
        transfers[easy.handle] = nil
        return false
    }

    /// Takes it out; a connection in the midst of it is closed. Whether it was here.
    @discardableResult
    func remove(_ easy: CurlEasy) -> Bool {
        guard transfers.removeValue(forKey: easy.handle) != nil else { return false }
        homing_curl_multi_remove_handle(handle, easy.handle)
        return true
    }

    /// Closes the connections. Every transfer must have ended or been taken out.
    func close() {
        deadline.cancel()
        watches = [:]
        CurlMulti.clean(handle)
        handle = nil
    }

    /// Closing may call back, and what it would call is on its way out.
    nonisolated private static func clean(_ handle: UnsafeMutableRawPointer?) {
        guard let handle else { return }
        _ = homing_curl_multi_set_socket_callback(handle, nil, nil)
        _ = homing_curl_multi_set_timer_callback(handle, nil, nil)
        homing_curl_multi_cleanup(handle)
    }

    private static let socketCallback: homing_curl_socket_callback = { _, socket, what, me, _ in
        guard let me else { return -1 }
        let multi = Unmanaged<CurlMulti>.fromOpaque(me)
        LoopActor.assumeIsolated { multi.takeUnretainedValue().watch(socket, for: what) }
        return 0
    }

    private static let timerCallback: homing_curl_timer_callback = { _, milliseconds, me in
        guard let me else { return -1 }
        let multi = Unmanaged<CurlMulti>.fromOpaque(me)
        LoopActor.assumeIsolated { multi.takeUnretainedValue().setTimer(milliseconds) }
        return 0
    }

    private func watch(_ socket: Int32, for what: Int32) {
        watches[socket] = nil
        let condition: UInt32
        // What happened is known if only one thing can; 0 makes libcurl ask the socket itself.
        let event: Int32
        switch what {
        case CURL_POLL_IN: (condition, event) = (G_IO_IN.rawValue, CURL_CSELECT_IN)
        case CURL_POLL_OUT: (condition, event) = (G_IO_OUT.rawValue, CURL_CSELECT_OUT)
        case CURL_POLL_INOUT: (condition, event) = (G_IO_IN.rawValue | G_IO_OUT.rawValue, 0)
        default: return
        }
        watches[socket] = Watch.descriptor(socket, GIOCondition(rawValue: condition)) {
            [weak self] in
            self?.act(socket, event)
            return .again
        }
    }

    private func setTimer(_ milliseconds: Int) {
        guard milliseconds >= 0 else { return deadline.cancel() }
        deadline.set(after: Seconds(milliseconds) / 1000, exactly: true)
    }

    /// Lets libcurl do what can be done now, then hands out what has ended, one by one: what is
    /// told of it may start, cancel or close anything.
    private func act(_ socket: Int32, _ event: Int32) {
        var running: Int32 = 0
        homing_curl_multi_socket_action(handle, socket, event, &running)
        var left: Int32 = 0
        while let handle, let message = homing_curl_multi_info_read(handle, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle else {
                continue
            }
            let code = message.pointee.data.result
            let transfer = transfers[easy]
            if !keepsDone {
                homing_curl_multi_remove_handle(handle, easy)
                transfers[easy] = nil
            }
            if let transfer { finished(transfer, code) }
        }
    }
}
