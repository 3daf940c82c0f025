internal import CCurl
internal import HomingRuntime

extension CurlEasy {
    /// Sets what stays for the handle's life.
    func configure(_ settings: Settings) {
        note(homing_curl_set_pointer(handle, CURLOPT_SHARE, settings.share.handle))
        configureProtocol(settings.userAgent)
        configureConnection()
        configureTLS(settings.tls)
        configureAnswer()
        note(TrafficMeter.count(on: handle))
    }

    /// Plain HTTP/1.1 to exactly the server that was named, for exactly the path that was named:
    /// redirects are not followed, `..` is not resolved, proxies of the environment are not asked,
    /// and compressed answers are not invited, so that none can swell.
    private func configureProtocol(_ userAgent: String) {
        set(CURLOPT_PROTOCOLS_STR, "http,https")
        set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
        set(CURLOPT_FOLLOWLOCATION, 0)
        set(CURLOPT_PATH_AS_IS, 1)
        set(CURLOPT_PROXY, "")
        set(CURLOPT_NOSIGNAL, 1)
        set(CURLOPT_USERAGENT, userAgent)
    }

    /// Bytes that are read at a time. Most answers are shorter, and the buffer is made and wiped for
    /// each request.
    private static let bufferSize = 4096

    /// A warm connection outlives a heartbeat, if the server lets it; keepalives keep it in the
    /// tables of the routers between, and find out when it is dead.
    private func configureConnection() {
        set(CURLOPT_BUFFERSIZE, Self.bufferSize)
        set(CURLOPT_MAXAGE_CONN, HTTPClient.maxIdleTime)
        set(CURLOPT_TCP_KEEPALIVE, 1)
        set(CURLOPT_TCP_KEEPIDLE, 60)
        set(CURLOPT_TCP_KEEPINTVL, 30)
        // After a portal or a new lease a name may have another address: the name is looked up again
        // within seconds. A warm connection looks up no name.
        set(CURLOPT_DNS_CACHE_TIMEOUT, 5)
    }

    /// TLS 1.2 at least, checked always. Where libcurl knows a folder of certificates (Debian's
    /// does), OpenSSL looks up the one it needs there; the bundle would be parsed whole for every
    /// connection, 140 certificates of it.
    private func configureTLS(_ options: TLSOptions) {
        var folder: UnsafePointer<CChar>?
        let code = homing_curl_get_string(handle, CURLINFO_CAPATH, &folder)
        set(CURLOPT_SSL_VERIFYPEER, 1)
        set(CURLOPT_SSL_VERIFYHOST, 2)
        // An Int32 or an Int, as the release of libcurl has it.
        set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        let hasFolder = code == CURLE_OK && folder != nil
        if hasFolder || options.caFile != nil { set(CURLOPT_CAINFO, options.caFile) }
        if let certificate = options.clientCertificate {
            set(CURLOPT_SSLCERT, certificate)
            set(CURLOPT_SSLKEY, options.clientKey ?? certificate)
        }
    }

    /// libcurl refuses a body that is announced too large; the callbacks one that grows so.
    private func configureAnswer() {
        let me = Unmanaged.passUnretained(self).toOpaque()
        let limit = curl_off_t(HTTPClient.bodyLimit)
        note(homing_curl_set_offset(handle, CURLOPT_MAXFILESIZE_LARGE, limit))
        note(homing_curl_set_data_callback(handle, CURLOPT_WRITEFUNCTION, CurlEasy.writeCallback))
        note(homing_curl_set_pointer(handle, CURLOPT_WRITEDATA, me))
        note(homing_curl_set_data_callback(handle, CURLOPT_HEADERFUNCTION, CurlEasy.headerCallback))
        note(homing_curl_set_pointer(handle, CURLOPT_HEADERDATA, me))
    }

    /// Both return the bytes they took; any other number makes libcurl give up.
    private static let writeCallback: homing_curl_data_callback = { data, size, count, context in
        guard let data, let context else { return 0 }
        let easy = Unmanaged<CurlEasy>.fromOpaque(context)
        let piece = Lent(UnsafeRawBufferPointer(start: data, count: size * count))
        let taken = LoopActor.assumeIsolated { easy.takeUnretainedValue().takeBody(piece.value) }
        return taken ? size * count : 0
    }

    private static let headerCallback: homing_curl_data_callback = { data, size, count, context in
        guard let data, let context else { return 0 }
        let easy = Unmanaged<CurlEasy>.fromOpaque(context)
        let line = Lent(UnsafeRawBufferPointer(start: data, count: size * count))
        let taken = LoopActor.assumeIsolated { easy.takeUnretainedValue().takeHeader(line.value) }
        return taken ? size * count : 0
    }
}
