public import CGIO

/// An error of GLib's, GIO's or libnm's, in its own words.
public struct GLibError: Error, Equatable, CustomStringConvertible, Sendable {
    public let message: String
    /// The error's name on the bus, such as `org.freedesktop.DBus.Error.AccessDenied`; `nil` for others.
    public let name: String?

    public var description: String { message }

    public init(_ message: String, name: String? = nil) {
        self.message = message
        self.name = name
    }

    /// Whether a policy or a person does not permit the call.
    public var isAccessDenied: Bool { name == "org.freedesktop.DBus.Error.AccessDenied" }

    /// Whether no program on the bus offers the service.
    public var isServiceMissing: Bool {
        name == "org.freedesktop.DBus.Error.ServiceUnknown"
            || name == "org.freedesktop.DBus.Error.NameHasNoOwner"
    }

    /// Reads and frees the error a C call left.
    public static func readAndFreeError(_ error: inout UnsafeMutablePointer<GError>?) -> GLibError {
        defer { g_clear_error(&error) }
        guard let error else { return GLibError("unknown error") }
        let name = g_dbus_error_get_remote_error(error).map { name in
            defer { g_free(name) }
            return String(cString: name)
        }
        g_dbus_error_strip_remote_error(error)
        let message = error.pointee.message.map { String(cString: $0) }
        return GLibError(message ?? "unknown error", name: name)
    }

    /// Makes a call that takes a `GError **` and answers an object or NULL.
    public static func check<Object>(
        _ call: (inout UnsafeMutablePointer<GError>?) -> Object?
    ) -> Result<Object, GLibError> {
        var error: UnsafeMutablePointer<GError>?
        if let object = call(&error) { return .success(object) }
        return .failure(readAndFreeError(&error))
    }
}
