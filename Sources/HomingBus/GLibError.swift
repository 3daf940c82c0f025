public import CGIO

/// An error of GLib's, GIO's or libnm's, in its own words.
public struct GLibError: Error, Equatable, CustomStringConvertible, Sendable {
    public let message: String

    public var description: String { message }

    public init(_ message: String) { self.message = message }

    /// Reads and frees the error a C call left.
    public static func take(_ error: inout UnsafeMutablePointer<GError>?) -> GLibError {
        defer { g_clear_error(&error) }
        if let error { g_dbus_error_strip_remote_error(error) }
        return GLibError(error?.pointee.message.map { String(cString: $0) } ?? "unknown error")
    }

    /// Makes a call that takes a `GError **` and answers an object or NULL.
    public static func check<Object>(
        _ call: (inout UnsafeMutablePointer<GError>?) -> Object?
    ) -> Result<Object, GLibError> {
        var error: UnsafeMutablePointer<GError>?
        if let object = call(&error) { return .success(object) }
        return .failure(take(&error))
    }
}
