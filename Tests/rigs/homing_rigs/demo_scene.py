"""What the demo plays and the README's pictures show: a car's drive from home to work on a map, and a notification."""

from typing import NamedTuple

from . import ha_pages


class Notification(NamedTuple):
    """A notification with one button, and the name of the button's action in Home Assistant."""

    title: str
    text: str
    button: str
    action: str

    @property
    def data(self):
        """The `data` of Home Assistant's notify service."""
        return {"actions": [{"action": self.action, "title": self.button}]}


DEVICE = "Car"
SPEED = 12  # times the real speed
MIN_DISTANCE = 20  # metres between two reported locations
GARAGE = Notification("Garage", "The door is open", "Close it", "CLOSE_GARAGE")


def show_the_drive(ha, tracker):
    """Makes the first dashboard a map of the car between home and work."""
    ha_pages.show_the_map(ha, tracker, "zone.home", "zone.work")
