"""Keeps a copy of a garage's records in SQLite by following the feed of changes: python3 mirror.py FILE URL...

The cursor and the records of a page are written in one transaction, so a copy that was killed goes on where it was.
The token comes in the environment (TOKEN). SIGTERM says that nobody writes any more: the copy reads the rest and ends
with one line of JSON on standard output.
"""
import json
import os
import signal
import sqlite3
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

WAIT_SECONDS = 5
PATIENCE_SECONDS = 60

stopping = False


def stop(_signal, _frame):
    global stopping
    stopping = True


signal.signal(signal.SIGTERM, stop)

copy = sqlite3.connect(sys.argv[1])
copy.executescript("""
    CREATE TABLE seen (seq INTEGER PRIMARY KEY, resource TEXT, id INTEGER, action TEXT, version INTEGER);
    CREATE TABLE record (resource TEXT, id INTEGER, json TEXT, PRIMARY KEY (resource, id));
    CREATE TABLE version (resource TEXT, id INTEGER, version INTEGER, PRIMARY KEY (resource, id));
    CREATE TABLE cursor (next TEXT);
""")
urls = sys.argv[2:]
told = {"pages": 0, "empty": 0, "failed": 0, "double": 0, "falling": 0}


def ask(after):
    """One page of the feed, from the next process that answers."""
    parameters = {"wait": 0 if stopping else WAIT_SECONDS, "expand": "record", "page_size": 1000}
    if after is not None:
        parameters["after"] = after
    urls.append(urls.pop(0))
    request = urllib.request.Request(
        f"{urls[0]}/v2/changes?{urllib.parse.urlencode(parameters)}", headers={"token": os.environ["TOKEN"]}
    )
    with urllib.request.urlopen(request, timeout=PATIENCE_SECONDS) as answer:
        return json.load(answer)


def keep(page):
    """Writes a page and its cursor, all or nothing."""
    with copy:
        for change in page["data"]:
            key = (change["resource"], change["id"])
            row = (change["seq"], *key, change["action"], change["version"])
            told["double"] += 1 - copy.execute("INSERT OR IGNORE INTO seen VALUES (?, ?, ?, ?, ?)", row).rowcount
            (before,) = copy.execute("SELECT version FROM version WHERE resource = ? AND id = ?", key).fetchone() or (0,)
            if change["version"] <= before:
                told["falling"] += 1
            copy.execute("INSERT OR REPLACE INTO version VALUES (?, ?, ?)", (*key, change["version"]))
            if change["record"] is None:
                copy.execute("DELETE FROM record WHERE resource = ? AND id = ?", key)
            else:
                copy.execute("INSERT OR REPLACE INTO record VALUES (?, ?, ?)", (*key, json.dumps(change["record"])))
        copy.execute("DELETE FROM cursor")
        copy.execute("INSERT INTO cursor VALUES (?)", (page["next"],))


after = None
while True:
    was_stopping = stopping
    try:
        page = ask(after)
    except (OSError, ValueError, urllib.error.HTTPError) as error:
        if getattr(error, "code", 503) < 500:
            sys.exit(f"{error}: {error.read().decode()}")
        told["failed"] += 1
        time.sleep(0.1)
        continue
    keep(page)
    after = page["next"]
    told["pages"] += 1
    told["empty"] += not page["data"]
    if was_stopping and not page["data"] and not page["has_more"]:
        break

records = {}
for resource, identity, text in copy.execute("SELECT resource, id, json FROM record"):
    records.setdefault(resource, {})[identity] = json.loads(text)
seen = [row[0] for row in copy.execute("SELECT seq FROM seen ORDER BY seq")]
print(json.dumps({**told, "seen": seen, "records": records}))
