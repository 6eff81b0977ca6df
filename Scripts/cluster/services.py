"""The programs beside Synapse: PostgreSQL, Redis and nginx, each with its data and its socket in a folder."""

import glob
import os
import pwd
import shutil
import subprocess
import sys

PROGRAMS = {"initdb": "postgresql", "postgres": "postgresql", "redis-server": "redis-server", "nginx": "nginx"}


def find():
    """Returns the paths of the programs. Ends the script if one is missing."""
    # Debian keeps PostgreSQL's programs, in each of their versions, and those for administrators outside of PATH.
    folders = sorted(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda path: float(path.split("/")[-2]), reverse=True)
    path = os.pathsep.join([os.environ.get("PATH", ""), *folders, "/usr/sbin"])
    found = {name: shutil.which(name, path=path) for name in PROGRAMS}
    missing = sorted({package for name, package in PROGRAMS.items() if not found[name]})
    if missing:
        sys.exit(f"The cluster needs programs that are not installed: apt-get install {' '.join(missing)}")
    return found


def unprivileged():
    """Returns the options with which a process of root runs as another user: PostgreSQL refuses to run as root."""
    if os.getuid() != 0:
        return {}
    for name in ["postgres", "nobody"]:
        try:
            user = pwd.getpwnam(name)
            return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
        except KeyError:
            continue
    sys.exit("PostgreSQL does not run as root, and there is no user `postgres` or `nobody`.")


def postgres(programs, folder):
    """Creates a database, and returns the command that serves it on a socket, with the options of its process."""
    options = unprivileged()
    data = folder / "data"
    folder.mkdir(mode=0o700)
    if options:
        os.chown(folder, options["user"], options["group"])
    subprocess.run(
        [programs["initdb"], "--pgdata", data, "--username", "synapse", "--auth", "trust", "--encoding", "UTF8",
         "--locale", "C"],
        check=True, stdout=subprocess.DEVNULL, cwd=folder, **options)
    command = [programs["postgres"], "-D", data, "-c", "listen_addresses=", "-c", f"unix_socket_directories={folder}"]
    return command, {"cwd": folder, **options}


def redis(programs, socket):
    return [programs["redis-server"], "--port", "0", "--unixsocket", socket, "--save", "", "--appendonly", "no"]


def nginx(programs, folder, settings):
    file = folder / "nginx.conf"
    file.write_text(settings)
    return [programs["nginx"], "-p", folder, "-c", file, "-e", folder / "nginx.error.log"]
