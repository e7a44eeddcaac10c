import express from 'express'
import oidc from 'express-openid-connect'

const { auth, requiresAuth } = oidc
const app = express()

// Issuer, address, client ID and secrets are read from the environment.
app.use(
  auth({
    authRequired: false,
    idpLogout: true,
    authorizationParams: { response_type: 'code', scope: 'openid profile email' },
    // Browsers send cookies to every port of a host: apps on localhost need names of their own.
    session: { name: `session-${process.env.CLIENT_ID}` },
  }),
)

app.get('/', async (request, response) => {
  if (!request.oidc.isAuthenticated()) {
    return response.send('<h1>Please sign in</h1><a href="/login">Sign in</a>')
  }
  const user = await request.oidc.fetchUserInfo()
  const name = String(user.name).replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  response.send(`<h1>Hello ${name}</h1><a href="/profile">Profile</a> <a href="/logout">Sign out</a>`)
})

app.get('/profile', requiresAuth(), async (request, response) => {
  response.json(await request.oidc.fetchUserInfo())
})

app.listen(new URL(process.env.BASE_URL).port || 80, () => console.log(`Open ${process.env.BASE_URL}`))
