internal import HomingBase
internal import HomingControl
internal import HomingRuntime
internal import HomingSettings
internal import HomingSocket

/// `homing homes`.
extension HomeHandler {
    func remove(_ client: OpenRequest) {
        guard !home.keeper.isBusy else { return client.refuse(.registering) }
        client.answerLater { () async -> Result<UnregisterResult, ControlError> in
            var result = UnregisterResult(.given)
            if home.state.registration != nil {
                switch await home.unregister() {
                case .failure(let error): return .failure(error)
                case .success(let ended): result = ended
                }
            }
            guard agent.homes[home.name] === home else { return .failure(.registering) }
            do throws(StartFailure) { try agent.homes.remove(home) } catch {
                return .failure(ControlError(.failure, "\(error)"))
            }
            Log.notice("the home \(home.name) was removed")
            return .success(result)
        }
    }

    func rename(_ params: ControlCommand.RenameHome) -> Result<Done, ControlError> {
        if let error = agent.homes.refusal(ofNew: params.to) { return .failure(error) }
        guard !home.keeper.isBusy else { return .failure(.registering) }
        do throws(StartFailure) { try agent.homes.rename(home, to: params.to) } catch {
            return .failure(ControlError(.failure, "\(error)"))
        }
        Log.notice("the home \(home.name) is called \(params.to) now")
        return .success(Done())
    }
}
