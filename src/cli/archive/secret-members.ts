/** The members of drafts that are secrets: in an export they are sealed, or left out. */
import type { Draft } from '../../module/carried.ts'
import { carrierOf } from '../carriers.ts'

type Members = Readonly<Record<string, unknown>>

/** Of kinds that do not yet say it by themselves. A dot leads into an object. */
const SECRET_MEMBERS: Readonly<Partial<Record<string, readonly string[]>>> = {
  settings: ['values.password', 'values.signingKey'],
}

const NEEDS_SECRET: ReadonlySet<string> = new Set(['settings.values.signingKey'])

function secretsOf(kind: string): readonly string[] {
  const { secrets } = carrierOf(kind)?.carried ?? {}
  return secrets === undefined ? (SECRET_MEMBERS[kind] ?? []) : Object.keys(secrets)
}

/** Whether an object is nothing without this secret. */
export function needsSecret(kind: string, member: string): boolean {
  const { secrets } = carrierOf(kind)?.carried ?? {}
  if (secrets === undefined) return NEEDS_SECRET.has(`${kind}.${member}`)
  return (secrets as Readonly<Record<string, unknown>>)[member] === 'needed'
}

function pathOf(member: string): readonly [string, string | undefined] {
  const [first = '', second] = member.split('.')
  return [first, second]
}

/** A draft without its secrets, and the secrets by their members. */
export function splitSecrets(draft: Draft): { readonly open: Members; readonly secrets: Members } {
  const open: Record<string, unknown> = { ...draft }
  const secrets: Record<string, unknown> = {}
  for (const member of secretsOf(draft.kind)) {
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
export function joinSecrets(kind: string, open: Members, secrets: Members): Members {
  const joined: Record<string, unknown> = { ...open }
  for (const member of secretsOf(kind)) {
    if (!(member in secrets)) continue
    const [first, second] = pathOf(member)
    if (second === undefined) joined[first] = secrets[member]
    else joined[first] = { ...(joined[first] as Members), [second]: secrets[member] }
  }
  return joined
}
