/** The people of the realm for a real Keycloak: each with one right to administer, or one thing that keeps them out. */

type Json = Readonly<Record<string, unknown>>

export const PEOPLE_PASSWORD = 'Correct horse 7 battery'

/** Alone, and in the pairs and composites that realms have. */
const RIGHTS: Readonly<Record<string, readonly string[]>> = {
  owner: ['realm-admin'],
  users: ['manage-users'],
  'users-viewer': ['view-users'],
  realm: ['manage-realm'],
  'realm-viewer': ['view-realm'],
  clients: ['manage-clients'],
  'clients-creator': ['create-client'],
  providers: ['manage-identity-providers'],
  'providers-viewer': ['view-identity-providers'],
  events: ['manage-events', 'view-events'],
  impersonator: ['impersonation'],
  authorization: ['manage-authorization'],
  searcher: ['query-users', 'query-groups', 'query-clients', 'query-realms'],
  settings: ['manage-realm', 'manage-identity-providers', 'view-users'],
  'settings-no-users': ['manage-realm', 'manage-identity-providers'],
  viewer: ['view-realm', 'view-users', 'view-clients', 'view-identity-providers'],
  'viewer-no-clients': ['view-realm', 'view-users', 'view-identity-providers'],
  'users-clients': ['manage-users', 'manage-clients'],
}

function person(username: string, more: Json = {}) {
  const credentials = [{ type: 'password', value: PEOPLE_PASSWORD, temporary: false }]
  const names = { firstName: username, lastName: 'Person', email: `${username}@people.example` }
  return { username, enabled: true, emailVerified: true, ...names, credentials, ...more }
}

const administrators = Object.entries(RIGHTS).map(([name, rights]) =>
  person(`admin-${name}`, { clientRoles: { 'realm-management': rights } }),
)

export const rightsRealm = {
  roles: {
    realm: [
      { name: 'employee' },
      { name: 'boss', composite: true, composites: { client: { 'realm-management': ['manage-users'] } } },
    ],
    client: { web: [{ name: 'editor' }] },
  },
  groups: [
    {
      name: 'staff',
      realmRoles: ['employee'],
      subGroups: [{ name: 'it', clientRoles: { 'realm-management': ['manage-realm'] } }],
    },
  ],
  users: [
    ...administrators,
    person('boss', { realmRoles: ['boss'] }),
    person('in-group', { groups: ['/staff/it'] }),
    person('anna', { realmRoles: ['employee'], clientRoles: { web: ['editor'] } }),
    person('disabled', { enabled: false }),
    person('unverified', { emailVerified: false }),
    person('must-verify', { emailVerified: false, requiredActions: ['VERIFY_EMAIL'] }),
    person('must-change', { requiredActions: ['UPDATE_PASSWORD'] }),
    person('member'),
    person('closed-member', {
      federatedIdentities: [{ identityProvider: 'oidc-closed-organization', userId: '7', userName: 'closed-member' }],
    }),
    person('linked', {
      federatedIdentities: [
        'github',
        'github-company',
        'github-base',
        'microsoft',
        'keycloak',
        'oidc-elsewhere',
        'oidc',
      ].map((identityProvider) => ({ identityProvider, userId: '1001', userName: 'linked' })),
    }),
  ],
}
