/// Homing's version, as told to people and to Home Assistant.
public let homingVersion = "0.1.0"
