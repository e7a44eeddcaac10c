import os
from html import escape
from urllib.parse import urlencode, urlsplit

from authlib.integrations.flask_client import OAuth
from dotenv import load_dotenv
from flask import Flask, redirect, session

load_dotenv()
callback = urlsplit(os.environ["REDIRECT_URI"])

app = Flask(__name__)
app.secret_key = os.environ["SESSION_SECRET"]
app.config.update(
    # Browsers send cookies to every port of a host: apps on localhost need names of their own.
    SESSION_COOKIE_NAME=f"session-{os.environ['CLIENT_ID']}",
    SESSION_COOKIE_SAMESITE="Lax",
    SESSION_COOKIE_SECURE=callback.scheme == "https",
)

signet = OAuth(app).register(
    "signet",
    client_id=os.environ["CLIENT_ID"],
    client_secret=os.environ["CLIENT_SECRET"],
    server_metadata_url=f"{os.environ['ISSUER']}/.well-known/openid-configuration",
    client_kwargs={"scope": "openid profile email", "code_challenge_method": "S256"},
)


@app.get("/")
def home():
    if "user" not in session:
        return '<h1>Please sign in</h1><a href="/sign-in">Sign in</a>'
    return f'<h1>Hello {escape(session["user"]["name"])}</h1><a href="/sign-out">Sign out</a>'


@app.get("/sign-in")
def sign_in():
    return signet.authorize_redirect(os.environ["REDIRECT_URI"])


@app.get(callback.path)
def finish_sign_in():
    token = signet.authorize_access_token()
    user = signet.userinfo(token=token)
    session.clear()
    session["user"] = {"sub": user["sub"], "name": user["name"]}
    session["id_token"] = token["id_token"]
    return redirect("/")


@app.get("/sign-out")
def sign_out():
    id_token = session.pop("id_token", "")
    session.clear()
    query = urlencode(
        {
            # Without it, users are asked whether they want to sign out.
            "id_token_hint": id_token,
            "post_logout_redirect_uri": os.environ["POST_LOGOUT_REDIRECT_URI"],
        }
    )
    return redirect(f"{signet.load_server_metadata()['end_session_endpoint']}?{query}")


if __name__ == "__main__":
    app.run(port=callback.port or 80)
