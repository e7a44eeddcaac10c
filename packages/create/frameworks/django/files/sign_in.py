import os
from urllib.parse import urlencode, urlsplit

from authlib.integrations.django_client import OAuth
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import path
from django.utils.html import format_html

# Its settings are AUTHLIB_OAUTH_CLIENTS.
signet = OAuth().register("signet")


def home(request):
    user = request.session.get("user")
    if user is None:
        return HttpResponse('<h1>Please sign in</h1><a href="/sign-in">Sign in</a>')
    return HttpResponse(format_html('<h1>Hello {}</h1><a href="/sign-out">Sign out</a>', user["name"]))


def sign_in(request):
    return signet.authorize_redirect(request, os.environ["REDIRECT_URI"])


def finish_sign_in(request):
    token = signet.authorize_access_token(request)
    user = signet.userinfo(token=token)
    # A new session gets a new ID: one from before the sign-in is worth nothing after it.
    request.session.flush()
    request.session["user"] = {"sub": user["sub"], "name": user["name"]}
    request.session["id_token"] = token["id_token"]
    return redirect("/")


def sign_out(request):
    id_token = request.session.get("id_token", "")
    request.session.flush()
    query = urlencode(
        {
            # Without it, users are asked whether they want to sign out.
            "id_token_hint": id_token,
            "post_logout_redirect_uri": os.environ["POST_LOGOUT_REDIRECT_URI"],
        }
    )
    return redirect(f"{signet.load_server_metadata()['end_session_endpoint']}?{query}")


urlpatterns = [
    path("", home),
    path("sign-in", sign_in),
    path(urlsplit(os.environ["REDIRECT_URI"]).path.lstrip("/"), finish_sign_in),
    path("sign-out", sign_out),
]
