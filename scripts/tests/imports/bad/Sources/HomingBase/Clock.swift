import Glibc
@preconcurrency import Foundation
import FoundationEssentials
