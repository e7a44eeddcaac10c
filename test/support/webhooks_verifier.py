"""Verifies requests with the Python package standardwebhooks.

Reads one request per line, `{"secret", "headers", "body"}`, and prints `accepted` or `refused` for each.
"""

import json
import sys

from standardwebhooks import Webhook, WebhookVerificationError

for line in sys.stdin:
    request = json.loads(line)
    try:
        Webhook(request["secret"]).verify(request["body"], request["headers"])
        print("accepted")
    except WebhookVerificationError:
        print("refused")
