import express from 'express'
import { auth, requiresAuth } from 'express-openid-connect'

const app = express()

// Issuer, address, client ID and secrets are read from the environment.
app.use(
  auth({
    authRequired: false,
    idpLogout: true,
    authorizationParams: { response_type: 'code', scope: 'openid profile email' },
  }),
)

app.get('/', (request, response) => {
  response.send(
    request.oidc.isAuthenticated()
      ? '<h1>You are signed in</h1><a href="/profile">Profile</a> <a href="/logout">Sign out</a>'
      : '<h1>Please sign in</h1><a href="/login">Sign in</a>',
  )
})

app.get('/profile', requiresAuth(), async (request, response) => {
  response.json(await request.oidc.fetchUserInfo())
})

app.listen(new URL(process.env.BASE_URL).port, () => console.log(`Open ${process.env.BASE_URL}`))
