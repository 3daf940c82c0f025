"""nginx with a server on a Unix socket for each room of a Front, in the foreground, all its files in one folder."""

import shutil

from . import processes

CONFIGURATION = """\
daemon off; master_process off; worker_processes 1;
pid {folder}/nginx.pid; error_log {folder}/error.log info;
events {{ worker_connections 512; }}
http {{
  log_format rig escape=json '{{"time":$msec,"room":"$server_name","method":"$request_method",'
    '"path":"$uri","status":$status}}';
  access_log {folder}/access.log rig;
  client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
  client_max_body_size 0; keepalive_timeout 75s; server_tokens off;
  # A client that resumes a session never looks at the certificate, which the tests change.
  ssl_session_tickets off; ssl_session_cache off; ssl_protocols TLSv1.2 TLSv1.3;
  map $http_upgrade $connection_upgrade {{ default upgrade; '' ''; }}
  upstream ha {{ server {upstream}; keepalive 8; }}
  upstream slow {{ server unix:{folder}/slow-backend.sock; }}
  upstream canned {{ server unix:{folder}/canned-backend.sock; }}
  proxy_http_version 1.1; proxy_buffering off; proxy_read_timeout 300s;
  proxy_set_header Host $http_host;
  proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection $connection_upgrade;
{forwarded}
{servers}
}}
"""
FORWARDED = "  proxy_set_header X-Forwarded-For 203.0.113.7; proxy_set_header X-Forwarded-Proto https;"
SERVER = "  server {{ listen unix:{folder}/{name}.sock{ssl}; server_name {name};\n{body}\n  }}"


def configuration(folder, upstream, rooms, locations, ca):
    """The text of nginx.conf. `rooms`: (name, certificate pair or None, ask for a client certificate, backend);
    `locations`: (nginx location, path there), for the rooms that reach Home Assistant."""
    servers = []
    for name, pair, asks, backend in rooms:
        lines = []
        if pair:
            lines.append(f"    ssl_certificate {pair.certificate}; ssl_certificate_key {pair.key};")
        if asks:
            lines.append(f"    ssl_client_certificate {ca}; ssl_verify_client on;")
        for location, path in locations if backend != "canned" else [("/", "")]:
            lines.append(f"    location {location} {{ proxy_pass http://{backend}{path}; }}")
        if not locations and backend != "canned":
            lines.append("    location / { return 404; }")
        servers.append(SERVER.format(folder=folder, name=name, ssl=" ssl" if pair else "", body="\n".join(lines)))
    return CONFIGURATION.format(folder=folder, upstream=upstream, servers="\n".join(servers),
                                forwarded=FORWARDED if rooms[0][1] else "")


def start(folder, text):
    """Start nginx with that configuration and wait until its rooms are there."""
    program = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
    if not program:
        raise RuntimeError("nginx is not installed (package nginx-light)")
    (folder / "nginx.conf").write_text(text)
    (folder / "access.log").touch()
    child = processes.Child([program, "-c", folder / "nginx.conf", "-p", folder, "-e", folder / "error.log"],
                            folder / "nginx.log")

    def up():
        child.must_live()
        return (folder / "open.sock").exists()

    processes.wait_for(up, 40, "nginx is up", every=0.01)
    return child
