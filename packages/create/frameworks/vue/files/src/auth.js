import { UserManager, WebStorageStateStore } from 'oidc-client-ts'

export const manager = new UserManager({
  authority: import.meta.env.VITE_ISSUER,
  client_id: import.meta.env.VITE_CLIENT_ID,
  redirect_uri: import.meta.env.VITE_REDIRECT_URI,
  post_logout_redirect_uri: import.meta.env.VITE_POST_LOGOUT_REDIRECT_URI,
  scope: 'openid profile email offline_access',
  loadUserInfo: true,
  userStore: new WebStorageStateStore({ store: sessionStorage }),
})

/** The user who is signed in, or null. Finishes the sign-in that this page was opened with. */
export async function currentUser() {
  const answer = new URLSearchParams(location.search)
  if (answer.has('state') && (answer.has('code') || answer.has('error'))) {
    const user = await manager.signinCallback()
    // The code has been used: takes it out of the address.
    history.replaceState({}, '', location.pathname)
    return user
  }
  return manager.getUser()
}
