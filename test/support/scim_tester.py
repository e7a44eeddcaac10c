"""Runs scim2-tester against a server and prints one JSON line for each check."""

import json
import sys

from httpx2 import Client
from scim2_client.engines.httpx2 import SyncSCIMClient
from scim2_tester import check_server

url, token = sys.argv[1:3]
client = Client(base_url=url, headers={"Authorization": f"Bearer {token}"}, timeout=30)
for result in check_server(SyncSCIMClient(client)):
    line = {"status": result.status.name, "name": result.title, "reason": result.reason}
    line["data"] = repr(result.data)[:2000] if result.status.name in ("ERROR", "CRITICAL") else ""
    print(json.dumps(line))
