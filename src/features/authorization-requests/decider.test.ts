/** What can still happen to an authorization request. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { instant } from '../../kernel/instant.ts'
import { type AuthorizationRequest, type AuthorizationRequestCommand, authorizationRequest } from './decider.ts'
import type { AuthorizationRequestEvent } from './events.ts'

const { decide, evolve, initial } = authorizationRequest

const START: AuthorizationRequestCommand = {
  type: 'start',
  clientId: 'client',
  payload: {},
  flowStartedAt: instant(1),
  loginClientId: '',
  expiresAt: instant(2),
}
const DENY = { type: 'deny' } as const
const FINISH = { type: 'finish', outcome: 'continued' } as const
const CHOOSE = { type: 'choose_account', sessionId: 'session' } as const

function after(...commands: readonly AuthorizationRequestCommand[]): AuthorizationRequest {
  return commands.reduce<AuthorizationRequest>((state, command) => {
    const decision = decide(command, state)
    assert.ok('events' in decision, JSON.stringify(decision))
    return (decision.events as readonly AuthorizationRequestEvent[]).reduce(evolve, state)
  }, initial)
}

suite('an authorization request', () => {
  test('that was denied waits until the application has learned it, and takes no other answer', () => {
    const denied = after(START, DENY)
    assert.deepEqual(denied.status === 'waiting' && denied.isDenied, true)
    for (const command of [DENY, CHOOSE]) {
      assert.equal(JSON.stringify(decide(command, denied)).includes('authorization_request.finished'), true)
    }
    assert.equal(after(START, DENY, FINISH).status, 'finished')
  })

  test('that is finished or unknown is not answered', () => {
    for (const command of [DENY, CHOOSE, FINISH]) {
      assert.ok(JSON.stringify(decide(command, after(START, FINISH))).includes('authorization_request.finished'))
      assert.ok(JSON.stringify(decide(command, initial)).includes('authorization_request.not_found'))
    }
  })

  test('keeps the account that was chosen last', () => {
    const chosen = after(START, CHOOSE, { ...CHOOSE, sessionId: 'other' })
    assert.equal(chosen.status === 'waiting' && chosen.chosenSessionId, 'other')
  })
})
