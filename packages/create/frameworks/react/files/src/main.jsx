import { createRoot } from 'react-dom/client'
import { AuthProvider, useAuth } from 'react-oidc-context'

const settings = {
  authority: import.meta.env.VITE_ISSUER,
  client_id: import.meta.env.VITE_CLIENT_ID,
  redirect_uri: import.meta.env.VITE_REDIRECT_URI,
  post_logout_redirect_uri: import.meta.env.VITE_POST_LOGOUT_REDIRECT_URI,
  scope: 'openid profile email offline_access',
  loadUserInfo: true,
  // The code has been used: takes it out of the address.
  onSigninCallback: () => history.replaceState({}, '', location.pathname),
}

function App() {
  const auth = useAuth()
  if (auth.isLoading) return <p>Loading…</p>
  if (auth.error !== undefined) return <p role="alert">{auth.error.message}</p>
  if (!auth.isAuthenticated) {
    return (
      <button type="button" onClick={() => auth.signinRedirect()}>
        Sign in
      </button>
    )
  }
  return (
    <main>
      <h1>Hello {auth.user.profile.name}</h1>
      <button type="button" onClick={() => auth.signoutRedirect()}>
        Sign out
      </button>
    </main>
  )
}

createRoot(document.getElementById('root')).render(
  <AuthProvider {...settings}>
    <App />
  </AuthProvider>,
)
