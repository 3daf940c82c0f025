"""The fault list: the real `homingd` against every fault of docs/reliability.md."""
