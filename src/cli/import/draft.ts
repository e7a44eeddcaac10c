/**
 * What a reader of another product yields: an object as it is there now, in our words and with its own ID and dates. One
 * writer passes drafts to the modules, in the order of `OBJECT_ORDER`, so that whatever a draft names is there already.
 * Secrets are in the clear, or hashes as the source stores them; the writer seals them.
 */
import type { JsonObject } from '@bufbuild/protobuf'
import type { AdministratorDraft } from '../../features/administrators/index.ts'
import type { ApplicationDraft } from '../../features/applications/index.ts'
import type { AuthorizationDraft } from '../../features/authorizations/index.ts'
import type { ExecutionsDraft } from '../../features/executions/index.ts'
import type { GroupDraft, GroupMemberDraft, GroupMetadataDraft } from '../../features/groups/index.ts'
import type { CarriedHuman } from '../../features/humans/index.ts'
import type { IdentityProviderDraft } from '../../features/identity-providers/index.ts'
import type { RestoredInstance } from '../../features/instances/index.ts'
import type { MachineDraft, TokenKeyDraft } from '../../features/machines/index.ts'
import type { SmtpSettings, TextType } from '../../features/mail/index.ts'
import type { OrganizationDraft } from '../../features/onboarding/index.ts'
import type { ProjectDraft, ProjectGrantDraft } from '../../features/projects/index.ts'
import type { CarriedSections, ResettableSection } from '../../features/settings/index.ts'
import type { TwilioAccount } from '../../features/sms/index.ts'
import type { TargetDraft } from '../../features/targets/index.ts'
import type { WebKeyDraft } from '../../features/web-keys/index.ts'
import type { Todo } from '../../kernel/import-report.ts'
import type { Draft } from '../../module/carried.ts'

export type { AdministratorDraft } from '../../features/administrators/index.ts'
export type { ApplicationDraft } from '../../features/applications/index.ts'
export type { CarriedHuman } from '../../features/humans/index.ts'
export type { IdentityProviderDraft } from '../../features/identity-providers/index.ts'
export type { MachineDraft } from '../../features/machines/index.ts'
export type { OrganizationDraft } from '../../features/onboarding/index.ts'
export type { PasskeyDraft } from '../../features/passkeys/index.ts'
export type { KeyDraft } from '../../module/carried.ts'

/** A webhook that messages are posted to. */
interface WebhookValues {
  readonly endpoint: string
  readonly description: string
  readonly signingKey: string
  readonly isActive: boolean
}

/** The values of each section of settings, in the words of the module that keeps them. What is missing is as built in. */
export interface SettingsValues extends CarriedSections {
  /** `apiProjectId`: the project that stands for the API of the source; our own answers to that ID, too. */
  readonly instance: {
    readonly name: string
    readonly apiProjectId?: string
    readonly defaultOrganizationId?: string
  }
  readonly smtp: SmtpSettings & { readonly password?: string; readonly isActive: boolean }
  readonly sms: WebhookValues
  readonly emailWebhook: WebhookValues
  readonly twilio: TwilioAccount & { readonly token: string; readonly isActive: boolean }
}

type SettingsSection = keyof SettingsValues

/** The ID is that of the mail server or text message provider; otherwise the name of the section. */
export type SettingsDraft = {
  readonly [Section in SettingsSection]: Draft<'settings'> & {
    readonly section: Section
    readonly values: SettingsValues[Section]
  }
}[SettingsSection]

/** Texts in one language: of the hosted pages, of one type of mail, or of a separate login app. */
export interface TextDraft extends Draft<'text'> {
  readonly target: 'page' | 'mail' | 'login-app'
  /** Of a mail. */
  readonly messageType?: TextType
  readonly language: string
  /** By the key of the text or the part of the mail; in a login app the names of groups come first, with dots between. */
  readonly texts: Readonly<Record<string, string>>
  /** Of a login app, instead of the texts: as it has set them. */
  readonly translations?: JsonObject
}

export interface MetadataDraft extends Draft<'metadata'> {
  readonly of: 'organization' | 'user'
  readonly objectId: string
  readonly key: string
  /** Base64. */
  readonly value: string
}

export interface PictureDraft extends Draft<'picture'> {
  readonly of: 'user' | 'logo' | 'logo-dark' | 'icon' | 'icon-dark' | 'font'
  readonly objectId: string
  readonly mediaType: string
  readonly bytes: Uint8Array
}

/** The order in which drafts are written whose kinds do not yet say by themselves what must be there before. */
export const DRAFT_KINDS = ['settings', 'text', 'metadata', 'picture'] as const

/** Of kinds that say by themselves how they are carried: what readers of other products yield. */
export type CarriedDraft =
  | IdentityProviderDraft
  | OrganizationDraft
  | CarriedHuman
  | AdministratorDraft
  | MachineDraft
  | ApplicationDraft
  | TokenKeyDraft
  | WebKeyDraft
  | ProjectDraft
  | ProjectGrantDraft
  | GroupDraft
  | GroupMemberDraft
  | GroupMetadataDraft
  | AuthorizationDraft
  | TargetDraft
  | ExecutionsDraft

export type AnyDraft = CarriedDraft | SettingsDraft | TextDraft | MetadataDraft | PictureDraft

/** What is not carried, or only in part. It is in the report, never dropped silently. */
export interface Remark {
  readonly kind: string
  readonly id: string
  /** One sentence: what stays behind, and why. */
  readonly reason: string
  /** Whether an administrator must decide something before people sign in, and on which page of the console. */
  readonly toDecide?: { readonly todo: Todo; readonly page: string }
}

/** One source, read as it is now. */
export interface Source<D extends Draft = AnyDraft> {
  /** `zitadel`, `keycloak`, `auth0`: what the event says about where an object came from. */
  readonly name: string
  /** The instance that an empty database becomes. */
  readonly instance?: RestoredInstance
  /** The issuer and the RP ID of the source, where they are known. */
  readonly issuer?: string
  /** How many drafts there are, for the remaining time; where it can be told quickly. */
  count?(): Promise<number | undefined>
  /** Everything, in the order of `OBJECT_ORDER`. It may be read more than once: for the dry run, and for the import. */
  read(): AsyncIterable<D | { readonly remark: Remark }>
  /** For a source that keeps changing. */
  readonly changes?: ChangingSource
  /** Closes what it has opened. */
  close?(): Promise<void>
}

/** What is no longer in the source, by what its draft had. What hangs on it goes with it. */
export type Removal =
  | {
      readonly kind: Exclude<
        AnyDraft['kind'],
        'metadata' | 'administrator' | 'settings' | 'text' | 'picture' | 'group-member' | 'group-metadata'
      >
      readonly id: string
    }
  | Pick<GroupMemberDraft, 'kind' | 'id' | 'groupId' | 'userId'>
  | Pick<MetadataDraft, 'kind' | 'id' | 'of' | 'objectId' | 'key'>
  | Pick<AdministratorDraft, 'kind' | 'id' | 'level' | 'objectId' | 'userId'>
  | (Pick<TextDraft, 'kind' | 'id' | 'organizationId' | 'target' | 'language'> & { readonly messageType?: TextType })
  | Pick<PictureDraft, 'kind' | 'id' | 'of' | 'objectId' | 'organizationId'>
  | (Pick<SettingsDraft, 'kind' | 'id' | 'organizationId'> & { readonly section: ResettableSection })

/** A source that is still in use while it is read. */
export interface ChangingSource {
  /** Which of the sources of this product it is: a mark is one of it only. */
  readonly id: string
  /** Where the last read began: what happened from then on is read from there. Undefined before the first. */
  mark(): string | undefined
  /** What is different from what was read at a mark: removals, and each changed object as it is now. */
  read(since: string): AsyncIterable<AnyDraft | { readonly remark: Remark } | { readonly removed: Removal }>
  /** What is taken over at the cut-over only, because from then on others are told of what happens here: all executions. */
  readLast(): AsyncIterable<AnyDraft | { readonly remark: Remark } | { readonly removed: Removal }>
  /** How many events are newer than the mark: 0 when nothing happens any more. */
  behind(since: string): Promise<number>
  /** Whether somebody is writing right now, as far as that can be seen. */
  isWritten(): Promise<boolean>
}
