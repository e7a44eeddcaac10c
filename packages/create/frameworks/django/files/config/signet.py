"""Settings of the sign-in. The last line of settings.py reads them: from .signet import *"""
import os

from dotenv import load_dotenv

load_dotenv(".env")

# Browsers send cookies to every port of a host: apps on localhost need names of their own.
SESSION_COOKIE_NAME = f"session-{os.environ['CLIENT_ID']}"
SESSION_COOKIE_SECURE = os.environ["REDIRECT_URI"].startswith("https:")

AUTHLIB_OAUTH_CLIENTS = {
    "signet": {
        "client_id": os.environ["CLIENT_ID"],
        "client_secret": os.environ["CLIENT_SECRET"],
        "server_metadata_url": f"{os.environ['ISSUER']}/.well-known/openid-configuration",
        "client_kwargs": {"scope": "openid profile email", "code_challenge_method": "S256"},
    }
}
