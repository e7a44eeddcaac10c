/** Drafts as a reader of another product would yield them. */
import { hashSync } from '@node-rs/bcrypt'
import type {
  AnyDraft,
  ApplicationDraft,
  CarriedHuman,
  MachineDraft,
  OrganizationDraft,
  Remark,
  Source,
} from '../../src/cli/import/draft.ts'
import { NEVER } from '../../src/features/machines/index.ts'
import type { ProjectDraft } from '../../src/features/projects/index.ts'
import { instant } from '../../src/kernel/instant.ts'
import type { Draft } from '../../src/module/carried.ts'

export const CREATED = instant(Date.UTC(2020, 1, 2))
export const CHANGED = instant(Date.UTC(2021, 2, 3))
/** Ids of 17 digits, as the other product gave out until 2021. */
export const ORGANIZATION = '11111111111111111'
export const PASSWORD = 'Correct horse 7 battery'
export const SECRET = 'a-secret-of-a-client-that-has-sixty-four-characters-or-thereabout'

export const dates = { createdAt: CREATED, changedAt: CHANGED } as const

/** The hash of a client secret, at the lowest cost. */
export function cheapHash(secret: string): string {
  return hashSync(secret, 4)
}

export function organizationDraft(more: Partial<OrganizationDraft> = {}): OrganizationDraft {
  return {
    ...dates,
    kind: 'organization',
    id: ORGANIZATION,
    organizationId: ORGANIZATION,
    name: 'Moved In',
    isActive: true,
    isDefault: false,
    domains: [],
    hasScopedUserNames: false,
    ...more,
  }
}

export function projectDraft(more: Partial<ProjectDraft> = {}): ProjectDraft {
  return {
    ...dates,
    kind: 'project',
    id: '22222222222222222',
    organizationId: ORGANIZATION,
    name: 'Shop',
    isActive: true,
    checksRoles: true,
    checksGrants: false,
    assertsRoles: true,
    privateLabeling: 'unspecified',
    roles: [{ key: 'seller', displayName: 'Seller', group: '' }],
    ...more,
  }
}

export function humanDraft(more: Partial<CarriedHuman> = {}): CarriedHuman {
  return {
    ...dates,
    kind: 'human',
    id: '33333333333333333',
    organizationId: ORGANIZATION,
    userName: 'ada',
    state: 'active',
    profile: { firstName: 'Ada', lastName: 'Lovelace', preferredLanguage: 'en' },
    email: { address: 'ada@moved.example', isVerified: true },
    otpEmail: false,
    otpSms: false,
    recoveryCodes: [],
    passkeys: [],
    links: [],
    ...more,
  }
}

export function machineDraft(more: Partial<MachineDraft> = {}): MachineDraft {
  return {
    ...dates,
    kind: 'machine',
    id: '44444444444444444',
    organizationId: ORGANIZATION,
    userName: 'robot',
    state: 'active',
    name: 'Robot',
    description: '',
    accessTokenType: 'bearer',
    keys: [],
    tokens: [],
    ...more,
  }
}

export function applicationDraft(more: Partial<ApplicationDraft> = {}): ApplicationDraft {
  return {
    ...dates,
    kind: 'application',
    id: '55555555555555555',
    organizationId: ORGANIZATION,
    projectId: '22222222222222222',
    name: 'Web shop',
    isActive: true,
    clientId: '55555555555555556@shop',
    keys: [],
    config: { type: 'api', authMethod: 'basic' },
    ...more,
  }
}

export { NEVER }

/** A source that has these drafts and remarks. */
export function sourceOf<D extends Draft = AnyDraft>(
  drafts: readonly (D | { readonly remark: Remark })[],
  name = 'elsewhere',
): Source<D> {
  return {
    name,
    async *read() {
      yield* drafts
    },
  }
}
