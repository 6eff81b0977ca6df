"""The settings of nginx: the requests that workers answer, as Synapse documents them, and the rest to the main process.

https://element-hq.github.io/synapse/latest/workers.html
"""

VERSIONS = "(api/v1|r0|v1|v3|unstable)"

# The syncs of a user reach one worker, which keeps them in its cache. All pages of a room's history must come from one
# worker. Every other request may reach any worker.
BY_USER = ["/sync$", "/events$", "/initialSync$", "/rooms/[^/]+/initialSync$"]
BY_ROOM = ["/rooms/[^/]+/messages$"]
ANY = [
    "/createRoom$", "/publicRooms$", "/joined_rooms$", "/join/", "/knock/", "/directory/room/", "/search$",
    "/rooms/[^/]+/(joined_members|members|state|aliases|threads|hierarchy|timestamp_to_event)$",
    "/rooms/[^/]+/(context|event|relations|state|send|redact)/",
    "/rooms/[^/]+/(join|invite|leave|ban|unban|kick)$",
    "/versions$", "/capabilities$", "/login$", "/register$", "/register/available$", "/password_policy$",
    "/account/(3pid|whoami|deactivate)$", "/devices(/|$)", "/delete_devices$", "/keys/", "/room_keys/", "/profile/",
    "/user/[^/]+/filter(/|$)", "/user_directory/search$", "/notifications$", "/voip/turnServer$",
]
# Only the main process writes these.
ANY_READS = ["/pushrules/", "/user/.+/(tags|account_data)", "/presence/"]


def routes():
    for paths, methods, group in [
        (BY_USER, "", "by_user"), (BY_ROOM, "", "by_room"), (ANY, "", "any"), (ANY_READS, "GET", "any"),
    ]:
        for path in paths:
            yield f'"~^{methods or "[A-Z]+"} /_matrix/client(/{VERSIONS})?{path}" {group};'


def group(name, sockets, balance=""):
    servers = " ".join(f"server unix:{socket};" for socket in sockets)
    return f"upstream {name} {{ {balance} {servers} keepalive 64; }}"


def settings(folder, port, main, workers):
    """Returns the text of nginx's file of settings. `main`, `workers`: the sockets of the processes."""
    lines = "\n    ".join(routes())
    return f"""
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/nginx.error.log;
worker_processes 1;
events {{ worker_connections 4096; }}
http {{
  # Each request in one line, with the user and the process that answered.
  log_format line '$msec $request_method $uri $status $user $upstream_addr';
  access_log {folder}/requests.log line;
  {" ".join(f"{kind}_temp_path {folder}/nginx.{kind};" for kind in ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"])}
  client_max_body_size 50m;
  proxy_http_version 1.1;
  proxy_set_header Connection "";
  proxy_set_header Host $host;
  proxy_set_header X-Forwarded-For $remote_addr;
  proxy_set_header X-Forwarded-Proto $scheme;
  # A long poll is answered later than this only if its worker hangs.
  proxy_read_timeout 60s;
  keepalive_requests 1000000;

  map $http_authorization $user {{
    default -;
    "~^Bearer syt_(?<name>.*?)_" $name;
  }}
  map $uri $room {{
    default $uri;
    "~/rooms/(?<id>[^/]+)/" $id;
  }}
  map "$request_method $uri" $group {{
    default main;
    {lines}
  }}
  {group("main", [main])}
  {group("by_user", workers, "hash $user consistent;")}
  {group("by_room", workers, "hash $room consistent;")}
  {group("any", workers)}
  server {{
    listen 127.0.0.1:{port};
    location / {{ proxy_pass http://$group; }}
  }}
}}
"""
