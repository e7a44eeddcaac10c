/**
 * The keys under which another product encrypted its tokens. They recognize personal access tokens that were imported
 * without a hash. Stream: `token-key`, under the ID that the key had there, owned by the instance.
 */
import { type ForeignToken, readForeignToken } from '../../crypto/foreign-token.ts'
import { accept, type Decider, refuse } from '../../kernel/decider.ts'
import { refused } from '../../kernel/refusal.ts'
import { type App, perApp } from '../../module/app.ts'
import { type DraftOf, declare, nothingElse } from '../../module/carried.ts'
import { kind } from '../../store/index.ts'
import { type TokenKeyEvent, tokenKeyEvents } from './events.ts'
import { type MachineRefusal, machineRefusals } from './refusals.ts'

export type TokenKey =
  | { readonly status: 'unknown' }
  /** The key, sealed. */
  | { readonly status: 'active'; readonly secret: { readonly key: string } }

type TokenKeyCommand =
  | { readonly type: 'bring'; readonly key: string }
  | { readonly type: 'reseal'; readonly before: string; readonly key: string }

const tokenKey: Decider<TokenKeyCommand, TokenKey, TokenKeyEvent, MachineRefusal> = {
  initial: { status: 'unknown' },

  evolve(_, { data }) {
    return { status: 'active', secret: data.secret }
  },

  decide(command, state) {
    const data = { secret: { key: command.key } }
    if (command.type === 'bring') {
      return state.status === 'unknown'
        ? accept({ type: 'token_key.imported.v1', data })
        : refuse('machine.token_key_taken')
    }
    const isIt = state.status === 'active' && state.secret.key === command.before
    return isIt ? accept({ type: 'token_key.resealed.v1', data }) : accept()
  },
}

const tokenKeys = kind({
  name: 'token-key',
  ids: 'own',
  waits: false,
  path: false,
  version: 1,
  events: tokenKeyEvents,
  decider: tokenKey,
  refusals: machineRefusals,
  fields: {},
  sealed: (state) =>
    state.status === 'active'
      ? [
          {
            member: 'key',
            text: state.secret.key,
            reseal: (key: string) => ({ type: 'reseal', before: state.secret.key, key }) as const,
          },
        ]
      : [],
  limits: [{ things: 'token keys', holder: 'the instance', by: ['owner'], number: 10 }],
})

function place(id: string) {
  return { kind: tokenKeys.name, id, member: 'key' } as const
}

const KEY_BYTES = 32

/** The key under which the source encrypted tokens that keep working: only their IDs are known, not their hashes. */
export const carriedTokenKeys = declare(tokenKeys, {
  as: 'token-key',
  after: [],
  secrets: { key: 'needed' },
  lives: ['active'],
  // 32 bytes, base64url. The ID is the `kid`.
  describe: ({ status: _, secret: __ }, { unseal }) => ({ key: unseal('key') ?? '' }),
  async put({ app, work, id, draft: { key, ...rest } }, before) {
    nothingElse(rest)
    if (before !== undefined) return
    if (Buffer.from(key, 'base64url').length !== KEY_BYTES) throw refused(machineRefusals, 'machine.token_key_invalid')
    const sealed = await app.vault.seal(work, place(id), key)
    await work.decide(tokenKeys, id, { type: 'bring', key: sealed }, app.instanceId)
  },
  remove: 'with its holder',
})

export type TokenKeyDraft = DraftOf<typeof carriedTokenKeys>

/** Opened keys by their sealed text: opening one takes longer than all the rest. */
const openedKeys = perApp(() => new Map<string, Buffer>())
const MOST_OPENED = 20

async function openKey(app: App, id: string, sealed: string): Promise<Buffer> {
  const opened = openedKeys(app)
  const known = opened.get(sealed)
  if (known !== undefined) return known
  const key = Buffer.from(await app.vault.open(place(id), sealed), 'base64url')
  if (opened.size >= MOST_OPENED) opened.clear()
  opened.set(sealed, key)
  return key
}

async function keyOf(app: App, { keyId }: ForeignToken): Promise<Buffer | undefined> {
  // Personal access tokens name their key.
  const state = keyId === undefined ? undefined : (await app.store.get(tokenKeys, keyId))?.state
  return keyId !== undefined && state?.status === 'active' ? openKey(app, keyId, state.secret.key) : undefined
}

/** The token and the user that an encrypted text names; undefined unless one of the keys opens it. */
export async function openForeignToken(
  app: App,
  bearer: string,
): Promise<{ readonly tokenId: string; readonly userId: string } | undefined> {
  const token = readForeignToken(bearer)
  const key = token && (await keyOf(app, token))
  const text = key && token.open(key)
  const at = text?.indexOf(':') ?? -1
  return text === undefined || at <= 0 ? undefined : { tokenId: text.slice(0, at), userId: text.slice(at + 1) }
}
