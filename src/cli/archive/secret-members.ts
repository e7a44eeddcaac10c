/** The members of drafts that are secrets: in an export they are sealed, or left out. */
import type { AnyDraft } from '../import/draft.ts'

type Members = Readonly<Record<string, unknown>>

/** A dot leads into an object. */
const SECRET_MEMBERS: Readonly<Partial<Record<AnyDraft['kind'], readonly string[]>>> = {
  'token-key': ['key'],
  'web-keys': ['privateKeys'],
  'saml-keys': ['privateKeys'],
  settings: ['values.password', 'values.signingKey'],
  'identity-provider': ['clientSecret'],
  human: ['password', 'totpSecret', 'recovery'],
  machine: ['secret'],
  application: ['secret'],
  token: ['hash'],
  target: ['signingKey'],
  webhook: ['key', 'former'],
  'registered-client': ['hash'],
}

/** What is nothing without its secret. */
export const NEEDS_SECRET: ReadonlySet<string> = new Set([
  'token-key.key',
  'settings.values.signingKey',
  'token.hash',
  'target.signingKey',
  'webhook.key',
  'registered-client.hash',
])

function pathOf(member: string): readonly [string, string | undefined] {
  const [first = '', second] = member.split('.')
  return [first, second]
}

/** A draft without its secrets, and the secrets by their members. */
export function splitSecrets(draft: AnyDraft): { readonly open: Members; readonly secrets: Members } {
  const open: Record<string, unknown> = { ...draft }
  const secrets: Record<string, unknown> = {}
  for (const member of SECRET_MEMBERS[draft.kind] ?? []) {
    const [first, second] = pathOf(member)
    const holder = second === undefined ? open : { ...(open[first] as Members) }
    const name = second ?? first
    if (holder[name] === undefined) continue
    secrets[member] = holder[name]
    delete holder[name]
    if (second !== undefined) open[first] = holder
  }
  return { open, secrets }
}

/** The draft with its secrets. Only members that are secrets are taken. */
export function joinSecrets(kind: AnyDraft['kind'], open: Members, secrets: Members): Members {
  const joined: Record<string, unknown> = { ...open }
  for (const member of SECRET_MEMBERS[kind] ?? []) {
    if (!(member in secrets)) continue
    const [first, second] = pathOf(member)
    if (second === undefined) joined[first] = secrets[member]
    else joined[first] = { ...(joined[first] as Members), [second]: secrets[member] }
  }
  return joined
}
