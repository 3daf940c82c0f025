internal import CCurl
internal import HomingBase
internal import HomingRuntime

extension CurlEasy {
    /// The answer, once libcurl has all of it.
    func response(to request: HTTPRequest) -> HTTPResponse {
        HTTPResponse(
            status: number(CURLINFO_RESPONSE_CODE), body: body,
            contentType: text(CURLINFO_CONTENT_TYPE), retryAfter: retryAfter,
            connection: HTTPResponse.Connection(
                // Certificates are checked always, so there is no answer over unverified TLS.
                isVerifiedTLS: text(CURLINFO_SCHEME)?.lowercased() == "https",
                isLoopback: isLoopback(text(CURLINFO_PRIMARY_IP) ?? ""),
                isReused: number(CURLINFO_NUM_CONNECTS) == 0,
                bytesSent: bytesSent(request),
                bytesReceived: number(CURLINFO_HEADER_SIZE) + offset(CURLINFO_SIZE_DOWNLOAD_T)))
    }

    /// Whether a byte of the request may have gone out: libcurl marks the time when all before that
    /// is done.
    var mayHaveSent: Bool { offset(CURLINFO_PRETRANSFER_TIME_T) > 0 }

    /// The error number of the last connection that failed.
    var systemError: Int32 { Int32(truncatingIfNeeded: number(CURLINFO_OS_ERRNO)) }

    /// OpenSSL's verdict on the server's certificate: `X509_V_ERR_…` of <openssl/x509_vfy.h>.
    var verifyResult: Int { number(CURLINFO_SSL_VERIFYRESULT) }

    /// Whether the connection is new and not a byte of an answer came.
    var isStillborn: Bool { number(CURLINFO_NUM_CONNECTS) > 0 && number(CURLINFO_HEADER_SIZE) == 0 }

    /// libcurl 8 counts the whole request; 7 what went out in the first piece, which for a large
    /// body is part of it or none.
    private func bytesSent(_ request: HTTPRequest) -> Int {
        let (counted, body) = (number(CURLINFO_REQUEST_SIZE), offset(CURLINFO_SIZE_UPLOAD_T))
        return counted > body ? counted : body + request.headSize(userAgent: userAgent)
    }

    private var retryAfter: Seconds? {
        var header: UnsafeMutablePointer<curl_header>?
        let code = curl_easy_header(handle, "Retry-After", 0, UInt32(CURLH_HEADER), -1, &header)
        guard code == CURLHE_OK, let value = header?.pointee.value else { return nil }
        let text = String(cString: value).streamSafe
        return RetryAfter.seconds(text, unixTime: SystemClock.now().unixTime)
    }

    private func isLoopback(_ address: String) -> Bool {
        address.hasPrefix("127.") || address == "::1" || address.hasPrefix("::ffff:127.")
    }

    private func number(_ info: CURLINFO) -> Int {
        var value = 0
        _ = homing_curl_get_long(handle, info, &value)
        return value
    }

    private func offset(_ info: CURLINFO) -> Int {
        var value: curl_off_t = 0
        _ = homing_curl_get_offset(handle, info, &value)
        return Int(value)
    }

    private func text(_ info: CURLINFO) -> String? {
        var value: UnsafePointer<CChar>?
        guard homing_curl_get_string(handle, info, &value) == CURLE_OK else { return nil }
        return value.map { String(cString: $0).streamSafe }
    }
}
