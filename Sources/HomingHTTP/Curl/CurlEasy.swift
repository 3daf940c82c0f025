internal import CCurl
internal import HomingRuntime

/// Handle of libcurl for one request. The next request uses the handle again where that is safe
/// (`CurlLibrary.handlesMayBeReused`), since most settings never change. A new handle costs 11 500
/// instructions of libcurl's; warm connections belong to the `CurlMulti` and stay.
@LoopActor final class CurlEasy {
    /// Settings of every handle of a client.
    struct Settings {
        var tls: TLSOptions
        var userAgent: String
        var share: CurlShare
    }

    nonisolated(unsafe) let handle: UnsafeMutableRawPointer
    nonisolated(unsafe) private let errorBuffer: UnsafeMutablePointer<CChar>
    nonisolated(unsafe) private var headers: UnsafeMutablePointer<curl_slist>?
    /// The last request, but for its body; its headers are still set.
    private var last: HTTPRequest?
    private let share: CurlShare

    /// Body of the answer, so far.
    private(set) var body: [UInt8] = []
    private var headerBytes = 0
    /// The answer was refused for its size.
    private(set) var isTooLarge = false
    /// The blank line that ends the answer's head came by. libcurl takes a head that is cut off for
    /// a whole answer without a body (RFC 9112, section 8, does not).
    private(set) var isHeadComplete = false
    /// libcurl did not take a setting.
    private var isUnfit = false

    /// `nil` if libcurl cannot make one, or lacks a setting that safety hangs on.
    init?(_ settings: Settings) {
        guard let handle = homing_curl_easy_init() else { return nil }
        self.handle = handle
        share = settings.share
        errorBuffer = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorBuffer.pointee = 0
        configure(settings)
        note(homing_curl_set_pointer(handle, CURLOPT_ERRORBUFFER, errorBuffer))
        if isUnfit { return nil }
    }

    deinit {
        homing_curl_easy_cleanup(handle)
        homing_curl_slist_free_all(headers)
        errorBuffer.deallocate()
    }

    /// Makes it ready to carry this request.
    func prepare(_ request: HTTPRequest) {
        body = []
        headerBytes = 0
        isTooLarge = false
        isHeadComplete = false
        errorBuffer.pointee = 0
        set(CURLOPT_URL, request.url)
        set(CURLOPT_TIMEOUT_MS, Int(request.boundedTimeout * 1000))
        set(CURLOPT_CONNECTTIMEOUT_MS, Int(request.boundedConnectTimeout * 1000))
        switch request.method {
        case .get: set(CURLOPT_HTTPGET, 1)
        case .post: setBody(request.body)
        }
        set(CURLOPT_FRESH_CONNECT, request.needsNewConnection ? 1 : 0)
        let open = request.mayReachThisMachine ? nil : CurlEasy.openElsewhere
        _ = homing_curl_set_open_callback(handle, open)
        setHeaders(request)
    }

    /// Notes whether a setting was taken.
    func note(_ code: CURLcode) {
        if code != CURLE_OK { isUnfit = true }
    }

    /// curl_easy_setopt(3) for numbers.
    func set(_ option: CURLoption, _ value: Int) {
        note(homing_curl_set_long(handle, option, value))
    }

    /// curl_easy_setopt(3) for texts, which libcurl copies; `nil` takes the default away.
    func set(_ option: CURLoption, _ value: String?) {
        note(homing_curl_set_string(handle, option, value))
    }

    /// The size comes first, as it tells libcurl how much to copy; an empty body is still a body.
    private func setBody(_ body: [UInt8]) {
        set(CURLOPT_POST, 1)
        _ = homing_curl_set_offset(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
        guard !body.isEmpty else { return set(CURLOPT_COPYPOSTFIELDS, "") }
        body.withUnsafeBytes {
            _ = homing_curl_set_pointer(handle, CURLOPT_COPYPOSTFIELDS, $0.baseAddress)
        }
    }

    /// Mostly the same as last time: then libcurl keeps its list.
    private func setHeaders(_ request: HTTPRequest) {
        if let last, request.hasHeaders(of: last) { return }
        var list: UnsafeMutablePointer<curl_slist>?
        for line in request.headerLines { list = homing_curl_slist_append(list, line) ?? list }
        _ = homing_curl_set_pointer(handle, CURLOPT_HTTPHEADER, list)
        homing_curl_slist_free_all(headers)
        headers = list
        last = request
        last?.body = []
    }

    /// Text of libcurl about a failure; may hold the URL.
    var errorText: String { String(cString: errorBuffer) }

    /// A piece of the answer's body. Whether it was taken; if not, libcurl ends the transfer.
    func takeBody(_ piece: UnsafeRawBufferPointer) -> Bool {
        guard body.count + piece.count <= HTTPClient.bodyLimit else {
            isTooLarge = true
            return false
        }
        body.append(contentsOf: piece)
        return true
    }

    /// A header line of the answer, which libcurl reads itself: here its size counts, and whether
    /// the head has ended. An interim answer (100) has a head of its own. Lines after the head are
    /// the trailer of a body in chunks.
    func takeHeader(_ line: UnsafeRawBufferPointer) -> Bool {
        headerBytes += line.count
        if line.starts(with: "HTTP/".utf8) {
            isHeadComplete = false
        } else if line.elementsEqual("\r\n".utf8) || line.elementsEqual("\n".utf8) {
            isHeadComplete = true
        }
        isTooLarge = headerBytes > HTTPClient.headerLimit
        return !isTooLarge
    }
}
