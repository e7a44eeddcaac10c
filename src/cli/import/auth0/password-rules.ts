/** The rules for passwords of the databases of a tenant: the strictest of all, because its users are in one organization. */
import type { Members } from '../json/members.ts'
import { decide } from '../members/table.ts'
import { type Read, remark, undated } from '../read.ts'
import { tableOf } from './connection-members.ts'
import { DATABASE } from './connections.ts'
import type { TenantPlace } from './place.ts'

interface Policy {
  readonly minLength: number
  readonly needsLetters?: true
  /** What cannot be said here. */
  readonly left?: string
}

const THREE_OF_FOUR = 'three of the four kinds of characters'

const POLICIES: Readonly<Record<string, Policy>> = {
  none: { minLength: 1 },
  low: { minLength: 6 },
  fair: { minLength: 8, needsLetters: true },
  good: { minLength: 8, left: THREE_OF_FOUR },
  excellent: { minLength: 10, left: `${THREE_OF_FOUR}, and at most two equal ones in a row` },
}

const LONGEST_MINIMUM = 200

export function* databaseSettingsOf(connections: readonly Members[], place: TenantPlace): Generator<Read> {
  const rules: { readonly minLength: number; readonly needsLetters: boolean }[] = []
  let mayReset = true
  for (const connection of connections.filter((one) => one.text('strategy') === DATABASE)) {
    const [name, options] = [connection.text('name'), connection.inner('options')]
    const policy = options.maybeText('passwordPolicy')
    const length = options.inner('password_complexity_options').number('min_length')
    const known = policy !== undefined && Object.hasOwn(POLICIES, policy) ? POLICIES[policy] : undefined
    if (known !== undefined || length !== undefined)
      rules.push({ minLength: length ?? known?.minLength ?? 1, needsLetters: known?.needsLetters === true })
    if (policy && known === undefined) yield remark('connection', name, `The password policy ${policy} is not known.`)
    if (known?.left !== undefined) yield remark('connection', name, `Passwords need not have ${known.left}.`)
    if (options.has('password_options'))
      yield remark('connection', name, 'The rules in password_options are not carried: see the password settings.')
    if (options.flag('disable_self_service_change_password')) mayReset = false
    const { closed, left } = decide(connection, tableOf(DATABASE) ?? { members: {} })
    for (const reason of [...closed, ...left]) yield remark('connection', name, reason)
  }
  const own = { organizationId: place.organizationId, ...undated(place) }
  if (!mayReset)
    yield { kind: 'settings', id: 'login', ...own, section: 'login', values: { allowsPasswordReset: false } }
  if (rules.length === 0) return
  const needsLetters = rules.some((one) => one.needsLetters)
  const values = {
    minLength: Math.min(Math.max(...rules.map(({ minLength }) => minLength), 1), LONGEST_MINIMUM),
    needsUppercase: needsLetters,
    needsLowercase: needsLetters,
    needsNumber: needsLetters,
    needsSymbol: false,
  }
  yield { kind: 'settings', id: 'passwordComplexity', ...own, section: 'passwordComplexity', values }
}
