internal import CCurl
public import HomingRuntime

/// HTTP and HTTPS over libcurl, on the loop: no threads of its own but libcurl's, which looks up
/// one name and ends, and no wake-up while nothing is under way, warm connections included.
///
/// No redirects, no proxies, no cookies, no compression, no unchecked TLS. A connection that has
/// been used stays open for the next request to the same server for up to an hour. When such
/// a connection turns out to be closed before a byte of the answer came, libcurl sends the request
/// again on a new one: what must not happen twice needs an id of its own.
@LoopActor public final class HTTPClient {
    /// Gets the answer or the failure of a request; called once, on the loop, never from within
    /// `send` or `cancel`.
    public typealias Completion = @LoopActor (Result<HTTPResponse, HTTPFailure>) -> Void

    /// The largest body taken, in bytes.
    public nonisolated static let bodyLimit = 1 << 20
    /// The most of headers taken, in bytes.
    public nonisolated static let headerLimit = 64 << 10

    /// Seconds after which an idle connection is not used again: just below the 3630 that Home
    /// Assistant's own server lets one be idle.
    nonisolated static let maxIdleTime = 3600

    /// Handles to keep for the next request.
    private static let spareHandles = CurlLibrary.handlesMayBeReused ? 2 : 0

    let tls: TLSOptions
    /// `nil` if libcurl is of no use.
    let settings: CurlEasy.Settings?
    private var spares: [CurlEasy] = []
    /// Takes new requests; made with the first.
    private var current: CurlMulti?
    /// Take no new requests, and close when their last one ends.
    private var retired: [CurlMulti] = []
    private var isShutDown = false
    /// Whether a connection stays open for the next request.
    public private(set) var keepsConnections = true

    /// The files of `tls` are read with each new connection, not now.
    public init(tls: TLSOptions = TLSOptions(), userAgent: String) {
        self.tls = tls
        settings = CurlShare().map {
            CurlEasy.Settings(tls: tls, userAgent: userAgent, share: $0)
        }
    }

    /// Sends a request. The client lives until it has ended.
    @discardableResult
    public func send(_ request: HTTPRequest, completion: @escaping Completion) -> Transfer {
        let transfer = Transfer(request, client: self, completion: completion)
        start(transfer)
        return transfer
    }

    /// The answer or the failure of a request; `cancelled` when the task is.
    public func response(to request: HTTPRequest) async -> Result<HTTPResponse, HTTPFailure> {
        let transfer = Transfer(request, client: self)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                transfer.atEnd { continuation.resume(returning: $0) }
                start(transfer)
            }
        } onCancel: {
            spawn { transfer.cancel() }
        }
    }

    /// Lets go of warm connections and of looked-up names, so that the next request starts from
    /// nothing: for another network, and after sleep. Requests under way go on.
    public func closeIdleConnections() {
        guard let multi = current else { return }
        current = nil
        if multi.running.isEmpty { multi.close() } else { retired.append(multi) }
    }

    /// Keeps connections open for the next request, or closes idle connections now and each other
    /// connection with its request: before sleep.
    public func keepConnections(_ keeps: Bool) {
        keepsConnections = keeps
        if !keeps { closeIdleConnections() }
    }

    /// Cancels what is under way and frees everything. Further requests end as `cancelled`.
    public func shutdown() {
        isShutDown = true
        for transfer in (retired + [current].compactMap { $0 }).flatMap(\.running) {
            cancel(transfer)
        }
        closeIdleConnections()
        spares = []
    }

    private func start(_ transfer: Transfer) {
        if isShutDown { return fail(transfer, .cancelled) }
        if let defect = transfer.request.defect { return fail(transfer, defect) }
        guard let easy = spares.popLast() ?? settings.flatMap({ CurlEasy($0) }),
            let multi = current ?? CurlMulti(finished: { [weak self] in self?.finish($0, $1) })
        else { return fail(transfer, .other) }
        current = multi
        easy.prepare(transfer.request)
        transfer.use(easy)
        if !multi.add(transfer, easy) { fail(transfer, .other) }
    }

    func cancel(_ transfer: Transfer) {
        guard let easy = transfer.easy else { return }
        let mayHaveArrived = easy.mayHaveSent
        current?.remove(easy)
        for multi in retired { multi.remove(easy) }
        release(transfer)
        fail(transfer, .cancelled, mayHaveArrived: mayHaveArrived)
    }

    /// On the loop's next turn, so that no completion runs inside the call that caused it.
    private func fail(
        _ transfer: Transfer, _ kind: HTTPFailure.Kind, mayHaveArrived: Bool = false
    ) {
        transfer.use(nil)
        let text = FailureText.withoutServer(kind)
        let failure = HTTPFailure(kind: kind, mayHaveArrived: mayHaveArrived, description: text)
        spawn { transfer.finish(.failure(failure)) }
    }

    private func finish(_ transfer: Transfer, _ code: CURLcode) {
        guard let easy = transfer.easy else { return }
        // libcurl takes a head that was cut off for a whole answer.
        let code = code == CURLE_OK && !easy.isHeadComplete ? CURLE_PARTIAL_FILE : code
        let result: Result<HTTPResponse, HTTPFailure> =
            code == CURLE_OK
            ? .success(easy.response)
            : .failure(easy.failure(code, transfer.request, tls))
        release(transfer)
        transfer.finish(result)
    }

    /// Keeps the handle for the next request, and closes what was only open for this one.
    private func release(_ transfer: Transfer) {
        if let easy = transfer.easy, !isShutDown, spares.count < HTTPClient.spareHandles {
            spares.append(easy)
        }
        transfer.use(nil)
        for multi in retired where multi.running.isEmpty { multi.close() }
        retired.removeAll { $0.running.isEmpty }
        if !keepsConnections { closeIdleConnections() }
    }
}
