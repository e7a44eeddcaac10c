/** Users as a resource: each operation is one commit of the modules, or nothing. */
import type { Call } from '../../access/call.ts'
import { addHuman, changeHuman, type HumanChange, prepareHuman } from '../../features/humans/index.ts'
import { checkMetadataKeys, type NewMetadata, setMetadata } from '../../features/metadata/index.ts'
import {
  type HumanUser,
  importState,
  isDeactivated,
  type LivingUser,
  manageUser,
  removeUser,
  setActive,
  userOfOrganization,
  userOfOrganizationToChange,
  userRefusals,
} from '../../features/users/index.ts'
import { refused } from '../../kernel/refusal.ts'
import type { Document, Work } from '../../store/index.ts'
import { patched } from '../patch.ts'
import {
  type IfMatch,
  preconditionFailed,
  type ResourceType,
  type ScimCall,
  type Shown,
  untilFirst,
} from '../resources.ts'
import { keyOf } from '../settings.ts'
import type { Resource } from '../values.ts'
import { allows } from '../versions.ts'
import { listUsers } from './list.ts'
import { attributesOf, type Before, EXTRA_NAMES, type WantedUser, wantedUser } from './mapping.ts'
import { USER } from './schema.ts'
import { shownNew, shownUser } from './shown.ts'
import { addedIn, keysOf, requireUnchanged, type StoredUser, withExtras } from './stored.ts'

const FIELDS = { prefix: '', outer: '', userName: 'userName' } as const
const VERIFIED = { type: 'known', isVerified: true } as const

/** Machine users are not what a directory knows. */
function humanOf(user: Document<LivingUser>): Document<HumanUser> {
  if (user.state.type !== 'human') throw refused(userRefusals, 'user.not_found')
  return user as Document<HumanUser>
}

async function stored({ app, settings }: ScimCall, user: Document<HumanUser>): Promise<StoredUser> {
  const [found] = await withExtras(app, settings, [user])
  if (found === undefined) throw refused(userRefusals, 'user.not_found')
  return found
}

async function storedOf(scim: ScimCall, id: string): Promise<StoredUser> {
  return stored(scim, humanOf(await userOfOrganization(scim.app, scim.call, id)))
}

/** The entries of metadata that differ from those that are there; an empty one is removed. */
function entriesOf({ settings }: ScimCall, wanted: WantedUser, before?: StoredUser): readonly NewMetadata[] {
  const pairs = [
    [settings.externalIdKey, wanted.externalId, before?.externalId] as const,
    ...EXTRA_NAMES.map((name) => [keyOf(name), wanted.extras.get(name), before?.extras.get(name)] as const),
  ]
  return pairs.flatMap(([key, text = '', was = '']) => (text === was ? [] : [{ key, value: Buffer.from(text) }]))
}

async function create(scim: ScimCall, given: Resource): Promise<Shown> {
  const { app, call, settings } = scim
  const { organizationId } = call
  const wanted = wantedUser(given)
  const metadata = entriesOf(scim, wanted)
  checkMetadataKeys(metadata, 'metadata')
  const { userName, profile, email, phone, isActive } = wanted
  const password = settings.ignoresPassword ? undefined : wanted.password
  const draft = {
    userName,
    profile,
    email: { address: email, verification: VERIFIED },
    phone: phone === '' ? undefined : { text: phone, verification: VERIFIED },
    metadata,
    ...(password !== undefined && {
      password: { password: { plain: password }, changeRequired: false, field: 'password' },
    }),
  }
  const prepared = await prepareHuman(app, organizationId, draft, FIELDS)
  const { value } = await app.store.write(call.origin, async (work) => {
    const { user } = await addHuman(app, work, prepared)
    await manageUser(work, user.id)
    if (isActive === false) await importState(app, work, user.id, 'inactive')
    return addedIn(
      work,
      settings,
      user.id,
      metadata.map(({ key }) => key),
    )
  })
  return shownNew(scim, value())
}

/** What differs from the user that is there. */
function changeOf(wanted: WantedUser, { state }: Document<HumanUser>): HumanChange {
  const { userName, profile, email, phone, password } = wanted
  return {
    userName: userName === state.userName ? undefined : userName,
    profile,
    email: email === state.email.address ? undefined : { address: email, verification: VERIFIED },
    phone: phone === (state.phone?.number ?? '') ? undefined : { text: phone, verification: VERIFIED },
    ...(password !== undefined && {
      password: { password: { plain: password }, changeRequired: false, field: 'password' },
    }),
  }
}

async function toChange(app: ScimCall['app'], call: Call, id: string): Promise<Document<HumanUser>> {
  humanOf(await userOfOrganization(app, call, id))
  return humanOf(await userOfOrganizationToChange(app, call, id))
}

type Check = (work: Work, written?: readonly NewMetadata[]) => Promise<void>

/** Runs a change of what was read; `check` throws in the write when that is no longer so. */
function withStored<Value>(
  scim: ScimCall,
  id: string,
  ifMatch: IfMatch,
  run: (before: StoredUser, check: Check) => Promise<Value>,
): Promise<Value> {
  return untilFirst(scim.app, id, async () => {
    const before = await stored(scim, await toChange(scim.app, scim.call, id))
    if (ifMatch !== undefined && !allows(ifMatch, before.version)) throw preconditionFailed()
    return run(before, (work, written = []) => {
      const keys = ifMatch === undefined ? written.map(({ key }) => key) : keysOf(scim.settings)
      return requireUnchanged(work, before, keys)
    })
  })
}

async function change(
  scim: ScimCall,
  id: string,
  ifMatch: IfMatch,
  next: (before: Before) => WantedUser,
): Promise<Shown> {
  const { app, call } = scim
  await withStored(scim, id, ifMatch, async (before, check) => {
    const { user } = before
    const resource = attributesOf(user.state, before.extras, before.externalId)
    const wanted = next({ resource, isInactive: isDeactivated(user.state) })
    const entries = entriesOf(scim, wanted, before)
    await changeHuman(app, call, user, changeOf(wanted, user), '', {
      first: (work) => check(work, entries),
      last: async (work) => {
        await manageUser(work, id)
        await setMetadata(work, { userId: id, organizationId: user.owner }, entries)
        if (wanted.isActive !== undefined) await setActive(app, work, id, wanted.isActive)
      },
    })
  })
  return shownUser(scim, await storedOf(scim, id))
}

export const userType: ResourceType = {
  schema: USER,
  needs: { read: 'user.read', create: 'user.write', write: 'user.write', remove: 'user.delete' },
  create,
  get: async (scim, id) => shownUser(scim, await storedOf(scim, id)),
  list: listUsers,
  replace: (scim, id, given, ifMatch) => change(scim, id, ifMatch, () => wantedUser(given)),
  patch: (scim, id, operations, ifMatch) =>
    change(scim, id, ifMatch, (before) => wantedUser(patched(USER, before.resource, operations), before)),
  remove: (scim, id, ifMatch) =>
    withStored(scim, id, ifMatch, async (_, check) => {
      const { app, call } = scim
      await removeUser(app, call.origin, id, ifMatch === undefined ? undefined : (work) => check(work))
    }),
}
