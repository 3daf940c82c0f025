internal import HomingRuntime

extension Table {
    /// Reads the file, and over it the files `PATH.d/*.conf` in the order of their names' bytes; each
    /// key has the value of the last file that sets it. So are the files of each part read, over
    /// what the part inherits.
    ///
    /// Nothing is applied unless all of it is right; the errors are all that could be found, up to
    /// a hundred.
    ///
    /// - Parameters:
    ///   - path: of the file, which gives the folders too.
    ///   - explicit: whether somebody named the path. If so the file must be there; a default path
    ///     without a file is all defaults, and its drop-ins count all the same.
    ///   - first: the part for which the values of the main files hold that hold for one part alone.
    public func load(
        path: String, explicit: Bool, first: String? = nil
    ) -> Result<Loaded<Root>, SettingsErrors> {
        var reading = Reading(self)
        take(path, optional: !explicit, into: &reading)
        let inherited = inherited(from: reading.values)
        var parts: [String: Loaded<Root>.Part] = [:]
        var (problems, notes) = (reading.problems(), reading.notes)
        let (names, refused) = partNames(beside: path)
        problems += refused
        for (name, file) in names {
            var asFirst = Reading(self, part: reading.values)
            var asOther = Reading(self, part: inherited)
            take(file, optional: true, into: &asFirst)
            take(file, optional: true, into: &asOther)
            parts[name] = Loaded.Part(
                asFirst: asFirst.values, asOther: asOther.values,
                ownKeys: asOther.ownKeys(first: name))
            let part = name == first ? asFirst : asOther
            problems += part.problems()
            notes += part.notes
        }
        guard problems.isEmpty else { return .failure(SettingsErrors(problems)) }
        return .success(
            Loaded(
                main: reading.values, notes: notes, ownKeys: reading.ownKeys(first: first),
                inherited: inherited,
                parts: parts, first: first))
    }

    /// The parts that have files, and their files; and an error for each file of another name.
    private func partNames(
        beside path: String
    ) -> (names: [(String, String)], refused: [Diagnostic]) {
        guard let parts, let folder = partFolder(beside: path) else { return ([], []) }
        let entries: [String]
        do throws(SystemError) { entries = try Folders.namesIfAny(in: folder) } catch {
            return ([], [Diagnostic(file: folder, "cannot be read: \(error.reason)")])
        }
        let files = entries.filter { !$0.hasPrefix(".") }.compactMap { entry in
            [".conf", ".conf.d"].first { entry.hasSuffix($0) }.map { entry.dropLast($0.count) }
        }
        let refused = Set(files).filter { !Parts.isName($0) }.sorted().map {
            Diagnostic(
                file: "\(folder)/\($0).conf",
                "no \(parts.part) can be called \(quoted(shortened(String($0)))): "
                    + "a name has 1 to 32 of a-z, 0-9 and \"-\", and no \"-\" first")
        }
        let names = Set(files).filter { Parts.isName($0) }.sorted()
        return (names.map { (String($0), "\(folder)/\($0).conf") }, refused)
    }

    /// Takes a file and its drop-ins.
    private func take(_ path: String, optional: Bool, into reading: inout Reading<Root>) {
        read(path, optional: optional, into: &reading)
        do throws(SystemError) {
            for file in try dropIns(of: path) { read(file, optional: false, into: &reading) }
        } catch {
            reading.refuse(dropInFolder(of: path), "cannot be read: \(error.reason)")
        }
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
}
