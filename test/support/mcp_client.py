"""A client of the Python package mcp: prints where to sign in, reads where that ended, and calls a tool.

python3 mcp_client.py <server> <redirect URI> <tool> [<address of its metadata document>]
"""

import asyncio
import json
import sys
from urllib.parse import parse_qs, urlparse

import httpx2
from mcp import Client
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientMetadata

server, redirect_uri, tool, *document = sys.argv[1:]


class Storage:
    tokens = None
    client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client):
        self.client = client


async def show(url):
    print(url, flush=True)


async def wait():
    query = parse_qs(urlparse(await asyncio.to_thread(sys.stdin.readline)).query)
    first = {name: values[0].strip() for name, values in query.items()}
    return AuthorizationCodeResult(code=first["code"], state=first.get("state"), iss=first.get("iss"))


async def main():
    storage = Storage()
    metadata = OAuthClientMetadata(
        client_name="Agent", redirect_uris=[redirect_uri], token_endpoint_auth_method="none"
    )
    auth = OAuthClientProvider(
        server, metadata, storage, show, wait, client_metadata_url=document[0] if document else None
    )
    async with httpx2.AsyncClient(auth=auth, timeout=30) as http:
        async with Client(streamable_http_client(server, http_client=http)) as client:
            result = await client.call_tool(tool, {})
    print(json.dumps({"text": result.content[0].text, "token": storage.tokens.access_token}), flush=True)


asyncio.run(main())
