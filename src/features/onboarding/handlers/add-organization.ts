/** Adds an organization with its administrators, existing or new users, all or nothing. */
import type { Call } from '../../../access/call.ts'
import { ORGANIZATION_OWNER } from '../../../kernel/role.ts'
import type { App } from '../../../module/app.ts'
import type { Document, Work, Written } from '../../../store/index.ts'
import { addMemberTo } from '../../administrators/index.ts'
import { addHuman, type DraftFields, type HumanDraft, prepareHuman } from '../../humans/index.ts'
import {
  checkedDomain,
  checkNewOrganization,
  freeDomain,
  type Organization,
  organizations,
} from '../../organizations/index.ts'

/** An existing user, or a new user of the organization. */
export type NewAdministrator = { readonly roles: readonly string[] } & (
  | { readonly userId: string }
  | { readonly human: HumanDraft; readonly fields: DraftFields }
)

export interface NewOrganization {
  readonly name: string
  /** Chosen by the caller; otherwise generated. */
  readonly id?: string | undefined
  /** A domain that takes effect only after verification, and its field in the request. */
  readonly domain?: { readonly name: string; readonly field: string } | undefined
  /** Defaults to the caller. An administrator without roles becomes an owner. */
  readonly administrators?: readonly NewAdministrator[]
}

/** A user who was added together with the organization. */
export interface CreatedAdministrator {
  readonly userId: string
  readonly emailCode?: string | undefined
  readonly phoneCode?: string | undefined
}

export interface AddedOrganization {
  readonly organization: Document<Organization>
  readonly created: readonly CreatedAdministrator[]
}

/** Checks a user before anything is written. The result adds the user as part of the write. */
async function prepareAdministrator(app: App, human: HumanDraft, fields: DraftFields) {
  // A new organization has the settings of the instance.
  const prepared = await prepareHuman(app, app.instanceId, human, fields)
  return async (work: Work, organizationId: string): Promise<CreatedAdministrator> => {
    const { user, emailCode, phoneCode } = await addHuman(app, work, { ...prepared, organizationId })
    return { userId: user.id, emailCode, phoneCode }
  }
}

/** Adds an organization and its administrators. */
export async function addOrganization(
  app: App,
  call: Call,
  { name, id: chosenId, domain: asked, administrators = [] }: NewOrganization,
): Promise<Written<AddedOrganization>> {
  await checkNewOrganization(app, app.store, { id: chosenId, name })
  const toProve = asked && checkedDomain(asked.name, asked.field)
  const first = administrators.length > 0 ? administrators : [{ userId: call.caller.userId, roles: [] }]
  const prepared = await Promise.all(
    first.map(async (one) => ({
      roles: one.roles.length > 0 ? one.roles : [ORGANIZATION_OWNER],
      ...('human' in one ? { add: await prepareAdministrator(app, one.human, one.fields) } : { userId: one.userId }),
    })),
  )
  return app.store.write(call.origin, async (work) => {
    const id = chosenId ?? (await work.unusedId(organizations, app.newId))
    const domain = await freeDomain(app, { id, name })
    const created: CreatedAdministrator[] = []
    const added = await work.decide(organizations, id, { type: 'add', name, domain }, id)
    const organization =
      toProve === undefined ? added : await work.decide(organizations, id, { type: 'add_domain', domain: toProve }, id)
    for (const { roles, ...one } of prepared) {
      const user = 'add' in one ? await one.add(work, id) : undefined
      if (user !== undefined) created.push(user)
      const userId = 'userId' in one ? one.userId : (user?.userId ?? '')
      await addMemberTo(app, work, call, { scope: { level: 'organization', id }, userId, roles })
    }
    work.putLast(organizations, id)
    return { organization, created }
  })
}
