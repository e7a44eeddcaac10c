/** How the password of a user is carried, as part of the user. */
import type { Instant } from '../../kernel/instant.ts'
import type { Arriving, OpenedDocument } from '../../module/carried.ts'
import type { Dates } from '../../store/index.ts'
import type { Password } from './decider.ts'
import { passwords } from './documents.ts'
import { followPassword, setPassword } from './handlers/set-password.ts'

export interface CarriedPassword {
  /** In the form of `src/crypto/passwords`: `$2a$…`, `$argon2id$…`, `$pbkdf2-sha512$…`. */
  readonly hash: string
  readonly changeRequired: boolean
  readonly changedAt?: Instant | undefined
}

export function describePassword(found: OpenedDocument<Password> | undefined) {
  if (found?.state.status !== 'set') return {}
  const { state, createdAt, changedAt } = found
  const { secret, changeRequired, changedAt: setAt } = state
  return { password: { hash: secret.hash, changeRequired, changedAt: setAt }, passwordDates: { createdAt, changedAt } }
}

/** Gives a user their password. A hash that cannot be checked here stays behind, and the user sets a new one. */
export async function putPassword(
  { app, work, id: userId, owner, dates: datesOf, leave }: Arriving<unknown>,
  password: CarriedPassword | undefined,
  { dates, isNew }: { readonly dates: Dates | undefined; readonly isNew: boolean },
): Promise<void> {
  if (password === undefined) return
  const { hash, changeRequired, changedAt: setAt } = password
  const flaw = app.hashing.checkImport(hash)
  if (flaw !== undefined) {
    leave(`The password was not carried: ${flaw.description} The user needs a new one.`)
    return
  }
  if (dates !== undefined) datesOf(passwords, userId, dates)
  const given = { userId, owner, hash, changeRequired, setAt }
  await (isNew ? setPassword(work, given) : followPassword(app, work, given))
}
