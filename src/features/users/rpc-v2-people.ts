/** Adding and changing people and machines in the v2 service. */
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import type { Organisation } from '../../../contract/gen/signet/object/v2/object_pb.ts'
import type { UpdateUserRequest } from '../../../contract/gen/signet/user/v2/lifecycle_pb.ts'
import { AccessTokenType } from '../../../contract/gen/signet/user/v2/user_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import type { Call } from '../../access/call.ts'
import { detailsV2 } from '../../access/details.ts'
import { type Implementation, type Method, methods } from '../../access/method.ts'
import { accessRefusals } from '../../access/refusals.ts'
import { refused } from '../../kernel/refusal.ts'
import type { Document, Work } from '../../store/index.ts'
import { checkMetadataKeys, setMetadata } from '../metadata/index.ts'
import { findOrganizationByDomain } from '../organizations/index.ts'
import { addUserTo, checkMachineTexts, checkUserId, checkUserName } from './adding.ts'
import { addHuman, type HumanDraft, prepareHuman } from './adding-humans.ts'
import {
  type ChangedHuman,
  changeHuman,
  checkHumanChange,
  checkNewUserName,
  checkVerifications,
  type HumanChange,
  renameUser,
  requireHuman,
} from './changing-humans.ts'
import { users } from './documents.ts'
import {
  draftOfCreated,
  draftOfHuman,
  emailOf,
  fieldsOfHuman,
  phoneOf,
  profileOf,
  replacedPasswordOf,
} from './drafts-v2.ts'
import { userForCaller } from './finding.ts'
import type { ReplacedPassword, UsersNeeds } from './needs.ts'
import { userRefusals } from './refusals.ts'
import type { LivingUser } from './state.ts'

function accessTokenTypeOf(type: AccessTokenType) {
  return type === AccessTokenType.JWT ? 'jwt' : 'bearer'
}

function present<Name extends string>(name: Name, code: string | undefined) {
  return (code === undefined ? {} : { [name]: code }) as { readonly [N in Name]?: string }
}

function peopleRpc(needs: UsersNeeds): Implementation<typeof UserService> {
  const { store, newId } = needs

  /** The organization that a request names; who may not look everywhere is not told that there is none. */
  const organizationOf = async (organisation: Organisation | undefined, call: Call): Promise<string> => {
    const { org } = organisation ?? { org: { case: undefined } }
    if (org.case === 'orgDomain' && org.value !== '') return (await findOrganizationByDomain(store, org.value)) ?? ''
    return (org.case === 'orgId' && org.value) || call.organizationId
  }

  const addPerson = async (call: Call, organizationId: string, draft: HumanDraft, prefix = '') => {
    const fields = { ...fieldsOfHuman(), prefix }
    const prepared = await prepareHuman(needs, organizationId, draft, fields)
    const { value, sequence } = await store.write(call.origin, (work) => addHuman(needs, work, prepared))
    return { ...value, sequence }
  }

  /** Changes a person, all that is given in one commit. */
  const changePerson = async (
    call: Call,
    user: Document<LivingUser>,
    change: HumanChange,
    password: ReplacedPassword | undefined,
    prefix: string,
    more: (work: Work) => Promise<void> = async () => {},
  ) => {
    const human = requireHuman(user)
    const verifications = [change.email, change.phone].flatMap((one) => (one === undefined ? [] : [one.verification]))
    if (verifications.length > 0) await checkVerifications(needs, call, human, verifications)
    checkNewUserName(change.userName)
    checkHumanChange(needs, change, prefix)
    const setPassword = password && (await needs.passwords.prepareChange(password, call, human))
    return store.write(call.origin, async (work) => {
      const changed = await changeHuman(needs, work, user.id, change, setPassword)
      await more(work)
      return changed
    })
  }

  const changeMachine = (
    call: Call,
    user: Document<LivingUser>,
    { username, userType }: UpdateUserRequest,
    more: (work: Work) => Promise<void>,
  ) => {
    checkNewUserName(username)
    const given = userType.case === 'machine' ? userType.value : undefined
    return store.write(call.origin, async (work): Promise<ChangedHuman | undefined> => {
      const before = await work.read(users, user.id)
      if (before === undefined) throw refused(userRefusals, 'user.not_found')
      if (before.state.status === 'unknown' || before.state.status === 'removed' || before.state.type !== 'machine') {
        throw refused(userRefusals, 'user.not_machine')
      }
      if (username !== undefined) await renameUser(needs, work, before, username)
      const { name, description, accessTokenType } = before.state
      const type = given?.accessTokenType === undefined ? accessTokenType : accessTokenTypeOf(given.accessTokenType)
      const profile = {
        name: given?.name ?? name,
        description: given?.description ?? description,
        accessTokenType: type,
      }
      const isSame = profile.name === name && profile.description === description && type === accessTokenType
      if (!isSame) await work.decide(users, user.id, { type: 'change_machine', ...profile })
      await more(work)
      return undefined
    })
  }

  return {
    async addHumanUser(request, call) {
      const organizationId = await organizationOf(request.organisation, call)
      call.authorize(organizationId)
      const { user, emailCode, phoneCode, sequence } = await addPerson(call, organizationId, draftOfHuman(request))
      return {
        userId: user.id,
        details: detailsV2(user, sequence),
        ...present('emailCode', emailCode),
        ...present('phoneCode', phoneCode),
      }
    },

    async createUser({ organizationId, userId, username, userType, metadata }, call) {
      call.authorize(organizationId)
      if (userType.case === 'human') {
        const draft = { ...draftOfCreated(userType.value), userId, userName: username, metadata }
        const { user, emailCode, phoneCode } = await addPerson(call, organizationId, draft, 'human.')
        return {
          id: user.id,
          creationDate: timestampFromMs(user.createdAt),
          ...present('emailCode', emailCode),
          ...present('phoneCode', phoneCode),
        }
      }
      if (userType.case === undefined) {
        const violations = [{ field: 'userType', description: 'is required' }]
        throw refused(userRefusals, 'user.field_invalid', { violations })
      }
      const { name, description = '', accessTokenType } = userType.value
      const id = userId ?? newId()
      const userName = username ?? id
      checkUserId(id)
      checkUserName('username', userName)
      checkMachineTexts(name, description, 'machine.')
      checkMetadataKeys(metadata, 'metadata')
      const command = {
        type: 'add_machine',
        userName,
        name,
        description,
        accessTokenType: accessTokenTypeOf(accessTokenType),
      } as const
      const { value } = await store.write(call.origin, async (work) => {
        const added = await addUserTo(store, work, { userId: id, organizationId, command })
        await setMetadata(work, { userId: id, organizationId }, metadata)
        return added
      })
      return { id, creationDate: timestampFromMs(value.createdAt) }
    },

    async updateHumanUser({ userId, username, profile, email, phone, password }, call) {
      const user = await userForCaller(store, call, userId)
      const change = {
        userName: username,
        profile: profile && profileOf(profile),
        email: email && emailOf(email),
        phone: phone && phoneOf(phone),
      }
      const given = replacedPasswordOf(password, 'password.')
      const { value, sequence } = await changePerson(call, user, change, given, '')
      return {
        details: detailsV2(value.user, sequence),
        ...present('emailCode', value.emailCode),
        ...present('phoneCode', value.phoneCode),
      }
    },

    async updateUser(request, call) {
      const { userId, username, userType, metadata } = request
      const user = await userForCaller(store, call, userId)
      // Nobody gives metadata a meaning but callers: what it lets a user do is not for the user to say.
      if (metadata.length > 0 && !call.may('user.write', user.owner)) throw refused(accessRefusals, 'access.forbidden')
      checkMetadataKeys(metadata, 'metadata')
      const setEntries = (work: Work) => setMetadata(work, { userId, organizationId: user.owner }, metadata)
      if (userType.case === 'machine' || (userType.case === undefined && user.state.type === 'machine')) {
        const { name = 'kept', description = '' } = userType.case === 'machine' ? userType.value : {}
        checkMachineTexts(name, description, 'machine.')
        const { at } = await changeMachine(call, user, request, setEntries)
        return { changeDate: timestampFromMs(at) }
      }
      const { profile, email, phone, password } = userType.value ?? {}
      const change = {
        userName: username,
        profile: profile && profileOf(profile),
        email: email && emailOf(email),
        phone: phone && phoneOf(phone),
      }
      const given = replacedPasswordOf(password, 'human.password.')
      const { value, at } = await changePerson(call, user, change, given, 'human.', setEntries)
      return {
        changeDate: timestampFromMs(at),
        ...present('emailCode', value.emailCode),
        ...present('phoneCode', value.phoneCode),
      }
    },
  }
}

/** The methods that add and change users. */
export function peopleMethodsV2(needs: UsersNeeds): readonly Method[] {
  return methods(UserService, peopleRpc(needs))
}
