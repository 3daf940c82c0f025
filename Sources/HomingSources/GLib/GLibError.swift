internal import CGLib

/// An error of GLib's, GIO's or libnm's, in its own words.
struct GLibError: Error, Equatable, CustomStringConvertible {
    let domain: String
    let code: Int32
    let message: String

    var description: String { message }

    init(domain: String, code: Int32, message: String) {
        self.domain = domain
        self.code = code
        self.message = message
    }

    /// Reads and frees the error a C call left.
    static func take(_ error: inout UnsafeMutablePointer<GError>?) -> GLibError {
        defer { g_clear_error(&error) }
        guard let left = error?.pointee else {
            return GLibError(domain: "", code: 0, message: "unknown error")
        }
        return GLibError(
            domain: g_quark_to_string(left.domain).map { String(cString: $0) } ?? "",
            code: left.code, message: left.message.map { String(cString: $0) } ?? "unknown error")
    }

    /// Makes a call that takes a `GError **` and answers an object or NULL.
    static func check<Object>(
        _ call: (inout UnsafeMutablePointer<GError>?) -> Object?
    ) -> Result<Object, GLibError> {
        var error: UnsafeMutablePointer<GError>?
        if let object = call(&error) { return .success(object) }
        return .failure(take(&error))
    }
}
