import { suite, test } from 'node:test'
import { given } from '../../../test/support/given.ts'
import { instant } from '../../kernel/instant.ts'
import type { IntentCommand } from './decider.ts'
import { intents } from './documents.ts'
import type { FailureReason, IntentEvent, StartedIntent, SucceededIntent } from './events.ts'

const begun: StartedIntent = {
  idpId: 'idp',
  organizationId: 'org',
  successUrl: 'https://app.example/in',
  failureUrl: 'https://app.example/no',
  expiresAt: instant(1000),
  secret: { state: 'hash', handshake: 'sealed' },
}
const done: SucceededIntent = {
  externalUserId: '4711',
  externalUserName: 'sam',
  userId: 'sam',
  expiresAt: instant(2000),
  secret: { token: 'hash', identity: 'sealed' },
}
const started: IntentEvent = { type: 'intent.started.v1', data: begun }
const answered: IntentEvent = { type: 'intent.answered.v1', data: {} }
const succeeded: IntentEvent = { type: 'intent.succeeded.v1', data: done }
const consumed: IntentEvent = { type: 'intent.consumed.v1', data: { userId: 'sam' } }
const refusedAnswer: IntentEvent = { type: 'intent.answer_refused.v1', data: {} }
function failed(reason: FailureReason): IntentEvent {
  return { type: 'intent.failed.v1', data: { reason } }
}

function answer(at: number, isSameBrowser = true): IntentCommand {
  return { type: 'answer', at: instant(at), isSameBrowser }
}
function consume(change: Partial<Extract<IntentCommand, { type: 'consume' }>> = {}): IntentCommand {
  return {
    type: 'consume',
    at: instant(1500),
    isToken: true,
    userId: 'sam',
    isLinked: true,
    generations: { user: 0, organization: 0 },
    ...change,
  }
}

suite('a sign-in through a provider', () => {
  test('begins once', () => {
    given(intents)
      .when({ type: 'start', ...begun })
      .then(started)
    given(intents, started)
      .when({ type: 'start', ...begun })
      .thenRefused('intent.id_taken')
    given(intents)
      .when({ type: 'give_up', idpId: 'idp', reason: 'unreachable' })
      .then({ type: 'intent.failed.v1', data: { reason: 'unreachable', idpId: 'idp' } })
  })

  test('is answered once, in time, by the browser that began', () => {
    given(intents, started).when(answer(999)).then(answered)
    given(intents, started).when(answer(1000)).thenRefused('intent.answer_refused', failed('expired'))
    given(intents, started).when(answer(1, false)).thenRefused('intent.answer_refused', failed('other_browser'))
    given(intents).when(answer(1)).thenRefused('intent.answer_refused')
    given(intents, started, answered).when(answer(1)).thenRefused('intent.answer_refused')
    for (const end of [succeeded, failed('expired')]) {
      given(intents, started, answered, end).when(answer(1)).thenRefused('intent.answer_refused', refusedAnswer)
    }
  })

  test('does not fill the log with answers that come too often', () => {
    const often = Array<IntentEvent>(10).fill(refusedAnswer)
    given(intents, started, answered, succeeded, ...often)
      .when(answer(1))
      .thenRefused('intent.answer_refused')
    given(intents, started, answered, succeeded, ...often.slice(1))
      .when(answer(1))
      .thenRefused('intent.answer_refused', refusedAnswer)
  })

  test('succeeds or fails after it was answered, and only then', () => {
    const succeed: IntentCommand = { type: 'succeed', ...done }
    const fail: IntentCommand = { type: 'fail', reason: 'nonce_mismatch' }
    given(intents, started, answered).when(succeed).then(succeeded)
    given(intents, started, answered).when(fail).then(failed('nonce_mismatch'))
    for (const command of [succeed, fail]) {
      given(intents, started).when(command).thenRefused('intent.answer_refused')
      given(intents, started, answered, failed('denied')).when(command).thenRefused('intent.answer_refused')
      given(intents, started, answered, succeeded).when(command).thenRefused('intent.answer_refused')
    }
  })

  test('is used up by one session of the one person it is linked to', () => {
    const ready = given(intents, started, answered, succeeded)
    ready.when(consume()).then(consumed)
    ready.when(consume({ isToken: false })).thenRefused('intent.token_wrong')
    ready.when(consume({ at: instant(2000) })).thenRefused('intent.expired')
    ready.when(consume({ userId: 'ana' })).thenRefused('intent.other_user')
    ready.when(consume({ isLinked: false })).thenRefused('intent.other_user')
    ready.when(consume({ generations: { user: 1, organization: 0 } })).thenRefused('intent.expired')
    ready.when(consume({ generations: { user: 0, organization: 1 } })).thenRefused('intent.expired')
    given(intents, started, answered, succeeded, consumed).when(consume()).thenRefused('intent.not_succeeded')
    for (const history of [[], [started], [started, answered], [started, answered, failed('denied')]]) {
      given(intents, ...history)
        .when(consume())
        .thenRefused('intent.not_succeeded')
    }
  })

  test('is sealed again only if it is still sealed as it was', () => {
    const reseal = (before: string): IntentCommand => ({ type: 'reseal', before, after: 'new' })
    given(intents, started)
      .when(reseal('sealed'))
      .then({ type: 'intent.resealed.v1', data: { secret: { handshake: 'new' } } })
    given(intents, started, answered, succeeded)
      .when(reseal('sealed'))
      .then({ type: 'intent.resealed.v1', data: { secret: { identity: 'new' } } })
    given(intents, started).when(reseal('other')).then()
    given(intents, started, answered).when(reseal('sealed')).then()
  })
})
