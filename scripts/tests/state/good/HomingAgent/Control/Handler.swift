// Of a report: `home.delivery` is no part.
func answer(_ home: Home) -> String { home.name + home.state.delivery.title }
