"""Every code block of the documents is run by a test, or has a reason here why none can run it."""

import pathlib
import re
import sys

import pytest

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY / "Tests/rigs"))

from homing_rigs.documents import blocks, blocks_of  # noqa: E402

# What tests all blocks of a kind.
KINDS = {"ini": "Packaging/test_documents.py::test_every_configuration_is_right"}

PAGES, MACHINE, FIRST = "EndToEnd/test_pages.py::", "Packages/test_pages_installed.py::", "Packages/test_first_minutes.py::"
FLEET = "Packages/test_fleet.py::"
RELAY, ANSIBLE = "Packages/test_relay_page.py::", "Packages/test_ansible.py::"
SERVICE, SANDBOX = "Packages/test_service.py::", "Packages/test_sensors.py::"
RECEIVERS = "EndToEnd/test_receivers_page.py::"
SIREN = "EndToEnd/test_boat.py::test_the_siren_on_board_sounds_at_the_alarm_of_the_anchor_watch_alone"
PROXY, SENSORS = "EndToEnd/test_reverse_proxy.py::", "HomingSensorsTests/DocumentationTests.swift::"
RUN = {
    "README.md: Install: sh 2":
        "Packages/test_release.py::test_a_fresh_machine_installs_and_upgrades_by_the_readmes_two_lines",
    "docs/platforms.md: Other distributions: sh":
        "Packages/test_release.py::test_the_archive_installs_and_uninstalls_itself_and_keeps_what_is_the_owners",
    "docs/install.md: Build the packages: sh": FIRST + "test_from_an_empty_machine_to_a_dot_that_moves",
    "docs/install.md: Install from source: sh":
        "Packaging/test_from_source.py::test_the_pages_commands_give_a_daemon_that_takes_positions",
    "README.md: Pair: sh": FIRST + "test_from_an_empty_machine_to_a_dot_that_moves",
    "README.md: Check: console": PAGES + "test_the_status_that_the_readme_shows_has_the_lines_of_a_real_one",
    "docs/configuration.md: Configuration: sh": MACHINE + "test_the_commands_about_the_configuration",
    "SECURITY.md: Credentials: sh": MACHINE + "test_secret_and_token_are_sealed_as_the_page_about_security_says",
    "SECURITY.md: Credentials: systemd": MACHINE + "test_secret_and_token_are_sealed_as_the_page_about_security_says",
    "docs/adding-a-sensor.md: 1. The file: swift": SENSORS + "template",
    "docs/adding-a-sensor.md: 3. The recording: picture":
        "Packaging/test_documents.py::test_the_recording_of_a_new_sensor_is_made_as_its_page_says",
    "docs/boat.md: A home that moves: yaml": "EndToEnd/test_boat.py::test_the_home_zone_follows_the_boat",
    "docs/boat.md: A siren on board: yaml": SIREN,
    "docs/boat.md: A siren on board: sh": SIREN,
    "docs/boat.md: A siren on board: sh 2": SIREN,
    "docs/boat.md: Tanks, batteries, depth and wind: sh":
        "EndToEnd/test_signalk.py::test_a_boat_s_tanks_batteries_depth_and_wind_are_in_home_assistant",
    "docs/commands.md: Events: sh": PAGES + "test_an_event_sets_off_the_automation_of_its_page",
    "docs/commands.md: Events: yaml": PAGES + "test_an_event_sets_off_the_automation_of_its_page",
    "docs/commands.md: Services: sh": PAGES + "test_services_are_called",
    "docs/commands.md: Templates: sh": PAGES + "test_templates_are_rendered",
    "docs/commands.md: The track: console": PAGES + "test_the_track_is_shown_and_written",
    "docs/commands.md: Exit codes: sh": PAGES + "test_a_script_knows_by_the_exit_code_whether_the_gate_opens",
    "docs/data.md: How much it is: text":
        "EndToEnd/test_thrift.py::test_a_metered_network_has_no_channel_and_gets_history_in_place_of_news",
    "docs/fleet.md: Register by a script: sh": FLEET + "test_a_script_registers_once_and_changes_nothing_after_that",
    "docs/fleet.md: Register by a script: yaml": FLEET + "test_cloud_init_installs_and_registers_at_the_first_start",
    "docs/fleet.md: Register by a script: text":
        FLEET + "test_the_lines_for_debians_installer_install_homing_and_the_unit",
    "docs/fleet.md: Register by a script: systemd":
        FLEET + "test_a_machine_registers_at_its_first_start_and_tries_again_until_it_can",
    "docs/fleet.md: Copy a disk: sh": FLEET + "test_a_copy_of_a_marked_disk_becomes_a_device_of_its_own",
    "docs/fleet.md: Copy a disk: sh 2":
        FLEET + "test_a_copy_of_a_marked_disk_without_a_registration_waits_for_setup",
    "docs/fleet.md: When the hardware changed: sh":
        FLEET + "test_a_disk_on_another_machine_waits_for_one_of_the_two_commands",
    "docs/fleet.md: When the hardware changed: sh 2":
        FLEET + "test_a_disk_on_another_machine_waits_for_one_of_the_two_commands",
    "docs/fleet.md: Take a machine out: sh": FLEET + "test_a_machine_that_is_taken_out_leaves_what_its_page_says",
    "docs/fleet.md: Reports for programs: sh":
        "EndToEnd/test_schemas.py::test_monitoring_asks_as_the_page_says",
    "docs/fleet.md: Reports for programs: json":
        "Packaging/test_schemas.py::test_the_report_of_the_page_satisfies_its_schema",
    "docs/fleet.md: Metrics for Prometheus: sh":
        "Packages/test_metrics.py::test_node_exporter_tells_what_the_timer_writes",
    "docs/fleet.md: Metrics for Prometheus: yaml":
        "EndToEnd/test_metrics.py::test_the_rules_of_the_page_are_rules_about_metrics_that_there_are",
    "docs/fleet.md: With Ansible: yaml":
        ANSIBLE + "test_one_run_makes_three_devices_with_names_and_identities_of_their_own",
    "docs/fleet.md: With Ansible: yaml 2":
        ANSIBLE + "test_one_run_makes_three_devices_with_names_and_identities_of_their_own",
    "docs/fleet.md: With Ansible: sh": ANSIBLE + "test_a_machine_is_taken_out_of_service",
    "docs/getting-started-laptop.md: Install: sh": MACHINE + "test_a_laptop_gets_started_as_its_page_says",
    "docs/getting-started-laptop.md: Install: sh 2": MACHINE + "test_a_laptop_gets_started_as_its_page_says",
    "docs/getting-started-laptop.md: What setup asks: sh": MACHINE + "test_a_laptop_gets_started_as_its_page_says",
    "docs/getting-started-laptop.md: A laptop without a GPS receiver: sh":
        MACHINE + "test_a_laptop_gets_started_as_its_page_says",
    "docs/getting-started-laptop.md: A laptop without a GPS receiver: sh 2":
        MACHINE + "test_a_laptop_gets_started_as_its_page_says",
    "docs/getting-started-laptop.md: Say which network is home: sh":
        "EndToEnd/test_places.py::test_setup_alone_makes_a_machine_without_a_receiver_home",
    "docs/getting-started-laptop.md: See that it works: sh": MACHINE + "test_a_laptop_gets_started_as_its_page_says",
    "docs/homes.md: Add, list, remove: sh": MACHINE + "test_homes_are_added_renamed_and_removed_as_their_page_says",
    "docs/homing_track.md: The data: json": PAGES + "test_a_real_event_has_the_shape_of_the_one_on_its_page",
    "docs/homing_track.md: An automation: yaml":
        PAGES + "test_the_event_sets_off_the_automation_and_the_sensor_of_its_page",
    "docs/homing_track.md: A template sensor: yaml":
        PAGES + "test_the_event_sets_off_the_automation_and_the_sensor_of_its_page",
    "docs/notifications.md: Notifications: yaml":
        PAGES + "test_the_notification_of_the_page_is_shown_and_its_reply_is_told",
    "docs/notifications.md: Where they are shown: systemd":
        SERVICE + "test_terminals_are_told_with_the_lines_of_the_page_and_not_without",
    "docs/notifications.md: By a relay: sh": PAGES + "test_what_a_relay_was_handed_is_taken_from_it",
    "docs/privacy.md: How to send less: sh": PAGES + "test_a_zone_is_told_in_place_of_coordinates",
    "docs/raspberry-pi-gps.md: The receiver: sh": MACHINE + "test_a_raspberry_pi_is_set_up_as_its_page_says",
    "docs/raspberry-pi-gps.md: The receiver: sh 2": MACHINE + "test_a_raspberry_pi_is_set_up_as_its_page_says",
    "docs/raspberry-pi-gps.md: The clock: sh": MACHINE + "test_a_raspberry_pi_is_set_up_as_its_page_says",
    "docs/raspberry-pi-gps.md: Pair it: sh": MACHINE + "test_a_raspberry_pi_is_set_up_as_its_page_says",
    "docs/raspberry-pi-gps.md: See that it works: sh": MACHINE + "test_a_raspberry_pi_is_set_up_as_its_page_says",
    "docs/receivers.md: A receiver elsewhere: sh": RECEIVERS + "test_a_sender_of_udp_is_on_the_map_and_may_come_and_go",
    "docs/receivers.md: A receiver elsewhere: sh 2": RECEIVERS + "test_a_sender_of_udp_is_on_the_map_and_may_come_and_go",
    "docs/receivers.md: By UDP: sh": RECEIVERS + "test_a_sender_of_udp_is_on_the_map_and_may_come_and_go",
    "docs/receivers.md: By TCP: sh":
        RECEIVERS + "test_gpsd_of_debian_13_reads_tcp_by_itself_and_writes_nothing_with_b",
    "docs/receivers.md: By TCP: systemd":
        RECEIVERS + "test_the_service_of_the_page_reads_tcp_whenever_the_other_end_is_there",
    "docs/receivers.md: By TCP: sh 2":
        RECEIVERS + "test_the_service_of_the_page_reads_tcp_whenever_the_other_end_is_there",
    "docs/receivers.md: By TCP: sh 3":
        RECEIVERS + "test_the_service_of_the_page_reads_tcp_whenever_the_other_end_is_there",
    "docs/receivers.md: From another gpsd: systemd":
        RECEIVERS + "test_a_sender_of_udp_is_on_the_map_and_may_come_and_go",
    "docs/receivers.md: From another gpsd: sh": RECEIVERS + "test_a_sender_of_udp_is_on_the_map_and_may_come_and_go",
    "docs/receivers.md: From another gpsd: sh 2": RECEIVERS + "test_a_sender_of_udp_is_on_the_map_and_may_come_and_go",
    "docs/receivers.md: From another gpsd: sh 3":
        RECEIVERS + "test_a_gpsd_of_this_machine_passes_on_what_another_one_reads",
    "docs/receivers.md: See that it works: sh": RECEIVERS + "test_a_sender_of_udp_is_on_the_map_and_may_come_and_go",
    "docs/relay-engine.md: Set up the engine: picture":
        "EndToEnd/test_relay_engine.py::test_the_engine_of_the_documents_is_taken",
    "docs/relay-engine.md: Set up the engine: picture 2":
        "EndToEnd/test_relay_engine.py::test_the_user_of_the_documents_may_do_all_that_a_relay_does",
    "docs/relay-engine.md: Set up the engine: picture 3":
        RELAY + "test_two_relays_of_an_association_share_their_machines",
    "docs/relay-engine.md: Set up the engine: sh": RELAY + "test_two_relays_of_an_association_share_their_machines",
    "docs/relay.md: Beside Home Assistant, in five minutes: sh":
        RELAY + "test_a_relay_beside_home_assistant_brings_a_sleeping_machine_its_notification",
    "docs/relay.md: Beside Home Assistant, in five minutes: sh 2":
        RELAY + "test_a_relay_beside_home_assistant_brings_a_sleeping_machine_its_notification",
    "docs/relay.md: Beside Home Assistant, in five minutes: sh 3":
        RELAY + "test_a_relay_beside_home_assistant_brings_a_sleeping_machine_its_notification",
    "docs/relay.md: On a server, behind a proxy: sh":
        RELAY + "test_a_relay_on_a_server_is_reached_by_nginx_as_the_page_sets_it_up",
    "docs/relay.md: On a server, behind a proxy: sh 2":
        RELAY + "test_a_relay_on_a_server_is_reached_by_nginx_as_the_page_sets_it_up",
    "docs/relay.md: On a server, behind a proxy: sh 3":
        RELAY + "test_a_relay_on_a_server_is_reached_by_nginx_as_the_page_sets_it_up",
    "docs/relay.md: TLS without a proxy: sh":
        RELAY + "test_a_relay_speaks_tls_itself_with_the_certificate_that_certbot_hands_over",
    "docs/relay.md: TLS without a proxy: sh 2":
        RELAY + "test_a_relay_speaks_tls_itself_with_the_certificate_that_certbot_hands_over",
    "docs/relay.md: TLS without a proxy: sh 3":
        RELAY + "test_a_relay_speaks_tls_itself_with_the_certificate_that_certbot_hands_over",
    "docs/relay.md: For ten thousand machines: sh": RELAY + "test_two_relays_of_an_association_share_their_machines",
    "docs/relay.md: For ten thousand machines: sh 2": RELAY + "test_two_relays_of_an_association_share_their_machines",
    "docs/relay.md: For ten thousand machines: sh 3": RELAY + "test_two_relays_of_an_association_share_their_machines",
    "docs/relay.md: For ten thousand machines: nginx":
        "EndToEnd/test_relay_cluster.py::"
        "test_three_relays_behind_nginx_deliver_each_post_once_though_a_relay_and_a_primary_are_killed",
    "docs/relay.md: A front at home: sh":
        "EndToEnd/test_relay_page.py::test_the_front_of_the_page_passes_on_what_it_has_sealed",
    "docs/relay.md: A front at home: sh 2":
        "EndToEnd/test_relay_page.py::test_the_front_of_the_page_passes_on_what_it_has_sealed",
    "docs/reverse-proxy.md: Without a client certificate: nginx":
        PROXY + "test_everything_passes_the_proxy_of_the_page",
    "docs/reverse-proxy.md: With a client certificate: sh":
        PROXY + "test_a_proxy_that_asks_for_a_certificate_lets_those_in_that_have_one",
    "docs/reverse-proxy.md: With a client certificate: nginx":
        PROXY + "test_a_proxy_that_asks_for_a_certificate_lets_those_in_that_have_one",
    "docs/reverse-proxy.md: With a client certificate: sh 2":
        PROXY + "test_a_proxy_that_asks_for_a_certificate_lets_those_in_that_have_one",
    "docs/sensors.md: Scripts as sensors: json": SENSORS + "output",
    "docs/sensors.md: Scripts as sensors: picture":
        "Packaging/test_documents.py::test_the_warning_of_a_wrong_script_is_one_that_was_seen",
    "docs/sensors.md: Scripts as sensors: sh":
        SANDBOX + "test_in_its_sandbox_the_service_tells_every_sensor_that_it_tells_outside",
    "docs/sensors.md: Scripts as sensors: sh 2": SENSORS + "scripts",
    "docs/sensors.md: Scripts as sensors: python": SENSORS + "scripts",
    "docs/troubleshooting.md: Troubleshooting: sh": MACHINE + "test_what_troubleshooting_begins_and_ends_with",
    "docs/troubleshooting.md: To ask for help: sh": MACHINE + "test_what_troubleshooting_begins_and_ends_with",
}
EXIST = "that its targets exist is tested by test_documents.py"
OURSELVES = f"is what runs this test; {EXIST}"
REASONS = {
    "CONTRIBUTING.md: A change: sh": OURSELVES,
    "README.md: Install: sh":
        "`make test-trixie` types its first line, and test_first_minutes.py the same steps of docs/install.md",
    "README.md: Develop: sh":
        f"`make test` is what runs this test; `make demo` builds what is shipped and drives for minutes, by hand; "
        f"rigs/tests/test_demo.py tests what it says for a person; {EXIST}",
    "docs/adding-a-sensor.md: 2. The line: picture": "a line of a Swift file, which the test of every catalogue entry needs",
    "docs/adding-a-sensor.md: 4. The tests: picture": OURSELVES,
    "docs/architecture.md: One machine, its homes: text": "a picture",
    "docs/architecture.md: The targets: text": "scripts/check-imports draws it, and compares",
    "docs/cost.md: How to measure: sh": f"takes half an hour, and a machine that does nothing else; {EXIST}",
    "docs/raspberry-pi-gps.md: Install: sh": f"`make test-packages` builds these packages in that way; {EXIST}",
    "docs/raspberry-pi-gps.md: Install: sh 2":
        "`make test-packages` installs this package on a machine of arm64, from a folder of another name",
    "docs/receivers.md: From a modem: sh": "wants a modem, and says that it was not run",
    "docs/reliability.md: How it is shown: sh": f"takes hours; {EXIST}",
}
EVERY = blocks()


def unaccounted(found):
    """The names of blocks that neither run nor have a reason."""
    return {block.name for block in found if block.kind not in KINDS} - RUN.keys() - REASONS.keys()


def test_every_block_is_run_by_a_test_or_has_a_reason():
    assert unaccounted(EVERY) == set()


def test_a_new_block_is_noticed():
    page = "# New\n\n```sh\nhoming status\n```\n\n```ini\n[gpsd]\n```\n\n```sh\n# no heading\nrm -rf /\n```\n"
    assert unaccounted(blocks_of("docs/boat.md", page)) == {"docs/boat.md: New: sh", "docs/boat.md: New: sh 2"}


def test_what_is_accounted_for_is_there():
    assert (RUN.keys() | REASONS.keys()) - {block.name for block in EVERY} == set()
    assert RUN.keys() & REASONS.keys() == set()


def defines(text, test):
    """Whether a file of tests has one of this name, in Python or Swift."""
    return re.search(rf"^ *(@LoopActor )?(def|func) {re.escape(test)}\(", text, re.MULTILINE) is not None


@pytest.mark.parametrize("document, test", sorted({(name.split(": ")[0], test) for name, test in RUN.items()}))
def test_each_test_that_is_named_is_there_and_reads_the_page(document, test):
    file, _, function = test.partition("::")
    text = (REPOSITORY / "Tests" / file).read_text()
    assert defines(text, function), f"{file} has no {function}"
    assert pathlib.Path(document).name in text, f"{file} reads no {document}"


def test_a_test_that_is_not_there_is_noticed():
    assert not defines("def test_another():\n    pass\n", "test_one")
    assert defines("    @LoopActor func scripts() async throws {\n", "scripts")
