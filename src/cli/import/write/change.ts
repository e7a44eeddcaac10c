/** Changes objects that are here to what the source has now, except users. */
import { followMember } from '../../../features/administrators/index.ts'
import {
  applicationKeys,
  followApplication,
  followApplicationSecret,
  importApplicationKey,
  keepApplicationKeys,
} from '../../../features/applications/index.ts'
import { followAuthorization } from '../../../features/authorizations/index.ts'
import { importExecutions } from '../../../features/executions/index.ts'
import { followGroup } from '../../../features/groups/index.ts'
import { followProvider, importProviderChoice } from '../../../features/identity-providers/index.ts'
import { followSmtpConfig } from '../../../features/mail/index.ts'
import { membershipIdIn } from '../../../features/memberships/index.ts'
import { followOrganization, importDomain, keepDomains } from '../../../features/organizations/index.ts'
import { followGrant, followProject, followRole, keepRoles } from '../../../features/projects/index.ts'
import { importNameScope } from '../../../features/settings/index.ts'
import { followSmsProvider } from '../../../features/sms/index.ts'
import { followTarget } from '../../../features/targets/index.ts'
import { hasPicture, setPicture } from '../../../features/users/index.ts'
import type { AnyDraft, ForeignKind } from '../draft.ts'
import { scopeOf, setEntry } from './belonging.ts'
import { changeHuman, changeMachine } from './change-user.ts'
import { projectSettings } from './organization.ts'
import { type ChangeDraft, ownerOf, tryPart } from './writing.ts'

type Changers = { readonly [Kind in ForeignKind]: ChangeDraft<Extract<AnyDraft, { readonly kind: Kind }>> }

const nothing = async () => {}

/** What is made anew by the writers in any case, such as most settings, needs nothing here. */
export const CHANGERS: Changers = {
  'token-key': nothing,
  'web-key': nothing,
  text: nothing,
  async organization({ work, draft, left }) {
    const { id, name, isActive, domains, hasScopedUserNames } = draft
    await followOrganization(work, { id, name, isActive })
    const kept = await keepDomains(work, id, domains)
    for (const domain of domains.filter(({ name }) => !kept.has(name))) {
      await tryPart(left, `The domain ${domain.name}`, () => importDomain(work, id, domain))
    }
    await importNameScope(work, id, { isScoped: hasScopedUserNames })
  },
  async settings({ app, work, draft }) {
    const { id, section } = draft
    if (section === 'smtp') {
      const { password = '', isActive: _, ...settings } = draft.values
      await followSmtpConfig(app, work, { id, settings, password })
    }
    if (section === 'sms' || section === 'twilio') await followSmsProvider(app, work, { id, ...draft.values })
  },
  async 'identity-provider'({ app, work, draft, left }) {
    const { id, clientSecret: secret = '', choices = [], ...rest } = draft
    await followProvider(app, work, { id, owner: ownerOf(app, draft), secret, ...rest })
    for (const choice of choices) {
      const { organizationId, isOffered } = choice
      await tryPart(left, `The choice of organization ${organizationId || 'of the instance'} to offer it`, () =>
        importProviderChoice(app, work, { id, owner: ownerOf(app, choice), isOffered }),
      )
    }
  },
  async project({ app, work, draft, left }) {
    const { id, isActive, roles } = draft
    await followProject(work, { id, settings: projectSettings(draft), isActive })
    await keepRoles(
      app,
      work,
      id,
      roles.map(({ key }) => key),
    )
    for (const role of roles) await tryPart(left, `The role ${role.key}`, () => followRole(work, draft, role))
  },
  'project-grant': ({ app, work, draft }) => followGrant(app, work, draft),
  human: changeHuman,
  machine: changeMachine,
  async application({ app, work, draft, left, dates }) {
    const { id, keys, secret } = draft
    await followApplication(app, work, draft)
    await tryPart(left, 'The secret', () => followApplicationSecret(app, work, draft, secret))
    const known = await keepApplicationKeys(
      app,
      work,
      id,
      keys.map((key) => key.id),
    )
    for (const key of keys.filter((one) => !known.has(one.id))) {
      dates(applicationKeys, key.id, { createdAt: key.createdAt, changedAt: key.createdAt })
      await tryPart(left, `The key ${key.id}`, () => importApplicationKey(work, draft, key))
    }
  },
  metadata: setEntry,
  async administrator(writing) {
    const { app, work, draft } = writing
    const { userId, roles } = draft
    await followMember(app, work, { membershipId: membershipIdIn(await scopeOf(writing), userId), roles })
  },
  authorization: ({ app, work, draft }) => followAuthorization(app, work, draft),
  async picture({ app, work, draft }) {
    const { of, objectId } = draft
    const bytes = Buffer.from(draft.bytes)
    if (of === 'user' && !(await hasPicture(work, objectId, bytes))) await setPicture(app, work, objectId, bytes)
  },
  group: ({ work, draft }) => followGroup(work, draft),
  'group-member': nothing,
  async target({ app, work, draft }) {
    const { id, settings, signingKey, publicKeys } = draft
    if (signingKey !== undefined) await followTarget(app, work, { id, settings, signingKey, publicKeys })
  },
  executions: ({ app, work, draft }) => importExecutions(app, work, draft.executions),
}
