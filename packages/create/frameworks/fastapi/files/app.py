import os
from html import escape
from urllib.parse import urlencode, urlsplit

from authlib.integrations.starlette_client import OAuth
from dotenv import load_dotenv
from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.middleware.sessions import SessionMiddleware

load_dotenv(".env")
callback = urlsplit(os.environ["REDIRECT_URI"])

app = FastAPI()
app.add_middleware(
    SessionMiddleware,
    secret_key=os.environ["SESSION_SECRET"],
    # Browsers send cookies to every port of a host: apps on localhost need names of their own.
    session_cookie=f"session-{os.environ['CLIENT_ID']}",
    same_site="lax",
    https_only=callback.scheme == "https",
)

signet = OAuth().register(
    "signet",
    client_id=os.environ["CLIENT_ID"],
    client_secret=os.environ["CLIENT_SECRET"],
    server_metadata_url=f"{os.environ['ISSUER']}/.well-known/openid-configuration",
    client_kwargs={"scope": "openid profile email", "code_challenge_method": "S256"},
)


@app.get("/", response_class=HTMLResponse)
def home(request: Request):
    user = request.session.get("user")
    if user is None:
        return '<h1>Please sign in</h1><a href="/sign-in">Sign in</a>'
    return f'<h1>Hello {escape(user["name"])}</h1><a href="/sign-out">Sign out</a>'


@app.get("/sign-in")
async def sign_in(request: Request):
    return await signet.authorize_redirect(request, os.environ["REDIRECT_URI"])


@app.get(callback.path)
async def finish_sign_in(request: Request):
    token = await signet.authorize_access_token(request)
    user = await signet.userinfo(token=token)
    # The cookie holds the session, and browsers keep 4,096 bytes of it: no tokens but this one, and two claims.
    request.session.clear()
    request.session["user"] = {"sub": user["sub"], "name": user["name"]}
    request.session["id_token"] = token["id_token"]
    return RedirectResponse("/", status_code=303)


@app.get("/sign-out")
def sign_out(request: Request):
    id_token = request.session.get("id_token", "")
    request.session.clear()
    query = urlencode(
        {
            # Without it, users are asked whether they want to sign out.
            "id_token_hint": id_token,
            "post_logout_redirect_uri": os.environ["POST_LOGOUT_REDIRECT_URI"],
        }
    )
    return RedirectResponse(f"{signet.server_metadata['end_session_endpoint']}?{query}", status_code=303)
