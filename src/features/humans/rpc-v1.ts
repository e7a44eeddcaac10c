/** The v1 methods that add human users and read users: those of one organization, and the caller itself. */
import { AuthService } from '../../../contract/gen/signet/auth/v1/auth_pb.ts'
import type { AddHumanUserRequest } from '../../../contract/gen/signet/management/v1/human_pb.ts'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { Gender as GenderV1 } from '../../../contract/gen/signet/user/v1/user_pb.ts'
import { type Implementation, type Method, methods } from '../../access/method.ts'
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import { detailsV1, listDetailsV1 } from '../../module/details.ts'
import { pageOf } from '../../module/paging.ts'
import type { Document } from '../../store/index.ts'
import {
  filtersOfV1,
  findByLoginName,
  genders,
  sortingOf,
  type User,
  userOfCaller,
  userOfOrganization,
  userRefusals,
  users,
  userV1,
} from '../users/index.ts'
import { shownFactsOf } from './authentication-methods.ts'
import { verificationV1 } from './contact.ts'
import { addHuman, type GivenPassword, type HumanDraft, prepareHuman } from './handlers/add-human.ts'

async function showAll(app: App, documents: readonly Document<User>[]) {
  const facts = await shownFactsOf(app, documents)
  return documents.map((document) => userV1(app, document, facts.get(document.id)))
}

async function showOne(app: App, document: Document<User>) {
  return (await showAll(app, [document]))[0] ?? {}
}

/** What the v1 requests say about a new human user; their messages have the same members. */
type HumanMessage = Pick<AddHumanUserRequest, 'userName'> & {
  readonly profile?: Omit<NonNullable<AddHumanUserRequest['profile']>, '$typeName'> | undefined
  readonly email?: Omit<NonNullable<AddHumanUserRequest['email']>, '$typeName'> | undefined
  readonly phone?: Omit<NonNullable<AddHumanUserRequest['phone']>, '$typeName'> | undefined
}

/** The human user of a v1 request. Without a password, the user is invited to set one. */
export function draftOfHumanV1(
  { userName, profile, email, phone }: HumanMessage,
  password: GivenPassword | undefined,
): HumanDraft {
  const { gender, ...texts } = profile ?? { gender: GenderV1.UNSPECIFIED }
  return {
    userName,
    profile: { ...texts, gender: genders.read(gender) },
    email: { address: email?.email ?? '', verification: verificationV1(email?.isEmailVerified === true) },
    phone: phone && { text: phone.phone, verification: verificationV1(phone.isPhoneVerified) },
    password,
    needsSetUp: password === undefined,
  }
}

function managementRpc(app: App): Implementation<typeof ManagementService> {
  return {
    async addHumanUser({ userName, profile, email, phone, initialPassword }, call) {
      const password =
        initialPassword === ''
          ? undefined
          : { password: { plain: initialPassword }, changeRequired: true, field: 'initialPassword' }
      const draft = draftOfHumanV1({ userName, profile, email, phone }, password)
      const fields = { prefix: '', outer: '', userName: 'userName' } as const
      const prepared = await prepareHuman(app, call.organizationId, draft, fields)
      const { value } = await app.store.write(call.origin, (work) => addHuman(app, work, prepared))
      return { userId: value.user.id, details: detailsV1(value.user) }
    },

    async getUserByID({ id }, call) {
      return { user: await showOne(app, await userOfOrganization(app, call, id)) }
    },

    async getUserByLoginNameGlobal({ loginName }, call) {
      const user = await findByLoginName(app, loginName)
      if (user === undefined) throw refused(userRefusals, 'user.not_found')
      // Enough to make them a member; the rest is for those who may read users there.
      if (!call.may('user.read', user.owner)) return { user: { id: user.id, details: { resourceOwner: user.owner } } }
      return { user: await showOne(app, user) }
    },

    async listUsers({ query, sortingColumn, queries }, call) {
      const page = await app.store.find(users, {
        where: { all: [{ field: 'owner', equals: call.organizationId }, ...filtersOfV1(queries, call.at)] },
        orderBy: sortingOf(sortingColumn),
        ...pageOf(query, 'query'),
      })
      return { details: listDetailsV1(page, call.at), sortingColumn, result: await showAll(app, page.documents) }
    },
  }
}

function authRpc(app: App): Implementation<typeof AuthService> {
  return {
    async getMyUser(_, call) {
      return { user: await showOne(app, await userOfCaller(app, call)) }
    },
  }
}

/** The v1 methods that add human users and read users. */
export function humanMethodsV1(app: App): readonly Method[] {
  return [...methods(ManagementService, managementRpc(app)), ...methods(AuthService, authRpc(app))]
}
