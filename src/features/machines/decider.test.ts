import { suite, test } from 'node:test'
import { given } from '../../../test/support/given.ts'
import { instant } from '../../kernel/instant.ts'
import { machineKeys, machineSecrets, personalAccessTokens } from './documents.ts'
import type { MachineKeyEvent, MachineSecretEvent, PersonalAccessTokenEvent } from './events.ts'

const noon = instant(1_800_000_000_000)
const later = instant(noon + 1)

suite('a personal access token', () => {
  const added: PersonalAccessTokenEvent = {
    type: 'personal_access_token.added.v1',
    data: { userId: 'u1', expiresAt: later, secret: { hash: 'h' } },
  }
  const removed: PersonalAccessTokenEvent = { type: 'personal_access_token.removed.v1', data: {} }
  const add = { type: 'add', userId: 'u1', hash: 'h', expiresAt: later, at: noon } as const

  test('is added with the hash of its secret', () => given(personalAccessTokens).when(add).then(added))

  test('must expire in the future', () => {
    given(personalAccessTokens)
      .when({ ...add, expiresAt: noon })
      .thenRefused('machine.expiration_past')
    given(personalAccessTokens)
      .when({ ...add, expiresAt: instant(noon - 1) })
      .thenRefused('machine.expiration_past')
  })

  test('is removed once', () => {
    given(personalAccessTokens, added).when({ type: 'remove' }).then(removed)
    given(personalAccessTokens, added, removed).when({ type: 'remove' }).thenRefused('machine.token_not_found')
    given(personalAccessTokens).when({ type: 'remove' }).thenRefused('machine.token_not_found')
  })

  test('has an id that is never used again', () => {
    given(personalAccessTokens, added).when(add).thenRefused('machine.token_id_taken')
    given(personalAccessTokens, added, removed).when(add).thenRefused('machine.token_id_taken')
  })
})

suite('a machine key', () => {
  const added: MachineKeyEvent = {
    type: 'machine_key.added.v1',
    data: { userId: 'u1', publicKey: 'pem', expiresAt: later },
  }
  const removed: MachineKeyEvent = { type: 'machine_key.removed.v1', data: {} }
  const add = { type: 'add', userId: 'u1', publicKey: 'pem', expiresAt: later, at: noon } as const

  test('is added with its public half', () => given(machineKeys).when(add).then(added))

  test('must expire in the future', () =>
    given(machineKeys)
      .when({ ...add, expiresAt: noon })
      .thenRefused('machine.expiration_past'))

  test('is removed once, and its id is never used again', () => {
    given(machineKeys, added).when({ type: 'remove' }).then(removed)
    given(machineKeys, added, removed).when({ type: 'remove' }).thenRefused('machine.key_not_found')
    given(machineKeys, added).when(add).thenRefused('machine.key_id_taken')
    given(machineKeys, added, removed).when(add).thenRefused('machine.key_id_taken')
  })
})

suite('a machine secret', () => {
  const set = (hash: string): MachineSecretEvent => ({ type: 'machine_secret.set.v1', data: { secret: { hash } } })
  const removed: MachineSecretEvent = { type: 'machine_secret.removed.v1', data: {} }

  test('is set and replaced', () => {
    given(machineSecrets).when({ type: 'set', hash: 'a' }).then(set('a'))
    given(machineSecrets, set('a')).when({ type: 'set', hash: 'b' }).then(set('b'))
  })

  test('is removed when there is one, and may come again', () => {
    given(machineSecrets, set('a')).when({ type: 'remove' }).then(removed)
    given(machineSecrets).when({ type: 'remove' }).thenRefused('machine.no_secret')
    given(machineSecrets, set('a'), removed).when({ type: 'set', hash: 'b' }).then(set('b'))
  })
})
