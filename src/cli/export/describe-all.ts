/** Which kinds of documents an export describes, in which order, and which it leaves out. */
import type { AnyDraft } from '../import/draft.ts'
import * as organizations from './organizations.ts'
import * as people from './people.ts'
import type { Reading } from './reading.ts'
import * as settings from './settings.ts'

type Describe = (reading: Reading) => AsyncGenerator<AnyDraft>

/** In the order in which a reader writes them: `DRAFT_KINDS`. */
function described(defaultOrganizationId: string): readonly Describe[] {
  return [
    settings.describeTokenKeys,
    settings.describeWebKeys,
    settings.describeSamlKeys,
    (reading) => organizations.describeOrganizations(reading, defaultOrganizationId),
    settings.describeAssets,
    settings.describeSettings,
    settings.describeTexts,
    settings.describeProviders,
    settings.describeProviderChoices,
    organizations.describeProjects,
    organizations.describeProjectGrants,
    people.describeHumans,
    people.describeMachines,
    people.describeGroups,
    people.describeGroupMembers,
    people.describeGroupMetadata,
    people.describePasskeys,
    people.describeLinks,
    people.describeTokens,
    people.describeMachineKeys,
    organizations.describeApplications,
    organizations.describeApplicationKeys,
    organizations.describeRegisteredClients,
    organizations.describeResources,
    organizations.describeMetadata,
    people.describeAdministrators,
    people.describeAuthorizations,
    people.describeConsents,
    people.describeApprovals,
    settings.describeTargets,
    settings.describeExecutions,
    settings.describeWebhooks,
  ]
}

/** Everything of an instance. */
export async function* describeAll(reading: Reading, defaultOrganizationId: string): AsyncGenerator<AnyDraft> {
  for (const describe of described(defaultOrganizationId)) yield* describe(reading)
}

const SIGN_IN_AGAIN = 'Who is signed in signs in once more.'
const ENDS_TOKENS = 'It ends tokens of sign-ins, which are not carried.'
const UNDER_WAY = 'It lasts minutes; what was under way is begun again.'
const STATISTICS = 'What happened before stays in the log of the old database.'

/** The kinds of documents that an export leaves out, and why. Every other kind is in it: a test compares them all. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  'node-lease': 'The numbers of running processes.',
  'key-ring': 'Secrets are in the export; the new database seals them with a key of its own.',
  'setup-code': 'A link for the first administrator; signet setup-link makes another one.',
  'inbox-mail': 'The development inbox.',
  verification: 'Codes and links in mails; they are sent again.',
  attempts: 'Wrong attempts are counted anew.',
  notices: 'When somebody was last told of something.',
  'passkey-registration': UNDER_WAY,
  intent: UNDER_WAY,
  'intent-retirement': UNDER_WAY,
  session: SIGN_IN_AGAIN,
  'session-retirement': SIGN_IN_AGAIN,
  grant: 'Refresh tokens and opaque access tokens end. Who is signed in signs in once more.',
  'grant-retirement': SIGN_IN_AGAIN,
  'token-generation': ENDS_TOKENS,
  'user-token-generation': ENDS_TOKENS,
  'organization-token-generation': ENDS_TOKENS,
  'authorization-request': UNDER_WAY,
  'authorization-request-retirement': UNDER_WAY,
  'pushed-request': UNDER_WAY,
  'device-authorization': UNDER_WAY,
  'used-assertion': UNDER_WAY,
  'backchannel-request': UNDER_WAY,
  'trusted-transmitter': 'Its token and its address are those of this server: it is trusted anew.',
  'signal-stream': 'Its receiver creates it again: the address of the server and the positions are others.',
  'saml-request': UNDER_WAY,
  'saml-logout': UNDER_WAY,
  'saml-logout-retirement': UNDER_WAY,
  'import-mark': 'How far another product was followed: the new database follows nobody.',
  'registration-token': 'It lasts a day: make another one.',
  'registration-share': 'Registrations of the current hour are counted anew.',
  'registered-client-retirement': 'A record of registrations that have ended.',
  'sign-in': STATISTICS,
  'sign-in-tally': STATISTICS,
  'sign-in-retirement': STATISTICS,
  'sign-in-tally-retirement': STATISTICS,
  'refused-request': STATISTICS,
  'refused-request-retirement': STATISTICS,
}
