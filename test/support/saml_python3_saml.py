"""A service provider of the Python package python3-saml. test/saml/other-service-providers.test.ts says what it is asked.

python3 saml_python3_saml.py <settings as JSON>
"""

import json
import sys
from urllib.parse import parse_qsl, urlsplit

from onelogin.saml2.auth import OneLogin_Saml2_Auth
from onelogin.saml2.constants import OneLogin_Saml2_Constants as names
from onelogin.saml2.idp_metadata_parser import OneLogin_Saml2_IdPMetadataParser as Parser
from onelogin.saml2.settings import OneLogin_Saml2_Settings

settings = json.loads(sys.argv[1])
entity_id = settings["entityId"]
own = {
    "strict": True,
    "sp": {
        "entityId": entity_id,
        "assertionConsumerService": {"url": entity_id + "/acs", "binding": names.BINDING_HTTP_POST},
        "singleLogoutService": {"url": entity_id + "/slo", "binding": names.BINDING_HTTP_REDIRECT},
        "NameIDFormat": names.NAMEID_PERSISTENT,
        "x509cert": open(settings["certificateFile"]).read(),
        "privateKey": open(settings["keyFile"]).read(),
    },
    "security": {
        "authnRequestsSigned": True,
        "logoutRequestSigned": True,
        "logoutResponseSigned": True,
        "wantMessagesSigned": True,
        "wantAssertionsSigned": True,
        "wantAssertionsEncrypted": True,
        "signatureAlgorithm": names.RSA_SHA256,
        "digestAlgorithm": names.SHA256,
    },
}
both = Parser.merge_settings(own, Parser.parse(settings["metadata"]))
# Merging takes the first format of the identity provider.
both["sp"]["NameIDFormat"] = names.NAMEID_PERSISTENT
known = {}


def auth(path, query=None, fields=None):
    host = urlsplit(entity_id).netloc
    request = {"https": "on", "http_host": host, "script_name": path, "get_data": query or {}, "post_data": fields or {}}
    return OneLogin_Saml2_Auth(request, both)


def query_of(message):
    return dict(parse_qsl(urlsplit(message["url"]).query))


def sign_on(message):
    asked = auth("/")
    url = asked.login(return_to=message["relayState"])
    known["request"] = asked.get_last_request_id()
    return {"url": url}


def read(message):
    response = auth("/acs", fields=message["fields"])
    response.process_response(known["request"])
    assert response.is_authenticated(), response.get_last_error_reason()
    known.update(name=response.get_nameid(), format=response.get_nameid_format(), index=response.get_session_index())
    return {"nameId": known["name"], "attributes": response.get_attributes()}


def log_out(message):
    asked = auth("/")
    url = asked.logout(name_id=known["name"], session_index=known["index"], name_id_format=known["format"])
    known["request"] = asked.get_last_request_id()
    return {"url": url}


def finish(message):
    told = auth("/slo", query=query_of(message))
    told.process_slo(request_id=known["request"])
    assert not told.get_errors(), told.get_last_error_reason()
    return {"isLoggedOut": True}


def answer(message):
    told = auth("/slo", query=query_of(message))
    url = told.process_slo()
    assert not told.get_errors(), told.get_last_error_reason()
    return {"url": url, "isLoggedOut": True}


metadata = OneLogin_Saml2_Settings(both, sp_validation_only=True).get_sp_metadata()
print(json.dumps({"metadata": metadata.decode() if isinstance(metadata, bytes) else metadata}), flush=True)
commands = {"signOn": sign_on, "read": read, "logOut": log_out, "finish": finish, "answer": answer}
for line in sys.stdin:
    message = json.loads(line)
    print(json.dumps(commands[message["do"]](message)), flush=True)
