"""An identity provider of the Python package pysaml2. test/saml/other-identity-providers.test.ts says what it is asked.

python3 saml_pysaml2_idp.py <settings as JSON>
"""

import json
import sys
from urllib.parse import parse_qs, urlsplit

from saml2 import BINDING_HTTP_POST, BINDING_HTTP_REDIRECT
from saml2.config import IdPConfig
from saml2.metadata import entity_descriptor
from saml2.saml import NAMEID_FORMAT_PERSISTENT
from saml2.server import Server
from saml2.xmldsig import DIGEST_SHA256, SIG_RSA_SHA256

settings = json.loads(sys.argv[1])
entity_id = settings["entityId"]
base = {
    "entityid": entity_id,
    "service": {
        "idp": {
            "endpoints": {
                "single_sign_on_service": [
                    (entity_id + "/sso/redirect", BINDING_HTTP_REDIRECT),
                    (entity_id + "/sso/post", BINDING_HTTP_POST),
                ],
            },
            "name_id_format": [NAMEID_FORMAT_PERSISTENT],
            "want_authn_requests_signed": True,
            "signing_algorithm": SIG_RSA_SHA256,
            "digest_algorithm": DIGEST_SHA256,
            "policy": {"default": {"lifetime": {"minutes": 15}, "attribute_restrictions": None}},
        }
    },
    "key_file": settings["keyFile"],
    "cert_file": settings["certificateFile"],
}
print(json.dumps({"metadata": str(entity_descriptor(IdPConfig().load(dict(base))))}), flush=True)


def answer(message):
    """Answers a request as the user who is named, with the signatures that are asked for."""
    server = Server(config=IdPConfig().load({**base, "metadata": {"inline": [message["metadata"]]}}))
    if message.get("fields"):
        request = server.parse_authn_request(message["fields"]["SAMLRequest"], BINDING_HTTP_POST)
        relay_state = message["fields"]["RelayState"]
    else:
        query = {name: values[0] for name, values in parse_qs(urlsplit(message["url"]).query).items()}
        request = server.parse_authn_request(
            query["SAMLRequest"],
            BINDING_HTTP_REDIRECT,
            relay_state=query["RelayState"],
            sigalg=query.get("SigAlg"),
            signature=query.get("Signature"),
        )
        relay_state = query["RelayState"]
    args = server.response_args(request.message)
    args.pop("sign_response", None)
    args.pop("sign_assertion", None)
    response = server.create_authn_response(
        identity=message["identity"],
        userid=message["userId"],
        authn={"class_ref": "urn:oasis:names:tc:SAML:2.0:ac:classes:Password", "authn_auth": entity_id},
        sign_response=message["signsResponse"],
        sign_assertion=message["signsAssertion"],
        **args,
    )
    http = server.apply_binding(
        BINDING_HTTP_POST, str(response), args["destination"], relay_state=relay_state, response=True
    )
    return {"page": http["data"]}


for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
