"""Does with the Python SDK what the other programs beside it do, and prints what it has seen."""

import json
import sys
import time
import urllib.request

from stayd_sdk import (
    NotFoundError,
    RateLimitedError,
    Stayd,
    StaydConnectionError,
    StaydError,
    ValidationError,
    WebhookVerificationError,
    verify_webhook,
)

asked = json.loads(sys.argv[1])
base_url, token, delivery = asked["baseUrl"], asked["token"], asked["delivery"]
waits = []


def faults(answers):
    headers = {"stayd-control-secret": asked["secret"], "content-type": "application/json"}
    body = json.dumps({"answers": answers}).encode()
    urllib.request.urlopen(urllib.request.Request(base_url + "/portal/faults", body, headers, method="PUT")).close()


def sleep(seconds):
    waits.append(seconds * 1000)
    faults({})


def failure_of(call):
    try:
        call()
        return None
    except StaydConnectionError as error:
        return {"class": type(error).__name__}
    except StaydError as error:
        has_id = error.request_id != ""
        return {"class": type(error).__name__, "code": error.code, "operation": error.operation, "has_id": has_id}


def refused(**request):
    try:
        verify_webhook(**request)
        return False
    except WebhookVerificationError:
        return True


stayd = Stayd(base_url, token, sleep=sleep)

property_id = stayd.create_property(name="Sea View")["property_id"]
for index in range(105):
    stayd.create_property_tag(name=f"Tag {index}")
tags = list(stayd.iterate_property_tags())

code = stayd.create_reservation(
    property_id=property_id,
    check_in_date="2027-03-05",
    check_out_date="2027-03-08",
    guest_name="Zoë & Co",
    rate_amount=300,
    commission_amount=0,
    received_amount=0,
    currency="EUR",
)["reservation_code"]
reservations = stayd.list_reservations(reservation_code=code)["reservations"]
stayd.update_reservation(code=code, note="späte Ankunft")
changed = stayd.list_reservations(property_id=property_id)["reservations"]
nothing = stayd.cancel_reservation(code=code)

failures = [
    failure_of(lambda: stayd.get_conversation(conversation_id="none/such")),
    failure_of(lambda: stayd.create_reservation(**dict.fromkeys(
        ["property_id", "check_in_date", "check_out_date", "guest_name", "rate_amount", "commission_amount", "received_amount"]
    ))),
    failure_of(lambda: Stayd(base_url, "wrong").get_account()),
    failure_of(lambda: Stayd("http://127.0.0.1:1", token, max_retries=0).get_account()),
]
faults({"limit": 1})
stayd.get_account()
limit_waits = waits.copy()
faults({"limit": 1})
failures.append(failure_of(lambda: Stayd(base_url, token, sleep=sleep, max_wait=0.5).get_account()))
waits.clear()
faults({"cut": 1})
stayd.create_property_group(name="Made once")
repeats = len(waits)
faults({"cut": 1})
failures.append(failure_of(lambda: stayd.update_reservation(code=code, note="once")))
faults({})
groups = stayd.list_property_groups()["groups"]

secret, headers, body = delivery["secret"], delivery["headers"], delivery["body"].encode()
event = verify_webhook(secret=secret, headers=headers, body=body, require_signature=True)
unsigned = {name: value for name, value in headers.items() if name != "webhook-signature"}

print(json.dumps({
    "tags": sorted(tag["name"] for tag in tags),
    "booked": [{"guest_name": row["guest_name"], "is_here": row["property_id"] == property_id} for row in reservations],
    "note": changed[0]["note"],
    "nothing": nothing,
    "failures": failures,
    "is_typed": [issubclass(one, StaydError) for one in (NotFoundError, RateLimitedError, ValidationError)],
    "limit_waits": limit_waits,
    "repeats": repeats,
    "groups": [group["name"] for group in groups],
    "event": event["reservation_code"] if event["event"] == "reservation_created" else event["event"],
    "by_token": verify_webhook(secret=secret, headers=unsigned, body=body)["event"],
    "refused": [
        refused(secret=secret, headers=headers, body=body.replace(b"reservation", b"Reservation")),
        refused(secret="whsec_AAAA", headers=headers, body=body),
        refused(secret=secret, headers=headers, body=body, now=lambda: time.time() + 301),
        refused(secret=secret, headers=unsigned, body=body, require_signature=True),
        refused(secret=secret, headers={}, body=body),
        refused(secret="", headers=headers, body=body),
    ],
}))
