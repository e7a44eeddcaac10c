/** Code to start with, filled in with the addresses and ids of the application. */
import { Stack } from '@mantine/core'
import { CodeBlock } from '../../parts/code-block.tsx'
import { CopyField } from '../../parts/copy-field.tsx'
import { environment } from '../../session/environment.ts'
import { useTexts } from '../../texts/index.tsx'
import type { Choice } from './kinds.ts'
import { applicationTexts } from './texts/index.ts'

export interface SnippetValues {
  readonly kind: Choice
  readonly clientId: string
  readonly projectId: string
  /** The first one, else an example. */
  readonly redirectUri: string
}

interface Snippet {
  readonly label: string
  readonly code: string
}

type Given = Omit<SnippetValues, 'kind'> & { readonly issuer: string }

/** A text in code. */
function quoted(text: string): string {
  return JSON.stringify(text).replaceAll("'", "\\'").replace(/^"|"$/g, "'").replaceAll('\\"', '"')
}

function webSnippet({ issuer, clientId, redirectUri }: Given): Snippet {
  const insecure = issuer.startsWith('http:')
  const options = insecure
    ? `,\n  undefined,\n  { execute: [client.allowInsecureRequests] }, // only for http\n)`
    : ',\n)'
  return {
    label: 'openid-client (Node.js)',
    code: `import * as client from 'openid-client'

const config = await client.discovery(
  new URL(${quoted(issuer)}),
  ${quoted(clientId)},
  process.env.CLIENT_SECRET${options}

// Sign-in: keep the verifier in the session of the user.
const verifier = client.randomPKCECodeVerifier()
const url = client.buildAuthorizationUrl(config, {
  redirect_uri: ${quoted(redirectUri)},
  scope: 'openid profile email',
  code_challenge: await client.calculatePKCECodeChallenge(verifier),
  code_challenge_method: 'S256',
})

// Callback: currentUrl is the address that the browser came back to.
const tokens = await client.authorizationCodeGrant(config, currentUrl, { pkceCodeVerifier: verifier })
console.log(tokens.claims())`,
  }
}

function pageSnippet({ issuer, clientId, redirectUri }: Given): Snippet {
  return {
    label: 'oidc-client-ts',
    code: `import { UserManager } from 'oidc-client-ts'

const manager = new UserManager({
  authority: ${quoted(issuer)},
  client_id: ${quoted(clientId)},
  redirect_uri: ${quoted(redirectUri)},
  scope: 'openid profile email offline_access',
})

if (new URLSearchParams(location.search).has('code')) await manager.signinCallback()
const user = await manager.getUser()
if (user === null) await manager.signinRedirect()`,
  }
}

function nativeSnippet({ issuer, clientId, redirectUri }: Given): Snippet {
  return {
    label: 'AppAuth (iOS, Android)',
    code: `issuer:       ${issuer}
discovery:    ${issuer}/.well-known/openid-configuration
client id:    ${clientId}
redirect URI: ${redirectUri}
scopes:       openid profile email offline_access
PKCE:         S256 (required)
secret:       none`,
  }
}

function apiSnippets({ issuer, clientId, projectId }: Given): readonly Snippet[] {
  return [
    {
      label: 'jose (JWT)',
      code: `import { createRemoteJWKSet, jwtVerify } from 'jose'

const keys = createRemoteJWKSet(new URL(${quoted(`${issuer}/oauth/v2/keys`)}))
const { payload } = await jwtVerify(token, keys, {
  issuer: ${quoted(issuer)},
  audience: ${quoted(projectId)},
})`,
    },
    {
      label: 'curl (introspection)',
      code: `curl -u '${clientId}:CLIENT_SECRET' \\
  -d token=ACCESS_TOKEN \\
  ${issuer}/oauth/v2/introspect`,
    },
  ]
}

function machineSnippet({ issuer, projectId }: Given): Snippet {
  return {
    label: 'curl (client credentials)',
    code: `curl -u 'USERNAME_OF_THE_MACHINE:CLIENT_SECRET' \\
  -d grant_type=client_credentials \\
  -d 'scope=openid urn:zitadel:iam:org:project:id:${projectId}:aud' \\
  ${issuer}/oauth/v2/token`,
  }
}

/** The snippets of a kind. */
function snippetsOf(kind: Choice, given: Given): readonly Snippet[] {
  switch (kind) {
    case 'web':
      return [webSnippet(given)]
    case 'spa':
      return [pageSnippet(given)]
    case 'native':
      return [nativeSnippet(given)]
    case 'api':
      return apiSnippets(given)
    case 'machine':
      return [machineSnippet(given)]
  }
}

/** The addresses and ids to copy, and the snippets. */
export function Snippets({ kind, ...given }: SnippetValues) {
  const t = useTexts(applicationTexts)
  const { issuer } = environment()
  return (
    <Stack>
      <CopyField label={t.issuer} value={issuer} />
      {given.clientId !== '' && <CopyField label={t.clientId} value={given.clientId} />}
      <CopyField label={t.projectId} value={given.projectId} />
      {snippetsOf(kind, { ...given, issuer }).map(({ label, code }) => (
        <CodeBlock key={label} label={label} code={code} />
      ))}
    </Stack>
  )
}
