internal import CGIO
public import HomingRuntime

/// An object of this program's on a bus, which others call; ended when let go.
@LoopActor public final class BusExport {
    /// Gets the method and its arguments, and answers its values.
    public typealias Method = @LoopActor (String, [BusValue]) -> [BusArgument]

    /// Data that C's callbacks need.
    private struct Content {
        let method: Method
        let properties: [String: BusArgument]
    }

    /// Connection that only the loop's thread touches, but `deinit` is not isolated.
    nonisolated(unsafe) private let connection: OpaquePointer
    private let identifier: guint

    /// Exports an object on a GDBusConnection; `nil` if another object has the path.
    ///
    /// - Parameters:
    ///   - description: the one interface in D-Bus's introspection format.
    ///   - properties: the values that are read; they never change.
    ///   - method: answers a call, whose arguments have the types of the description.
    public init?(
        _ description: String, at path: String, properties: [String: BusArgument] = [:],
        on connection: OpaquePointer, method: @escaping Method
    ) {
        guard let node = g_dbus_node_info_new_for_xml(description, nil) else { return nil }
        defer { g_dbus_node_info_unref(node) }
        guard let interface = node.pointee.interfaces?.pointee else { return nil }
        let content = Box<Content>.retain(Content(method: method, properties: properties))
        identifier = g_dbus_connection_register_object(
            connection, path, interface, Self.table, content, releaseBox, nil)
        guard identifier != 0 else {
            releaseBox(content)
            return nil
        }
        self.connection = connection
        g_object_ref(UnsafeMutableRawPointer(connection))
    }

    deinit {
        g_dbus_connection_unregister_object(connection, identifier)
        g_object_unref(UnsafeMutableRawPointer(connection))
    }

    /// Lives as long as the program: GIO keeps a pointer to the table.
    private static let table: UnsafeMutablePointer<GDBusInterfaceVTable> = {
        let table = UnsafeMutablePointer<GDBusInterfaceVTable>.allocate(capacity: 1)
        table.initialize(to: GDBusInterfaceVTable())
        table.pointee.method_call = { _, _, _, _, name, arguments, invocation, box in
            BusExport.answer(name, arguments, invocation, box)
        }
        table.pointee.get_property = { _, _, _, _, name, _, box in BusExport.read(name, box) }
        return table
    }()

    nonisolated private static func answer(
        _ name: UnsafePointer<CChar>?, _ arguments: OpaquePointer?, _ invocation: OpaquePointer?,
        _ box: UnsafeMutableRawPointer?
    ) {
        guard let name, let arguments, let box else { return }
        let values = BusValue(arguments).list ?? []
        let (content, method) = (Box<Content>.value(box), String(cString: name))
        let answer = LoopActor.assumeIsolated { content.method(method, values) }
        g_dbus_method_invocation_return_value(invocation, BusArgument.tuple(answer))
    }

    nonisolated private static func read(
        _ name: UnsafePointer<CChar>?, _ box: UnsafeMutableRawPointer?
    ) -> OpaquePointer? {
        guard let name, let box else { return nil }
        return Box<Content>.value(box).properties[String(cString: name)]?.variant
    }
}
