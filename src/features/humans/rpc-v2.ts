/** The v2 methods that read users, and add and change human and machine users. */
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import type { Organisation } from '../../../contract/gen/signet/object/v2/object_pb.ts'
import type { AddHumanUserRequest } from '../../../contract/gen/signet/user/v2/human_pb.ts'
import type {
  CreateUserRequest,
  CreateUserRequest_Machine,
  UpdateUserRequest,
} from '../../../contract/gen/signet/user/v2/lifecycle_pb.ts'
import { AccessTokenType } from '../../../contract/gen/signet/user/v2/user_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import type { Call } from '../../access/call.ts'
import { type Implementation, type Method, methods } from '../../access/method.ts'
import { checkTogether, refused, type Violation, violationsOf } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import { detailsV2, listDetailsV2 } from '../../module/details.ts'
import { pageOf } from '../../module/paging.ts'
import type { Document, Filter, Work, Written } from '../../store/index.ts'
import { addMachine, changeMachine } from '../machines/index.ts'
import { requirePower } from '../memberships/index.ts'
import { checkMetadataKeys, type NewMetadata, setMetadata } from '../metadata/index.ts'
import { findOrganizationByDomain } from '../organizations/index.ts'
import {
  checkMachineTexts,
  checkNewMachine,
  checkUserName,
  filtersOfV2,
  type LivingUser,
  readHuman,
  requireHuman,
  requireOwnName,
  sortingOf,
  type User,
  type UserField,
  userForCaller,
  userRefusals,
  users,
  userToChange,
  userV2,
} from '../users/index.ts'
import { shownFactsOf } from './authentication-methods.ts'
import { changeOfHuman, draftOfCreated, draftOfHuman, fieldsOfHuman } from './drafts-v2.ts'
import { addHuman, type HumanDraft, linkSpeaker, prepareHuman, violationsOfDraft } from './handlers/add-human.ts'
import { changeHuman } from './handlers/change-human.ts'

/** The users that the caller may read: those of some organizations, and always the caller itself. */
function visibleTo(call: Call): readonly Filter<UserField>[] {
  const owners = call.visibleOwners()
  if (owners === 'all') return []
  return [
    {
      any: [
        { field: 'owner', in: owners },
        { field: 'id', equals: call.caller.userId },
      ],
    },
  ]
}

async function showAll(app: App, documents: readonly Document<User>[]) {
  const facts = await shownFactsOf(app, documents)
  return documents.map((document) => userV2(app, document, facts.get(document.id)))
}

/**
 * The organization in a request. An unknown domain is an empty ID, for which all callers are refused in the same way.
 */
async function organizationOf(app: App, organisation: Organisation | undefined, call: Call): Promise<string> {
  const { org } = organisation ?? { org: { case: undefined } }
  if (org.case === 'orgDomain' && org.value !== '') return (await findOrganizationByDomain(app, org.value)) ?? ''
  return (org.case === 'orgId' && org.value) || call.organizationId
}

async function addPrepared(app: App, call: Call, organizationId: string, draft: HumanDraft, prefix = '') {
  const fields = { ...fieldsOfHuman(), prefix }
  const given = { ...draft, linkSpeaker: linkSpeaker(app, call) }
  const prepared = await prepareHuman(app, organizationId, given, fields)
  const { value } = await app.store.write(call.origin, (work) => addHuman(app, work, prepared))
  return value
}

/** The codes that the caller asked for. */
function codesOf({ emailCode, phoneCode }: { emailCode?: string | undefined; phoneCode?: string | undefined }) {
  return { ...(emailCode !== undefined && { emailCode }), ...(phoneCode !== undefined && { phoneCode }) }
}

/** Implements AddHumanUser. It checks the permission before anything else, which imports rely on. */
export async function addHumanUser(app: App, request: AddHumanUserRequest, call: Call) {
  const organizationId = await organizationOf(app, request.organisation, call)
  call.authorize(organizationId)
  const { user, ...codes } = await addPrepared(app, call, organizationId, draftOfHuman(request))
  return { userId: user.id, details: detailsV2(user), ...codesOf(codes) }
}

function accessTokenTypeOf(type: AccessTokenType): 'jwt' | 'bearer' {
  return type === AccessTokenType.JWT ? 'jwt' : 'bearer'
}

function checksOfMachine(
  { userId, username: userName, metadata }: CreateUserRequest,
  { name, description = '' }: CreateUserRequest_Machine,
): readonly (() => void)[] {
  const fields = { userName: 'username', prefix: 'machine.' } as const
  return [
    () => checkNewMachine({ userId, userName, name, description }, fields),
    () => checkMetadataKeys(metadata, 'metadata'),
  ]
}

async function createMachine(app: App, call: Call, request: CreateUserRequest, given: CreateUserRequest_Machine) {
  await checkTogether(...checksOfMachine(request, given))
  const { organizationId, userId, username, metadata } = request
  const { name, description = '', accessTokenType } = given
  const machine = { userName: username, name, description, accessTokenType: accessTokenTypeOf(accessTokenType) }
  const { value } = await addMachine(app, call.origin, { userId, organizationId, machine }, (work, id) =>
    setMetadata(work, { userId: id, organizationId }, metadata),
  )
  return { id: value.id, creationDate: timestampFromMs(value.createdAt) }
}

/** The metadata of a new human, which existing clients give inside the human; throws when it is given in both places. */
function metadataOfCreated(outer: readonly NewMetadata[], inner: readonly NewMetadata[]): readonly NewMetadata[] {
  if (inner.length === 0) return outer
  if (outer.length === 0) return inner
  const violations = [{ field: 'human.metadata', description: 'must not be given together with metadata' }]
  throw refused(userRefusals, 'user.field_invalid', { violations })
}

async function createUser(app: App, request: CreateUserRequest, call: Call) {
  const { organizationId, userId, username, userType, metadata } = request
  call.authorize(organizationId)
  if (userType.case === 'human') {
    const entries = metadataOfCreated(metadata, userType.value.metadata)
    const draft = { ...draftOfCreated(userType.value), userId, userName: username, metadata: entries }
    const { user, ...codes } = await addPrepared(app, call, organizationId, draft, 'human.')
    return { id: user.id, creationDate: timestampFromMs(user.createdAt), ...codesOf(codes) }
  }
  if (userType.case === 'machine') return createMachine(app, call, request, userType.value)
  const violations = [{ field: 'userType', description: 'is required' }]
  throw refused(userRefusals, 'user.field_invalid', { violations })
}

/** The invalid fields of a CreateUser request, except what depends on settings. */
function violationsOfCreated(request: CreateUserRequest): readonly Violation[] {
  const { userId, username, userType, metadata } = request
  if (userType.case === 'human') {
    const draft = { ...draftOfCreated(userType.value), userId, userName: username, metadata }
    return violationsOfDraft(draft, { ...fieldsOfHuman(), prefix: 'human.' })
  }
  return userType.case === 'machine' ? violationsOf(...checksOfMachine(request, userType.value)) : []
}

/** The date of a change; where everything was as it should be, that of the last one. */
function dateOfChange(before: Document<LivingUser>, { at, hasChanged }: Written<unknown>) {
  return timestampFromMs(hasChanged ? at : before.changedAt)
}

async function updateUser(app: App, { userId, username, userType, metadata }: UpdateUserRequest, call: Call) {
  const user = await userToChange(app, call, userId)
  // Applications may decide by metadata what a user can do, so users cannot write their own without the permission.
  if (metadata.length > 0) await requirePower(app, call, 'user.write', user)
  checkMetadataKeys(metadata, 'metadata')
  const setEntries = (work: Work) => setMetadata(work, { userId, organizationId: user.owner }, metadata)
  if (userType.case === 'machine' || (userType.case === undefined && user.state.type === 'machine')) {
    const { name, description, accessTokenType } = userType.case === 'machine' ? userType.value : {}
    checkMachineTexts(name ?? '', description ?? '', 'machine.')
    if (username !== undefined) {
      requireOwnName(call, user, username)
      checkUserName('username', username)
    }
    const type = accessTokenType === undefined ? undefined : accessTokenTypeOf(accessTokenType)
    const change = { userName: username, name, description, accessTokenType: type }
    return { changeDate: dateOfChange(user, await changeMachine(app, call.origin, userId, change, setEntries)) }
  }
  const change = changeOfHuman({ ...userType.value, username }, 'human.')
  const written = await changeHuman(app, call, user, change, 'human.', { last: setEntries })
  return { changeDate: dateOfChange(user, written), ...codesOf(written.value) }
}

function userRpc(app: App): Implementation<typeof UserService> {
  return {
    async getUserByID({ userId }, call) {
      const document = await userForCaller(app, call, userId)
      const [user = {}] = await showAll(app, [document])
      return { details: detailsV2(document), user }
    },

    async listUsers({ query, sortingColumn, queries }, call) {
      const page = await app.store.find(users, {
        where: { all: [...visibleTo(call), ...filtersOfV2(queries, call.at)] },
        orderBy: sortingOf(sortingColumn),
        ...pageOf(query, 'query'),
      })
      return { details: listDetailsV2(page, call.at), sortingColumn, result: await showAll(app, page.documents) }
    },

    addHumanUser: (request, call) => addHumanUser(app, request, call),
    createUser: (request, call) => createUser(app, request, call),
    updateUser: (request, call) => updateUser(app, request, call),

    async humanMFAInitSkipped({ userId }, call) {
      requireHuman(await userToChange(app, call, userId))
      const { value } = await app.store.write(call.origin, async (work) => {
        await readHuman(work, userId)
        return work.decide(users, userId, { type: 'skip_mfa_init', at: call.at })
      })
      return { details: detailsV2(value) }
    },

    async updateHumanUser(request, call) {
      const user = await userToChange(app, call, request.userId)
      const { value } = await changeHuman(app, call, user, changeOfHuman(request), '')
      return { details: detailsV2(value.user), ...codesOf(value) }
    },
  }
}

/** The v2 methods that read users, and add and change them. */
export function humanMethodsV2(app: App): readonly Method[] {
  return methods(UserService, userRpc(app), {
    addHumanUser: (request) => violationsOfDraft(draftOfHuman(request), fieldsOfHuman()),
    createUser: violationsOfCreated,
  })
}
