internal import CCurl
internal import CGLib
internal import Glibc
package import HomingRuntime

/// A bare connection that libcurl made, TLS included: bytes in and out, on the loop.
///
/// It takes the same TLS settings as requests do, and shares their TLS sessions.
/// CURLOPT_CONNECT_ONLY(3), curl_easy_recv(3).
@LoopActor package final class CurlConnection {
    /// Outcome of reading or writing.
    package enum Outcome: Equatable {
        /// Number of bytes that were read or written.
        case bytes(Int)
        /// Wait: no byte can be read or written for now.
        case later
        /// The other end has closed.
        case ended
        /// The connection is broken; libcurl's words.
        case broken(String)
    }

    /// Bytes of the first piece that is read, which lies on the stack: most answers are shorter.
    private static let shortPiece = 1 << 10
    /// Bytes of each further piece.
    private static let piece = 16 << 10

    private let easy: CurlEasy
    private let request: HTTPRequest
    private let tls: TLSOptions
    /// Whether the bytes go as they are, without TLS.
    private let isPlain: Bool
    private var multi: CurlMulti?
    private var reading: Watch?
    private var writing: Watch?
    private let connected: @LoopActor (HTTPFailure?) -> Void

    /// Creates a connection, which does nothing before `connect()`. `nil` if libcurl cannot.
    ///
    /// - Parameters:
    ///   - request: whose server, scheme and times count.
    ///   - connected: told once, with what went wrong, if anything.
    package init?(
        _ request: HTTPRequest, _ client: HTTPClient,
        connected: @escaping @LoopActor (HTTPFailure?) -> Void
    ) {
        guard let settings = client.settings, let easy = CurlEasy(settings) else { return nil }
        self.easy = easy
        self.request = request
        self.connected = connected
        tls = client.tls
        isPlain = request.hasScheme("http://")
    }

    /// Begins to connect. Whether libcurl took it.
    package func connect() -> Bool {
        easy.prepare(request)
        easy.set(CURLOPT_CONNECT_ONLY, 1)
        let transfer = Transfer(request, client: nil)
        transfer.use(easy)
        multi = CurlMulti(keepsDone: true) { [weak self] _, code in self?.hasConnected(code) }
        return multi?.add(transfer, easy) ?? false
    }

    private func hasConnected(_ code: CURLcode) {
        connected(code == CURLE_OK ? nil : easy.failure(code, request, tls))
    }

    /// Calls `readable` whenever there may be something to read. TLS may hold bytes that the
    /// descriptor does not show: read until `later`.
    package func watch(readable: @escaping @LoopActor () -> Void) {
        guard let socket else { return }
        reading = Watch.readable(socket) {
            readable()
            return .again
        }
    }

    /// Calls `writable` once, when more can be written.
    package func whenWritable(_ writable: @escaping @LoopActor () -> Void) {
        guard writing == nil, let socket else { return }
        writing = Watch.descriptor(socket, G_IO_OUT) { [weak self] in
            self?.writing = nil
            writable()
            return .done
        }
    }

    /// Reads what is there and hands it on in pieces; `bytes` if it stopped at `limit` and there may
    /// be more. What takes a piece may close the connection.
    package func drain(
        limit: Int, _ take: @LoopActor (UnsafeRawBufferPointer) -> Void
    ) -> Outcome {
        var total = 0
        let short = withUnsafeTemporaryAllocation(byteCount: Self.shortPiece, alignment: 1) {
            readPieces(into: $0, limit: limit, &total, take)
        }
        if let short { return short }
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.piece, alignment: 1)
        defer { room.deallocate() }
        return readPieces(into: room, limit: limit, &total, take) ?? .bytes(total)
    }

    /// Reads pieces; `nil` after a piece for which the room on the stack may have been too small.
    private func readPieces(
        into room: UnsafeMutableRawBufferPointer, limit: Int, _ total: inout Int,
        _ take: @LoopActor (UnsafeRawBufferPointer) -> Void
    ) -> Outcome? {
        while total < limit {
            var count = 0
            let code = homing_curl_easy_recv(easy.handle, room.baseAddress, room.count, &count)
            guard code == CURLE_OK else { return outcome(code, 0) }
            if count == 0 { return .ended }
            total += count
            take(UnsafeRawBufferPointer(rebasing: room[..<count]))
            // The heap wipes what is given back, and the stack does not.
            if room.count == Self.shortPiece, let start = room.baseAddress {
                explicit_bzero(start, count)
            }
            // Without TLS the descriptor shows what comes later.
            if multi == nil || isPlain && count < room.count { return .later }
            if count == room.count, room.count == Self.shortPiece { return nil }
        }
        return .bytes(total)
    }

    /// Writes as much as there is room for.
    package func write(_ bytes: ArraySlice<UInt8>) -> Outcome {
        var count = 0
        let code = bytes.withUnsafeBytes {
            homing_curl_easy_send(easy.handle, $0.baseAddress, $0.count, &count)
        }
        return outcome(code, count)
    }

    private func outcome(_ code: CURLcode, _ count: Int) -> Outcome {
        switch code {
        case CURLE_OK: .bytes(count)
        case CURLE_AGAIN: .later
        default: .broken(String(cString: homing_curl_easy_strerror(code)))
        }
    }

    /// The ends of the connection; `nil` before it is made.
    package var path: ConnectionPath? { easy.path }

    private var socket: Int32? {
        var socket: curl_socket_t = -1
        let code = homing_curl_get_socket(easy.handle, CURLINFO_ACTIVESOCKET, &socket)
        return code == CURLE_OK && socket >= 0 ? socket : nil
    }

    /// Ends it, connected or not yet.
    package func close() {
        reading = nil
        writing = nil
        multi?.remove(easy)
        multi?.close()
        multi = nil
    }
}
