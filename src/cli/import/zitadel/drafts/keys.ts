/** The keys that sign tokens, the one that encrypts them, and public keys of machines and applications as drafts. */
import { publicKeyIn } from '../../../../crypto/public-key.ts'
import type { KeyDraft } from '../../draft.ts'
import { fold, type Parts } from '../fold.ts'
import { webKeys } from '../folds/instance.ts'
import type { PublicKey } from '../folds/users.ts'
import { wrongMasterKey } from '../keys.ts'
import { folded, type Item, type Reading, remark, removed } from '../reading.ts'

/** The key for tokens, unless a web key names another one. */
const TOKEN_KEY = 'oidcKey'

/** The key under which personal access tokens are encrypted; it protects web keys, too. */
export async function* tokenKeyDraft(reading: Reading): AsyncGenerator<Item> {
  let id = TOKEN_KEY
  for await (const { state } of fold(reading.log, webKeys)) id = state.privateKey?.keyId ?? id
  const key = reading.keys.key(id)
  if (key === undefined) {
    yield remark('token-key', id, 'There is no such encryption key: personal access tokens stay behind.')
    return
  }
  const { createdAt } = reading.world.instance
  yield {
    kind: 'token-key',
    id,
    organizationId: '',
    createdAt,
    changedAt: createdAt,
    key: key.toString('base64url'),
  }
}

/** A key as JSON; anything else was opened with a wrong master key. */
export function parseWebKey(plain: string, id: string): Readonly<Record<string, unknown>> {
  try {
    const key: unknown = JSON.parse(plain)
    if (typeof key === 'object' && key !== null && 'kty' in key) return { ...key }
  } catch {
    // Reported below.
  }
  throw wrongMasterKey(`the web key ${id}`)
}

export async function* webKeyDrafts(reading: Reading): AsyncGenerator<Item> {
  for await (const { id, isAlive, state, createdAt, changedAt } of folded(reading, webKeys)) {
    if (!isAlive || state.privateKey === undefined) {
      yield removed({ kind: 'web-key', id })
      continue
    }
    const key = parseWebKey(reading.keys.open(state.privateKey, `the web key ${id}`), id)
    yield { kind: 'web-key', id, organizationId: '', createdAt, changedAt, state: state.state, key }
  }
}

/** The public keys, and remarks about those that cannot be read. `kind` and `id`: of what they belong to. */
export function keyDrafts(
  keys: Parts<PublicKey>,
  kind: string,
  id: string,
): { readonly keys: readonly KeyDraft[]; readonly remarks: readonly Item[] } {
  const drafts: KeyDraft[] = []
  const remarks: Item[] = []
  for (const [keyId, { value, createdAt }] of keys.living) {
    const publicKey = publicKeyIn(Buffer.from(value.publicKey, 'base64'))
      ?.export({ type: 'spki', format: 'pem' })
      .toString()
    if (publicKey) drafts.push({ id: keyId, publicKey, createdAt, expiresAt: value.expiresAt })
    else remarks.push(remark(kind, id, `The key ${keyId} stays behind: it is not a public key that can be read.`))
  }
  return { keys: drafts, remarks }
}
