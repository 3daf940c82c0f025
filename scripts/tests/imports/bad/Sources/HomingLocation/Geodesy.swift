internal import Glibc
internal import HomeAssistantAPI
