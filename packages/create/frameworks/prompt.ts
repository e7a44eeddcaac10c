/** A task for a coding agent: what to add to a project, with the code of the list. It never has a secret in it. */
import { type Framework, proposedUris, runLineOf } from './framework.ts'

export interface PromptFile {
  readonly name: string
  readonly code: string
}

/** What the agent needs to know about the app. */
export interface PromptValues {
  /** The address of Signet. */
  readonly issuer: string
  /** The first one that is registered. */
  readonly redirectUri: string
}

const RULES: Readonly<Record<Framework['kind'], readonly string[]>> = {
  web: [
    'Use the authorization code flow with PKCE, and check state and nonce.',
    'Keep tokens on the server. Give the browser a cookie with a new value after the sign-in (HttpOnly, SameSite=Lax, Secure behind https).',
    'Sign out at the end_session_endpoint too, with the ID token as id_token_hint.',
  ],
  spa: [
    'Use the authorization code flow with PKCE. There is no client secret.',
    'Keep tokens in the tab, not in localStorage.',
  ],
  native: ['Use the authorization code flow with PKCE in the browser of the system. There is no client secret.'],
  api: [
    'Accept access tokens only: the header typ is at+jwt (RFC 9068). An ID token is no access token.',
    'Check the issuer, the audience AUDIENCE, and that the token has not expired.',
  ],
}

/** The prompt. */
export function promptOf(
  framework: Framework,
  files: readonly PromptFile[],
  { issuer, redirectUri }: PromptValues,
): string {
  const { label, kind, install, run, settings } = framework
  const task =
    kind === 'api' ? 'Protect this API with access tokens of Signet.' : 'Add sign-in with Signet to this app.'
  const names = Object.keys(settings).join(', ')
  const addresses = redirectUri === '' ? [] : [`The registered redirect URI is ${redirectUri}. Do not use another one.`]
  const code = files.map(({ name, code: text }) => `### ${name}\n\n\`\`\`\n${text}\n\`\`\``)
  return [
    `${task} Signet is an OpenID Connect server at ${issuer}; the app is written with ${label}.`,
    '',
    ...RULES[kind].map((rule) => `- ${rule}`),
    ...addresses.map((line) => `- ${line}`),
    `- The settings are in .env: ${names}. Read them from the environment. Never print them, commit them or put them into code.`,
    '- Change as little of the existing code as possible, and keep its style.',
    '',
    ...(install === '' ? [] : [`Install: \`${install}\``]),
    ...(run === '' ? [] : [`Run: \`${runLineOf(framework, redirectUri)}\``, '']),
    `The documentation is at ${issuer}/llms.txt, and can be searched by the Model Context Protocol at ${issuer}/mcp/docs.`,
    ...(code.length === 0 ? [] : ['', 'This works by itself. Fit it into the project:', '', code.join('\n\n')]),
    '',
  ].join('\n')
}
/** The redirect URI that a framework proposes, for those who have not registered one. */
export function usualRedirectUri(framework: Framework): string {
  return proposedUris(framework, framework.address).redirectUris[0] ?? ''
}
