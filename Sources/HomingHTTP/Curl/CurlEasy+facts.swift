internal import CCurl
internal import HomingRuntime

extension CurlEasy {
    /// The answer, once libcurl has all of it.
    var response: HTTPResponse {
        HTTPResponse(
            status: number(CURLINFO_RESPONSE_CODE), body: body, retryAfter: retryAfter,
            isReused: number(CURLINFO_NUM_CONNECTS) == 0, path: path)
    }

    /// The ends of the connection that was used last.
    var path: ConnectionPath? {
        guard let local = text(CURLINFO_LOCAL_IP), let peer = text(CURLINFO_PRIMARY_IP) else {
            return nil
        }
        return ConnectionPath(local: local, peer: peer)
    }

    /// Whether a byte of the request may have gone out: libcurl marks the time when all before that
    /// is done.
    var mayHaveSent: Bool {
        var time: curl_off_t = 0
        _ = homing_curl_get_offset(handle, CURLINFO_PRETRANSFER_TIME_T, &time)
        return time > 0
    }

    /// The error number of the last connection that failed.
    var systemError: Int32 { Int32(truncatingIfNeeded: number(CURLINFO_OS_ERRNO)) }

    /// OpenSSL's verdict on the server's certificate: `X509_V_ERR_…` of <openssl/x509_vfy.h>.
    var verifyResult: Int { number(CURLINFO_SSL_VERIFYRESULT) }

    /// Whether the connection is new and not a byte of an answer came.
    var isStillborn: Bool { number(CURLINFO_NUM_CONNECTS) > 0 && number(CURLINFO_HEADER_SIZE) == 0 }

    /// A date counts by the server's own clock: ours may be wrong. Without the server's date it says
    /// nothing.
    private var retryAfter: Seconds? {
        guard let text = header("Retry-After") else { return nil }
        let now = header("Date").map { Seconds(homing_curl_getdate($0)) } ?? -1
        let wait = RetryAfter.seconds(text, unixTime: now < 0 ? -.infinity : now)
        return wait.flatMap { $0.isFinite ? $0 : nil }
    }

    private func header(_ name: String) -> String? {
        var header: UnsafeMutablePointer<curl_header>?
        let code = homing_curl_easy_header(handle, name, &header)
        guard code == CURLHE_OK, let value = header?.pointee.value else { return nil }
        return String(cString: value).streamSafe
    }

    private func text(_ info: CURLINFO) -> String? {
        var value: UnsafePointer<CChar>?
        _ = homing_curl_get_string(handle, info, &value)
        return value.map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    private func number(_ info: CURLINFO) -> Int {
        var value = 0
        _ = homing_curl_get_long(handle, info, &value)
        return value
    }
}
