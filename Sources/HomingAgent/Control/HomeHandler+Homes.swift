internal import HomingControl
internal import HomingRuntime

/// `homing homes`.
extension HomeHandler {
    func remove(_ client: OpenRequest) {
        home.change(for: client) { () async throws(ControlError) -> UnregisterResult in
            try agent.homes.filesMustSuit(without: home.name)
            let result =
                home.state.registration == nil
                ? UnregisterResult(.absent) : try await home.unregister()
            guard agent.homes[home.name] === home else { throw .registering }
            try agent.homes.remove(home)
            Log.notice("the home \(home.name) was removed")
            return result
        }
    }

    func rename(to name: String) throws(ControlError) -> Done {
        if let error = agent.homes.refusal(ofNew: name) { throw error }
        guard !home.state.isRegistering else { throw .registering }
        try agent.homes.rename(home, to: name)
        Log.notice("the home \(home.name) is called \(name) now")
        return Done()
    }
}
