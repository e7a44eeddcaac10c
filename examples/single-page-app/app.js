/** A single-page app: signs the user in with Signet (code flow with PKCE, no secret) and calls the API with the token. */
const { issuer, clientId, api } = await (await fetch('/settings.json')).json()
const home = `${location.origin}/`

// Tokens are kept in the session storage: they live as long as the tab.
const manager = new oidc.UserManager({
  authority: issuer,
  client_id: clientId,
  redirect_uri: home,
  post_logout_redirect_uri: home,
  scope: 'openid profile email',
  loadUserInfo: true,
})

const element = (id) => document.getElementById(id)

element('sign-in').onclick = () => manager.signinRedirect()
element('sign-out').onclick = () => manager.signoutRedirect()
element('call').onclick = async () => {
  const user = await manager.getUser()
  const answer = await fetch(`${api}/photos`, { headers: { authorization: `Bearer ${user.access_token}` } })
  element('answer').textContent = await answer.text()
}

if (new URLSearchParams(location.search).has('code')) {
  await manager.signinCallback()
  // The code is used up; nothing of it stays in the address.
  history.replaceState(undefined, '', home)
}

const user = await manager.getUser()
const isSignedIn = user !== null && !user.expired
element('title').textContent = isSignedIn ? `Hello ${user.profile.name}` : 'Please sign in'
element('sign-in').hidden = isSignedIn
element('call').hidden = !isSignedIn
element('sign-out').hidden = !isSignedIn
