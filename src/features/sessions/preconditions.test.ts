import { test } from 'node:test'
import { given } from '../../../test/support/given.ts'
import { instant } from '../../kernel/instant.ts'
import { BUILT_IN_LOGIN } from '../settings/index.ts'
import { session } from './decider.ts'
import type { Person } from './preconditions.ts'

const NOON = instant(1_800_000_000_000)
const END = instant(NOON + 1000)

test('a session is not updated while its user or their organization cannot act, whatever is wanted', () => {
  const ada: Person = {
    userId: 'ada',
    organizationId: 'north',
    login: BUILT_IN_LOGIN,
    generations: { user: 0, organization: 0 },
  }
  const update = (person: Person) => ({
    type: 'update' as const,
    at: NOON,
    person,
    checks: [],
    challenges: {},
    metadata: {},
    defaultExpiresAt: END,
    tokenHash: 'two',
  })
  const about = given(
    session,
    {
      type: 'session.created.v1',
      data: { creatorId: 'login', expiresAt: END, hasOwnLifetime: true, secret: { tokenHash: 'one' } },
    },
    { type: 'session.user_checked.v1', data: { userId: 'ada', organizationId: 'north', checkedAt: NOON } },
  )
  about.when(update(ada)).then({ type: 'session.token_renewed.v1', data: { secret: { tokenHash: 'two' } } })
  about.when(update({ ...ada, stoppedBy: 'user' })).thenRefused('session.user_not_active')
  about.when(update({ ...ada, stoppedBy: 'organization' })).thenRefused('session.organization_inactive')
})
