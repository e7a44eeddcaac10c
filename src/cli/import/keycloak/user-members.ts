/** What is decided about each member of a user, and of what a user signs in with. */
import { allCarried, allIgnored, part, separate, type Table } from '../members/table.ts'

/** Each is a text that contains JSON. */
const SECRET: Table = {
  closes: true,
  members: {
    ...allCarried('value', 'salt'),
    ...allIgnored({ 'always empty': ['additionalParameters'], 'said with the type': ['codes'] }),
  },
}

const DATA: Table = {
  closes: true,
  members: {
    ...allCarried('algorithm', 'hashIterations', 'subType', 'digits', 'period', 'secretEncoding'),
    ...allCarried('aaguid', 'counter', 'credentialId', 'credentialPublicKey', 'transports'),
    additionalParameters: part({
      closes: true,
      members: {
        ...allCarried('memory', 'parallelism', 'type', 'version'),
        ...allIgnored({ 'the hash has it': ['hashLength'] }),
      },
    }),
    ...allIgnored({
      'who made a key was asked when it was new': ['attestationStatement', 'attestationStatementFormat'],
      'said with the type': ['totalCodes', 'remainingCodes'],
    }),
  },
}

export const CREDENTIAL: Table = {
  closes: true,
  members: {
    ...allCarried('id', 'type', 'userLabel', 'createdDate'),
    secretData: part(SECRET),
    credentialData: part(DATA),
    ...allIgnored({
      'the order on a page': ['priority'],
      'the realm asks for a change with UPDATE_PASSWORD': ['temporary'],
      'as exports were until 2019': [
        'hashedSaltedValue',
        'salt',
        'hashIterations',
        'counter',
        'algorithm',
        'digits',
        'period',
        'device',
        'config',
      ],
    }),
  },
}

export const LINK: Table = { closes: true, members: allCarried('identityProvider', 'userId', 'userName') }

const CONSENT: Table = {
  members: allIgnored({
    'consents stay behind': ['clientId', 'grantedClientScopes', 'grantedRealmRoles', 'createdDate', 'lastUpdatedDate'],
  }),
}

export const USER: Table = {
  members: {
    ...allCarried('id', 'username', 'firstName', 'lastName', 'email', 'emailVerified', 'attributes', 'enabled'),
    ...allCarried('createdTimestamp', 'requiredActions', 'realmRoles', 'clientRoles', 'groups', 'notBefore'),
    ...allCarried('serviceAccountClientId', 'federationLink'),
    clientConsents: separate(CONSENT),
    credentials: separate(CREDENTIAL),
    federatedIdentities: separate(LINK),
    ...allIgnored({
      'the credentials say it': ['totp', 'disableableCredentialTypes'],
      'said with federationLink': ['origin'],
      'verifiable credentials are not issued': ['verifiableCredentials', 'issuedVerifiableCredentials'],
      'where the user is read': ['self', 'access', 'userProfileMetadata'],
    }),
  },
}
