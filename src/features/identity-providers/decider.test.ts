import { suite, test } from 'node:test'
import { given } from '../../../test/support/given.ts'
import type { IdentityProviderCommand } from './decider.ts'
import { identityProviders, providerSecrets } from './documents.ts'
import type { IdentityProviderEvent, OidcConnection, ProviderSecretEvent } from './events.ts'

const connection: OidcConnection = {
  protocol: 'oidc',
  issuer: 'https://login.example',
  clientId: 'us',
  scopes: ['openid'],
  usesPkce: true,
  displayNameMapping: 'email',
  userNameMapping: 'preferred_username',
  mapsIdToken: false,
}
const options = {
  isLinkingAllowed: true,
  isCreationAllowed: true,
  isAutoCreation: false,
  isAutoUpdate: false,
  autoLinking: 'none',
} as const
const provider = { name: 'Corp', options, connection } as const
const add: IdentityProviderCommand = {
  type: 'add',
  owner: 'north',
  styling: 'google',
  providerType: 'oidc',
  ...provider,
}
const added: IdentityProviderEvent = {
  type: 'identity_provider.added.v1',
  data: { owner: 'north', type: 'oidc', styling: 'google', ...provider },
}
function changed(data: object): IdentityProviderEvent {
  return { type: 'identity_provider.changed.v1', data }
}
const replaced: IdentityProviderEvent = { type: 'identity_provider.secret_replaced.v1', data: {} }
const otherAccounts: IdentityProviderEvent = { type: 'identity_provider.accounts_replaced.v1', data: {} }
const deactivated: IdentityProviderEvent = { type: 'identity_provider.deactivated.v1', data: {} }
const reactivated: IdentityProviderEvent = { type: 'identity_provider.reactivated.v1', data: {} }
const removed: IdentityProviderEvent = { type: 'identity_provider.removed.v1', data: {} }

suite('an identity provider', () => {
  test('is added once, and never again under the same id', () => {
    given(identityProviders).when(add).then(added)
    given(identityProviders, added).when(add).thenRefused('identity_provider.id_taken')
    given(identityProviders, added, removed).when(add).thenRefused('identity_provider.id_taken')
  })

  test('gets the whole display replaced: what is not sent is empty afterwards', () => {
    const change = { type: 'change_display', name: 'Corp', styling: 'google', autoRegister: false } as const
    given(identityProviders, added)
      .when({ ...change, name: 'Corp 2', styling: 'unspecified', autoRegister: true })
      .then(changed({ name: 'Corp 2', styling: 'unspecified', options: { ...options, isAutoCreation: true } }))
    given(identityProviders, added)
      .when({ ...change, styling: 'unspecified' })
      .then(changed({ styling: 'unspecified' }))
    given(identityProviders, added).when(change).thenRefused('identity_provider.unchanged')
    given(identityProviders).when(change).thenRefused('identity_provider.not_found')
    given(identityProviders, added, removed).when(change).thenRefused('identity_provider.not_found')
  })

  test('keeps what the older methods cannot say when they change its OpenID part', () => {
    const client = { protocol: 'oidc', clientId: 'us' } as const
    const mappings = { displayNameMapping: 'email', userNameMapping: 'preferred_username' } as const
    const part = { ...client, issuer: 'https://b.example', scopes: [], ...mappings }
    const change = { type: 'change_part', withSecret: false, part } as const
    given(identityProviders, added)
      .when(change)
      .then(changed({ connection: { ...connection, issuer: 'https://b.example', scopes: [] } }), otherAccounts)
    const same = { ...change, part: { ...part, issuer: connection.issuer, scopes: ['openid'] } }
    given(identityProviders, added).when(same).thenRefused('identity_provider.unchanged')
    given(identityProviders, added)
      .when({ ...same, withSecret: true })
      .then(replaced)
  })

  test('keeps its mappings when the newer methods change it, and its type permanently', () => {
    const after = { ...connection, issuer: 'https://b.example', displayNameMapping: 'unspecified' } as const
    const change = { type: 'change', withSecret: true, providerType: 'oidc', ...provider, connection: after } as const
    given(identityProviders, added)
      .when(change)
      .then(changed({ connection: { ...connection, issuer: 'https://b.example' } }), otherAccounts, replaced)
    given(identityProviders, added)
      .when({ ...change, providerType: 'google' })
      .thenRefused('identity_provider.other_type')
    given(identityProviders, added)
      .when({ ...change, withSecret: false, connection })
      .then()
    // Another client of the same server: its accounts stay the same.
    given(identityProviders, added)
      .when({ ...change, withSecret: false, connection: { ...connection, clientId: 'we' } })
      .then(changed({ connection: { ...connection, clientId: 'we' } }))
  })

  test('keeps the options of ours that a client does not know', () => {
    const options = { ...provider.options, emailTrust: 'never', isHidden: true } as const
    const before = changed({ options })
    const change = { type: 'change', withSecret: false, providerType: 'oidc', ...provider, connection } as const
    given(identityProviders, added, before).when(change).then()
    given(identityProviders, added, before)
      .when({ ...change, options: { ...provider.options, emailTrust: 'told', isHidden: false } })
      .then(changed({ options: { ...provider.options, emailTrust: 'told', isHidden: false } }))
  })

  test('is deactivated and reactivated, each when it is not yet so', () => {
    given(identityProviders, added).when({ type: 'deactivate' }).then(deactivated)
    given(identityProviders, added, deactivated).when({ type: 'deactivate' }).thenRefused('identity_provider.inactive')
    given(identityProviders, added, deactivated).when({ type: 'reactivate' }).then(reactivated)
    given(identityProviders, added).when({ type: 'reactivate' }).thenRefused('identity_provider.active')
    given(identityProviders, added, deactivated).when({ type: 'remove' }).then(removed)
    given(identityProviders, added, removed).when({ type: 'remove' }).thenRefused('identity_provider.not_found')
  })
})

suite('the secret of a provider', () => {
  const set = (value: string): ProviderSecretEvent => ({
    type: 'identity_provider_secret.set.v1',
    data: { secret: { value } },
  })
  const gone: ProviderSecretEvent = { type: 'identity_provider_secret.removed.v1', data: {} }

  test('is sealed again only while it is still the one that was opened', () => {
    given(providerSecrets, set('a'))
      .when({ type: 'reseal', before: 'a', value: 'b' })
      .then({ type: 'identity_provider_secret.resealed.v1', data: { secret: { value: 'b' } } })
    given(providerSecrets, set('c')).when({ type: 'reseal', before: 'a', value: 'b' }).then()
    given(providerSecrets).when({ type: 'reseal', before: 'a', value: 'b' }).then()
  })

  test('does not come back after it was removed', () => {
    given(providerSecrets, set('a'), gone).when({ type: 'set', value: 'b' }).thenRefused('identity_provider.not_found')
  })
})
