/**
 * docs/reference/scopes-and-claims.md: which scopes and claims there are is read from the code; a scope or claim
 * without a sentence here is an error.
 */

import { FIXED_SCOPES, readScopes, SCOPE_PREFIXES } from '../src/features/authorization-requests/index.ts'
import type { App } from '../src/module/app.ts'
import { CLAIMS_OF_SCOPE, USER_CLAIMS } from '../src/openid/claims.ts'
import { discoveryDocument } from '../src/openid/discovery.ts'
import { type GeneratedFile, markdownTable, writeGenerated } from './generated-file.ts'

const AUDIENCE = 'urn:zitadel:iam:org:project:id:{project ID}:aud'

const SCOPES: Readonly<Record<string, string>> = {
  openid: 'Asks for an ID token. Userinfo needs it.',
  profile: 'Names, language and when the user changed last.',
  email: 'The email address and whether it is verified; about users of other organizations, whether it is proven.',
  phone: 'The phone number and whether it is verified; about users of other organizations, whether it is proven.',
  address: 'Accepted; users have no address.',
  offline_access: 'Asks for a refresh token, if the application has the grant type.',
  'urn:zitadel:iam:org:projects:roles': 'The roles of the user in all projects of the audience.',
  'urn:zitadel:iam:user:metadata':
    'The metadata of the user, values in base64url, if their organization owns the project or was granted it.',
  groups: 'The names of the groups that the user is in, in the claim `groups`, if their organization owns the project.',
  'urn:zitadel:iam:user:groups':
    'The groups that the user is in, as `{id, name}`, in a claim of this name, if their organization owns the project.',
  'urn:zitadel:iam:user:resourceowner': 'ID, name and primary domain of the organization of the user.',
  'urn:zitadel:iam:org:id:{organization ID}': 'Only users of this organization sign in. Adds the organization.',
  'urn:zitadel:iam:org:domain:primary:{domain}': 'The same by its primary domain.',
  'urn:zitadel:iam:org:roles:id:{organization ID}': 'Only roles that this organization gave; may be repeated.',
  'urn:zitadel:iam:org:project:role:{role key}': 'This role, if the user holds it; may be repeated.',
  'urn:zitadel:iam:org:idp:id:{provider ID}': 'Signs in with this identity provider at once.',
  [AUDIENCE]:
    'The token is for this project as well. `zitadel` or `signet` in place of the ID: for the API of the server.',
}

const EVERYWHERE = 'ID token, signed access token, introspection'

const CLAIMS: Readonly<Record<string, readonly [meaning: string, where: string]>> = {
  sub: ['ID of the user.', `${EVERYWHERE}, userinfo`],
  aud: [
    'Who the token is for. ID token: the client, and the projects that scopes name. Access token: all clients of the project, the project, and the projects that scopes name.',
    EVERYWHERE,
  ],
  exp: ['When it expires.', EVERYWHERE],
  iat: ['When it was issued.', EVERYWHERE],
  iss: ['The server.', EVERYWHERE],
  auth_time: ['When the user signed in.', 'ID token, introspection'],
  nonce: ['The value of the authorization request.', 'ID token'],
  acr: [
    '`urn:signet:acr:1`: one factor; `urn:signet:acr:2`: two. A password and an account at an identity provider are one.',
    'ID token, tokens for a resource, introspection',
  ],
  amr: ['How the user signed in (RFC 8176).', 'ID token, introspection'],
  at_hash: ['Hash of the access token.', 'ID token'],
  act: ['Who acts for the user, after a token exchange.', EVERYWHERE],
  azp: [
    'The client that the token was issued to: the client ID of the application, or the ID of the machine user.',
    'ID token',
  ],
  sid: ['The session.', 'ID token'],
  groups: ['Names of the groups that the user is in, for the scope `groups`.', `${EVERYWHERE}, userinfo`],
  'urn:signet:left_out': [
    'Names of claims that are not whole, because the answer would be too large: metadata over 512 kB, roles or groups over 64 kB.',
    `${EVERYWHERE}, userinfo`,
  ],
}

function sentence<Value>(table: Readonly<Record<string, Value>>, name: string): Value {
  const found = table[name]
  if (found === undefined) throw new Error(`tools/scopes-reference.ts says nothing about ${name}`)
  return found
}

/** The documented form of a scope that ends with a value. */
function formOf(prefix: string): string {
  const form = Object.keys(SCOPES).find((one) => one.startsWith(`${prefix}{`))
  if (form === undefined) throw new Error(`tools/scopes-reference.ts says nothing about ${prefix}`)
  return form
}

const forms = [...FIXED_SCOPES, ...SCOPE_PREFIXES.map(formOf), AUDIENCE]
for (const form of forms) {
  const sample = form.replace(/\{[^}]*\}/, '1')
  if (!readScopes(sample).known.includes(sample)) throw new Error(`the server does not know the scope ${sample}`)
}

const scopes = forms.map((form) => {
  const claims = (CLAIMS_OF_SCOPE.get(form) ?? []).map((name) => `\`${name}\``).join(', ')
  return [`\`${form}\``, sentence(SCOPES, form), claims]
})
const document = discoveryDocument({ externalUrl: '' } as App, [], [])
const claims = document.claims_supported
  .filter((name) => !USER_CLAIMS.includes(name))
  .map((name) => [`\`${name}\``, ...sentence(CLAIMS, name)])

const text = `# Scopes and claims

This page is generated from the code by \`npm run gen\`. Do not edit it.

## Scopes

Unknown scopes are ignored. An empty value or \`false\` is left out of the answer.

${markdownTable(['Scope', 'What it asks for', 'Claims'], scopes)}
## Claims of tokens

${markdownTable(['Claim', 'Meaning', 'Where'], claims)}
The claims of \`profile\`, \`email\` and \`phone\` are in userinfo and introspection; in the ID token only if the application
asserts them (\`idTokenUserinfoAssertion\`), or if the parameter \`claims\` asks for them.

\`acr_values\` is a wish: a user who can reach the level is asked for it once, and \`acr\` says what was reached. A level that \`claims\` requires,
such as \`{"id_token":{"acr":{"essential":true,"values":["urn:signet:acr:2"]}}}\`, is reached, or the authorization fails
with \`unmet_authentication_requirements\`. A user who is signed in with less is asked to sign in again; with
\`prompt=none\`, the answer is \`login_required\`. Two factors reach the level of one factor too.

Access tokens that are bound to a key (DPoP) name it in \`cnf.jkt\`: signed ones themselves, and all of them in introspection.

## Roles

Roles are in \`urn:zitadel:iam:org:project:{project ID}:roles\`, and those of the application's own project also in
\`urn:zitadel:iam:org:project:roles\`: the role key, then the organization that gave it, then its primary domain. They
are there if a scope asks for roles or for the audience of a project, or if the project asserts its roles.

\`\`\`json
{ "urn:zitadel:iam:org:project:roles": { "editor": { "301234567890123456": "example.com" } } }
\`\`\`

They are in userinfo and introspection; in the ID token and in signed access tokens only if the application asserts them
(\`idTokenRoleAssertion\`, \`accessTokenRoleAssertion\`). The signed tokens of machine users always contain them.
`

export const page: GeneratedFile = { path: 'docs/reference/scopes-and-claims.md', text }

if (import.meta.main) writeGenerated(page)
