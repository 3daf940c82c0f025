internal import CCurl
internal import Glibc

/// libcurl as a whole.
enum CurlLibrary {
    /// Loads and starts it, the first time. curl_global_init(3).
    ///
    /// `CURLOPT_NOSIGNAL` leaves SIGPIPE to the program: without this a server that closes while we
    /// write would end the process.
    static let isReady: Bool = {
        signal(SIGPIPE, SIG_IGN)
        return homing_curl_is_complete()
            && homing_curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK
    }()

    /// The reason why requests cannot be started, for people.
    static var problem: String {
        homing_curl_is_complete()
            ? "libcurl could not start the request"
            : "libcurl.so.4 is missing, or older than 7.85: install libcurl4, or on Debian 13 "
                + "libcurl4t64"
    }

    /// Whether a handle may carry more than one request. Before 8.1 it keeps a pointer to the last
    /// header of an answer that is gone: where the next answer's first header line begins with a
    /// blank, libcurl writes there, and any server on the way can make it do so
    /// (https://github.com/curl/curl/pull/11103; Debian 12 has 7.88).
    static let handlesMayBeReused: Bool = {
        guard isReady, let version = homing_curl_version_info() else { return false }
        return version.pointee.version_num >= 0x08_01_00
    }()
}

/// Share of all handles of one client: TLS sessions, so that a connection made again costs one
/// round trip less and no certificates. The share has no locks, as one thread has all handles.
final class CurlShare: Sendable {
    nonisolated(unsafe) let handle: UnsafeMutableRawPointer

    init?() {
        guard CurlLibrary.isReady, let handle = homing_curl_share_init() else { return nil }
        self.handle = handle
        let sessions = Int(CURL_LOCK_DATA_SSL_SESSION.rawValue)
        _ = homing_curl_share_set_long(handle, CURLSHOPT_SHARE, sessions)
    }

    /// Every handle that uses it holds it, so it goes last.
    deinit { homing_curl_share_cleanup(handle) }
}
