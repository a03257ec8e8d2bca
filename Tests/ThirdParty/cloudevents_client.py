"""Sends events to a collector with the CloudEvents SDK from PyPI and checks the answers.

Called by scripts/check-collector with the collector's address, a write key and the source that it is for.
"""

import gzip
import json
import sys
import urllib.error
import urllib.request
from datetime import datetime, timezone

from cloudevents.core.bindings.http import to_binary_event, to_structured_event
from cloudevents.core.v1.event import CloudEvent

ADDRESS, KEY, SOURCE = sys.argv[1:]


def event(identifier, **data):
    attributes = {
        "id": identifier,
        "source": SOURCE,
        "type": "screen_view",
        "specversion": "1.0",
        "time": datetime.now(timezone.utc),
        "datacontenttype": "application/json",
    }
    return CloudEvent(attributes, {"install_id": "sdk-install", "screen": "home", **data})


def post(headers, body, **more):
    headers = {**headers, "Authorization": f"Bearer {KEY}", **more}
    request = urllib.request.Request(f"{ADDRESS}/v1/events", data=body, headers=headers, method="POST")
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def check(what, got, expected):
    if got != expected:
        sys.exit(f"{what}: got {got}, expected {expected}")
    print(f"{what}: as documented")


def accepted(*identifiers):
    return 200, {"results": [{"id": identifier, "status": "accepted"} for identifier in identifiers]}


def structured(one):
    message = to_structured_event(one)
    return dict(message.headers), message.body


headers, body = structured(event("sdk-1"))
check("structured", post(headers, body), accepted("sdk-1"))

batch = b"[" + b",".join(structured(event(f"sdk-{number}"))[1] for number in (2, 3, 4)) + b"]"
batch_headers = {"content-type": "application/cloudevents-batch+json"}
check("batch", post(batch_headers, batch), accepted("sdk-2", "sdk-3", "sdk-4"))
check(
    "compressed batch",
    post(batch_headers, gzip.compress(batch), **{"Content-Encoding": "gzip"}),
    accepted("sdk-2", "sdk-3", "sdk-4"),
)

headers, body = structured(event("sdk-5", install_id=""))
status, answer = post(headers, body)
check("an event without an install", (status, answer["results"][0]["reason"]), (200, "invalid_field"))

message = to_binary_event(event("sdk-6"))
check("binary mode", post(dict(message.headers), message.body), accepted("sdk-6"))
