internal import HomingBase
internal import HomingControl
internal import HomingRuntime
internal import HomingSettings
internal import HomingSocket

/// `homing homes`.
extension HomeHandler {
    func remove(_ client: OpenRequest) {
        client.answerLater { () async -> Result<UnregisterResult, ControlError> in
            var result = UnregisterResult(.given)
            if home.state.registration != nil {
                switch await home.unregister() {
                case .failure(let error): return .failure(error)
                case .success(let ended): result = ended
                }
            }
            do throws(StartFailure) { try agent.remove(home) } catch {
                return .failure(ControlError(.failure, "\(error)"))
            }
            return .success(result)
        }
    }

    func rename(_ params: ControlCommand.RenameHome) -> Result<Done, ControlError> {
        if let error = agent.refusal(ofNew: params.to) { return .failure(error) }
        do throws(StartFailure) { try agent.rename(home, to: params.to) } catch {
            return .failure(ControlError(.failure, "\(error)"))
        }
        return .success(Done())
    }
}
