/** What is decided about each member of a user. */
import { allIgnored, carried, reported, restricts, separate, type Table } from '../members/table.ts'

const IDENTITY: Table = {
  members: {
    ...Object.fromEntries(['provider', 'connection', 'user_id'].map((name) => [name, carried])),
    ...allIgnored({
      'the type of the provider says it': ['isSocial'],
      'tokens and profiles of providers are not stored here': [
        'access_token',
        'access_token_secret',
        'refresh_token',
        'expires_in',
        'profileData',
      ],
    }),
  },
}

export const USER: Table = {
  members: {
    ...Object.fromEntries(
      [
        '_id',
        '_ID',
        'alt_id',
        'user_id',
        'email',
        'email_verified',
        'username',
        'given_name',
        'family_name',
        'name',
        'nickname',
        'locale',
        'phone_number',
        'phone_verified',
        'blocked',
        'created_at',
        'updated_at',
        'user_metadata',
        'app_metadata',
        'picture',
        'password_hash',
        'passwordHash',
        'custom_password_hash',
        'password_set_date',
        'last_password_reset',
        'mfa_factors',
        'multifactor',
        'multifactor_enrollments',
        'connection',
      ].map((name) => [name, carried]),
    ),
    identities: separate(IDENTITY),
    blocked_for: restricts('Blocks of single addresses stay behind.'),
    guardian_authenticators: reported(
      'Enrolled devices of Guardian stay behind: the user sets up a second factor again.',
    ),
    ...allIgnored({
      'what happened in Auth0': ['last_ip', 'last_login', 'logins_count', 'multifactor_last_modified'],
      'of Auth0': ['tenant', 'global_client_id', 'clientID', 'version', 'identifiers', '__tenant', 'migrated'],
      'names are carried': ['email_lower', 'name_lower', 'username_lower'],
    }),
  },
}
