internal import Glibc
public import HomingRuntime

/// Files of pictures that a notification server of this user can read: the newest, and no more.
@LoopActor public final class PictureFolder {
    /// Bytes of a picture.
    public nonisolated static let pictureLimit = 1 << 20
    /// Files that are kept for servers that read them late.
    private static let kept = 16

    private let path: String
    private var files: [String] = []
    private var number = 0

    /// - Parameter path: of the folder, which is made when it is wanted.
    public init(_ path: String) { self.path = path }

    /// Keeps it in a file. The file's path; `nil` if it is no picture, is too large to be decoded
    /// (`PictureHeader`), or cannot be kept, which is told in the journal.
    public func store(_ content: [UInt8]) -> String? {
        guard let header = PictureHeader(content) else {
            Log.info("the picture of the notification is not a picture")
            return nil
        }
        guard header.isShowable else {
            Log.info("a notification's picture is too large: \(header.width)×\(header.height)")
            return nil
        }
        number += 1
        let file = "\(path)/\(number).\(header.kind.rawValue)"
        do throws(SystemError) {
            try Folders.make(path)
            try AtomicFile.write(content, to: file)
        } catch {
            Log.warning("a notification's picture cannot be kept: \(error)")
            return nil
        }
        files.append(file)
        if files.count > Self.kept { unlink(files.removeFirst()) }
        return file
    }

    /// Forgets them all.
    public func clear() {
        for file in files { unlink(file) }
        files = []
    }
}
