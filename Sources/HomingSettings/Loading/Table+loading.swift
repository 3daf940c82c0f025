internal import HomingRuntime

extension Table {
    /// Reads the file, and over it the files `PATH.d/*.conf` in the order of their names' bytes; each
    /// key has the value of the last file that sets it.
    ///
    /// Nothing is applied unless all of it is right; the errors are all that could be found, up to
    /// a hundred.
    ///
    /// - Parameters:
    ///   - path: of the file, which gives the folder too.
    ///   - explicit: whether somebody named the path. If so the file must be there; a default path
    ///     without a file is all defaults, and its drop-ins count all the same.
    public func load(path: String, explicit: Bool) -> Result<Root, SettingsErrors> {
        var reading = Reading(self)
        read(path, optional: !explicit, into: &reading)
        let folder = "\(path).d"
        do throws(SystemError) {
            for name in try dropIns(in: folder) {
                read("\(folder)/\(name)", optional: false, into: &reading)
            }
        } catch {
            reading.refuse(folder, "cannot be read: \(error.reason)")
        }
        return reading.result()
    }

    private func read(_ path: String, optional: Bool, into reading: inout Reading<Root>) {
        do throws(FileContent.Failure) {
            reading.take(try FileContent.read(path), of: path)
        } catch  where optional && error.isNotFound {
            return
        } catch {
            reading.refuse(path, error.message)
        }
    }

    /// The names of the drop-ins, as `*.conf` in a shell would name them; none without the folder.
    private func dropIns(in folder: String) throws(SystemError) -> [String] {
        do throws(SystemError) {
            return try Folders.names(in: folder).filter {
                $0.hasSuffix(".conf") && !$0.hasPrefix(".")
            }
        } catch  where error.isNotFound {
            return []
        }
    }
}
