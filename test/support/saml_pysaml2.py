"""A service provider of the Python package pysaml2. test/saml/other-service-providers.test.ts says what it is asked.

python3 saml_pysaml2.py <settings as JSON>
"""

import json
import sys
from urllib.parse import parse_qsl, urlsplit

from saml2 import BINDING_HTTP_POST, BINDING_HTTP_REDIRECT
from saml2.client import Saml2Client
from saml2.config import SPConfig
from saml2.metadata import entity_descriptor
from saml2.saml import NAMEID_FORMAT_PERSISTENT
from saml2.xmldsig import DIGEST_SHA256, SIG_RSA_SHA256

settings = json.loads(sys.argv[1])
entity_id, idp = settings["entityId"], settings["identityProvider"]
keys = {"key_file": settings["keyFile"], "cert_file": settings["certificateFile"]}
config = SPConfig().load(
    {
        "entityid": entity_id,
        "service": {
            "sp": {
                "endpoints": {
                    "assertion_consumer_service": [(entity_id + "/acs", BINDING_HTTP_POST)],
                    "single_logout_service": [(entity_id + "/slo", BINDING_HTTP_REDIRECT)],
                },
                "name_id_format": [NAMEID_FORMAT_PERSISTENT],
                "name_id_policy_format": NAMEID_FORMAT_PERSISTENT,
                "authn_requests_signed": True,
                "logout_requests_signed": True,
                "logout_responses_signed": True,
                "want_assertions_signed": True,
                "want_response_signed": True,
                "signing_algorithm": SIG_RSA_SHA256,
                "digest_algorithm": DIGEST_SHA256,
            }
        },
        "metadata": {"inline": [settings["metadata"]]},
        "allow_unknown_attributes": True,
        "encryption_keypairs": [keys],
        **keys,
    }
)
client = Saml2Client(config)
waiting = {}
signed_in = {}


def location(http):
    return {"url": dict(http["headers"])["Location"]}


def query_of(message):
    return dict(parse_qsl(urlsplit(message["url"]).query))


def sign_on(message):
    request, http = client.prepare_for_authenticate(
        entityid=idp, relay_state=message["relayState"], binding=BINDING_HTTP_REDIRECT, sign=True
    )
    waiting[request] = "/"
    return location(http)


def read(message):
    response = client.parse_authn_request_response(message["fields"]["SAMLResponse"], BINDING_HTTP_POST, waiting)
    signed_in["name_id"] = response.name_id
    return {"nameId": response.name_id.text, "attributes": response.get_identity()}


def log_out(message):
    [(_, http)] = client.global_logout(signed_in["name_id"]).values()
    return location(http)


def finish(message):
    response = client.parse_logout_request_response(query_of(message)["SAMLResponse"], BINDING_HTTP_REDIRECT)
    client.handle_logout_response(response)
    return {"isLoggedOut": response.status_ok() and not client.is_logged_in(signed_in["name_id"])}


def answer(message):
    query = query_of(message)
    http = client.handle_logout_request(
        query["SAMLRequest"],
        signed_in["name_id"],
        BINDING_HTTP_REDIRECT,
        relay_state=query.get("RelayState"),
        sigalg=query["SigAlg"],
        signature=query["Signature"],
    )
    return {**location(http), "isLoggedOut": not client.is_logged_in(signed_in["name_id"])}


print(json.dumps({"metadata": str(entity_descriptor(config))}), flush=True)
commands = {"signOn": sign_on, "read": read, "logOut": log_out, "finish": finish, "answer": answer}
for line in sys.stdin:
    message = json.loads(line)
    print(json.dumps(commands[message["do"]](message)), flush=True)
