internal import HomingControl
internal import HomingNotifications
internal import HomingRuntime

extension DesktopNotification {
    /// The content of a picture's file, as it goes to another user's session.
    static func picture(_ path: String) -> String? {
        let limit = PictureFolder.pictureLimit + 1
        return (try? AtomicFile.read(path, limit: limit)).map { Base64.text(of: $0) }
    }
}
