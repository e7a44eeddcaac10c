/** What is decided about each member of a component: keys, directories, and the profile of users. */
import { allCarried, allIgnored, carried, ignored, part, separate, type Table } from '../members/table.ts'

const OWN = {
  'it is the only thing of its kind, or its name says it': ['id', 'parentId', 'subType'],
} as const

const KEY_CONFIG: Table = {
  closes: true,
  members: {
    ...allCarried('privateKey', 'ecdsaPrivateKey', 'eddsaPrivateKey', 'certificate', 'algorithm', 'keyUse', 'kid'),
    enabled: carried,
    ...allIgnored({
      'no key signs here, and those that only verify are published, too': ['active', 'priority'],
      'the key says it': [
        'keySize',
        'secretSize',
        'ecdsaEllipticCurveKey',
        'ecdsaPublicKey',
        'ecGenerateCertificate',
        'eddsaEllipticCurveKey',
        'eddsaPublicKey',
      ],
      'keys in a store of Java, and secrets, are not carried': [
        'keystore',
        'keystorePassword',
        'keystoreType',
        'keyAlias',
        'keyPassword',
        'secret',
      ],
    }),
  },
}

export const KEY: Table = {
  closes: true,
  members: {
    ...allCarried('name', 'providerId'),
    config: part(KEY_CONFIG),
    ...allIgnored({ ...OWN, 'a key has none': ['subComponents'] }),
  },
}

export const DIRECTORY: Table = {
  members: {
    name: carried,
    ...allIgnored({ ...OWN, 'no directory is carried': ['providerId', 'config', 'subComponents'] }),
  },
}

export const PROFILE: Table = {
  members: {
    config: part({ members: { 'kc.user.profile.config': carried } }),
    ...allIgnored({ ...OWN, 'a realm has one': ['name', 'providerId', 'subComponents'] }),
  },
}

export const COMPONENTS: Table = {
  members: {
    'org.keycloak.keys.KeyProvider': separate(KEY),
    'org.keycloak.storage.UserStorageProvider': separate(DIRECTORY),
    'org.keycloak.userprofile.UserProfileProvider': separate(PROFILE),
    'org.keycloak.services.clientregistration.policy.ClientRegistrationPolicy': ignored(
      'clients cannot register themselves in what a realm becomes',
    ),
  },
}
