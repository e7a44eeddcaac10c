package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"html"
	"log"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

type session struct {
	state, verifier, nonce string
	name, idToken          string
}

// Browsers send cookies to every port of a host: apps on localhost need names of their own.
var cookieName = "session-" + os.Getenv("CLIENT_ID")

// In memory, for a start: users sign in again after a restart.
var sessions sync.Map

func sessionOf(r *http.Request) session {
	cookie, err := r.Cookie(cookieName)
	if err != nil {
		return session{}
	}
	found, _ := sessions.Load(cookie.Value)
	s, _ := found.(session)
	return s
}

// A new session gets a new ID: one from before the sign-in is worth nothing after it.
func start(w http.ResponseWriter, r *http.Request, s session) {
	id := rand.Text()
	sessions.Store(id, s)
	http.SetCookie(w, &http.Cookie{
		Name: cookieName, Value: id, Path: "/",
		// Not r.TLS: behind a proxy that ends TLS, it is nil.
		HttpOnly: true, Secure: strings.HasPrefix(os.Getenv("REDIRECT_URI"), "https:"), SameSite: http.SameSiteLaxMode,
	})
}

func main() {
	callback, err := url.Parse(os.Getenv("REDIRECT_URI"))
	if err != nil {
		log.Fatal(err)
	}
	provider, err := oidc.NewProvider(context.Background(), os.Getenv("ISSUER"))
	if err != nil {
		log.Fatal(err)
	}
	verifier := provider.Verifier(&oidc.Config{ClientID: os.Getenv("CLIENT_ID")})
	config := oauth2.Config{
		ClientID:     os.Getenv("CLIENT_ID"),
		ClientSecret: os.Getenv("CLIENT_SECRET"),
		RedirectURL:  os.Getenv("REDIRECT_URI"),
		Endpoint:     provider.Endpoint(),
		Scopes:       []string{oidc.ScopeOpenID, "profile", "email"},
	}

	http.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if s := sessionOf(r); s.name != "" {
			fmt.Fprintf(w, `<h1>Hello %s</h1><a href="/sign-out">Sign out</a>`, html.EscapeString(s.name))
			return
		}
		fmt.Fprint(w, `<h1>Please sign in</h1><a href="/sign-in">Sign in</a>`)
	})

	http.HandleFunc("GET /sign-in", func(w http.ResponseWriter, r *http.Request) {
		s := session{state: rand.Text(), nonce: rand.Text(), verifier: oauth2.GenerateVerifier()}
		start(w, r, s)
		address := config.AuthCodeURL(s.state, oidc.Nonce(s.nonce), oauth2.S256ChallengeOption(s.verifier))
		http.Redirect(w, r, address, http.StatusSeeOther)
	})

	http.HandleFunc("GET "+callback.Path, func(w http.ResponseWriter, r *http.Request) {
		s := sessionOf(r)
		if s.state == "" || r.FormValue("state") != s.state {
			http.Error(w, "This sign-in was not started here.", http.StatusBadRequest)
			return
		}
		name, idToken, err := finish(r.Context(), &config, provider, verifier, r.FormValue("code"), s)
		if err != nil {
			log.Print(err)
			http.Error(w, "The sign-in failed. Please try again.", http.StatusInternalServerError)
			return
		}
		start(w, r, session{name: name, idToken: idToken})
		http.Redirect(w, r, "/", http.StatusSeeOther)
	})

	http.HandleFunc("GET /sign-out", func(w http.ResponseWriter, r *http.Request) {
		var endpoints struct {
			EndSession string `json:"end_session_endpoint"`
		}
		if err := provider.Claims(&endpoints); err != nil {
			log.Print(err)
		}
		query := url.Values{
			"id_token_hint":            {sessionOf(r).idToken},
			"post_logout_redirect_uri": {os.Getenv("POST_LOGOUT_REDIRECT_URI")},
		}
		start(w, r, session{})
		http.Redirect(w, r, endpoints.EndSession+"?"+query.Encode(), http.StatusSeeOther)
	})

	log.Print("Open ", callback.Scheme, "://", callback.Host)
	log.Fatal(http.ListenAndServe(":"+callback.Port(), nil))
}

// Exchanges the code, verifies the ID token, and asks who the user is.
func finish(
	ctx context.Context, config *oauth2.Config, provider *oidc.Provider, verifier *oidc.IDTokenVerifier,
	code string, s session,
) (name, rawIDToken string, err error) {
	token, err := config.Exchange(ctx, code, oauth2.VerifierOption(s.verifier))
	if err != nil {
		return "", "", err
	}
	rawIDToken, _ = token.Extra("id_token").(string)
	idToken, err := verifier.Verify(ctx, rawIDToken)
	if err != nil {
		return "", "", err
	}
	if idToken.Nonce != s.nonce {
		return "", "", fmt.Errorf("the ID token belongs to another sign-in")
	}
	info, err := provider.UserInfo(ctx, oauth2.StaticTokenSource(token))
	if err != nil {
		return "", "", err
	}
	var user struct {
		Name string `json:"name"`
	}
	err = info.Claims(&user)
	return user.Name, rawIDToken, err
}
