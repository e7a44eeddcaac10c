import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { DescMethod } from '@bufbuild/protobuf'
import { COLUMNS, EXPECTED } from '../../test/access/caller-table.ts'
import { allMethods } from '../../test/support/services.ts'
import { instant } from '../kernel/instant.ts'
import { Refused, refused } from '../kernel/refusal.ts'
import { type AuthorizedRequest, checkMethods, openAuthorization } from './authorization.ts'
import type { Caller, Grant, RequestHead } from './call.ts'
import type { Method } from './method.ts'
import { accessRefusals } from './refusals.ts'
import { requirementOf } from './requirement.ts'

function inA(...roles: string[]): Grant {
  return { scope: { organizationId: 'org-a' }, roles }
}
function onInstance(...roles: string[]): Grant {
  return { scope: 'instance', roles }
}
function caller(userId: string, ...grants: Grant[]): Caller {
  return { userId, organizationId: 'org-a', grants }
}

const callers: Readonly<Record<string, Caller>> = {
  owner: caller('owner', onInstance('IAM_OWNER')),
  viewer: caller('viewer', onInstance('IAM_OWNER_VIEWER')),
  manager: caller('manager', onInstance('IAM_USER_MANAGER')),
  login: caller('login', onInstance('IAM_LOGIN_CLIENT')),
  orgOwner: caller('orgOwner', inA('ORG_OWNER')),
  orgViewer: caller('orgViewer', inA('ORG_OWNER_VIEWER')),
  orgManager: caller('orgManager', inA('ORG_USER_MANAGER')),
  directory: caller('directory', inA('ORG_DIRECTORY_SYNC')),
  longAgo: { ...caller('longAgo', inA('ORG_OWNER')), authenticatedAt: instant(1) },
  nobody: caller('nobody'),
  confused: caller('confused', inA('IAM_OWNER'), onInstance('ORG_OWNER', 'NO_SUCH_ROLE')),
}

const admit = openAuthorization({
  identify: async (bearer) => callers[bearer],
  organization: async (id) => (({ 'org-a': 'active', 'org-b': 'active', 'org-off': 'inactive' }) as const)[id],
  organizationOfGroup: async () => undefined,
  organizationOfUser: async (id) => (({ here: 'org-a', there: 'org-b' }) as const)[id],
  userNotFound: () => refused(accessRefusals, 'access.not_found'),
  placeOfProject: async () => undefined,
  apiProjectId: async () => '',
  instanceId: 'instance-1',
  clock: () => instant(1_000_000_000),
})

function methodOf(name: string): Method {
  return {
    descriptor: allMethods.get(name) ?? assert.fail(`no method ${name}`),
    handle: async () => ({}),
  }
}

function approach(headers: Readonly<Record<string, string>>): RequestHead {
  return {
    verb: 'POST',
    path: '/',
    header: (name) => headers[name],
    requestId: 'r1',
    signal: new AbortController().signal,
  }
}

function enter(name: string, bearer?: string, organization?: string): Promise<AuthorizedRequest> {
  return admit(
    methodOf(name),
    approach({
      ...(bearer && { authorization: `Bearer ${bearer}` }),
      ...(organization && { 'x-service-orgid': organization }),
    }),
  )
}

/** `+` let in, `U` unauthenticated, `F` forbidden, `N` not found, `I` invalid. */
async function outcome(entering: Promise<AuthorizedRequest>): Promise<string> {
  try {
    await entering
    return '+'
  } catch (error) {
    assert.ok(error instanceof Refused, String(error))
    return { unauthenticated: 'U', forbidden: 'F', not_found: 'N', invalid: 'I' }[error.kind as 'invalid']
  }
}

/** What a method requires, as the table names it. */
function keyOf(method: DescMethod): string {
  const requirement = requirementOf(method)
  if (!('permission' in requirement)) return requirement.type
  const self = requirement.type === 'target' && requirement.self ? ' or self' : ''
  const filtered = requirement.type === 'target' && requirement.isFiltered ? ', filtered' : ''
  const hidden = requirement.type === 'target' && requirement.isHidden ? ', hidden' : ''
  return `${requirement.type} ${requirement.permission}${self}${filtered}${hidden}`
}

suite('authorization, method by method', () => {
  test('every requirement of the table is used by some method', () => {
    const used = new Set([...allMethods.values()].map(keyOf))
    assert.deepEqual(
      Object.keys(EXPECTED).filter((key) => !used.has(key)),
      [],
    )
  })

  for (const [name, method] of allMethods) {
    test(`${name} admits the callers that its requirement admits`, async () => {
      const found: string[] = []
      for (const [bearer, organization] of COLUMNS) found.push(await outcome(enter(name, bearer, organization)))
      const expected = EXPECTED[keyOf(method)] ?? assert.fail(`${keyOf(method)} is not in the table`)
      assert.equal(found.join(''), expected.replaceAll(' ', ''))
    })
  }

  test('a directory is admitted to nothing that somebody without a role is not', async () => {
    for (const name of allMethods.keys()) {
      const expected = await outcome(enter(name, 'nobody'))
      assert.equal(await outcome(enter(name, 'directory')), expected, name)
    }
  })

  test('the contract says of every method who may call it', () => {
    checkMethods([...allMethods.keys()].map(methodOf))
  })
})

const CONTEXT_METHOD = 'signet.management.v1.ManagementService/GetMyOrg'
const TARGET_METHOD = 'signet.org.v2.OrganizationService/UpdateOrganization'
const SELF_METHOD = 'signet.user.v2.UserService/GetUserByID'
const POWER_METHOD = 'signet.user.v2.UserService/LockUser'

suite('authorization', () => {
  test('a bearer in another form than RFC 6750 gives it is refused', async () => {
    for (const authorization of [
      'Bearer',
      'Bearer ',
      'owner',
      'Basic owner',
      'Bearer owner x',
      'Bearer owner,',
      'Bearer öwner',
      `Bearer ${'o'.repeat(20_000)}`,
    ]) {
      assert.equal(await outcome(admit(methodOf(CONTEXT_METHOD), approach({ authorization }))), 'U', authorization)
    }
    assert.equal(await outcome(admit(methodOf(CONTEXT_METHOD), approach({ authorization: 'bEARER  owner' }))), '+')
  })

  test('a header without the word Bearer, or with something else than one token after it, is told so', async () => {
    for (const authorization of ['owner', 'Bearer', 'Basic owner', 'Bearer: owner', 'Bearer owner x']) {
      const refusal = { code: 'access.authorization_malformed', message: /“Bearer”, a space and an access token/ }
      await assert.rejects(admit(methodOf(CONTEXT_METHOD), approach({ authorization })), refusal, authorization)
    }
    await assert.rejects(enter(CONTEXT_METHOD), { code: 'access.unauthenticated' })
    await assert.rejects(enter(CONTEXT_METHOD, 'unknown'), { code: 'access.unauthenticated' })
  })

  test('the organization of the call is the one of the header, else the own one', async () => {
    assert.equal((await enter(CONTEXT_METHOD, 'owner')).call.organizationId, 'org-a')
    assert.equal((await enter(CONTEXT_METHOD, 'owner', 'org-b')).call.organizationId, 'org-b')
    const alias = approach({ authorization: 'Bearer owner', 'x-zitadel-orgid': 'org-b' })
    assert.equal((await admit(methodOf(CONTEXT_METHOD), alias)).call.organizationId, 'org-b')
  })

  test('two headers must name the same organization', async () => {
    const headers = { authorization: 'Bearer owner', 'x-service-orgid': 'org-a' }
    const method = methodOf(CONTEXT_METHOD)
    assert.equal(await outcome(admit(method, approach({ ...headers, 'x-zitadel-orgid': 'org-b' }))), 'I')
    assert.equal(await outcome(admit(method, approach({ ...headers, 'x-zitadel-orgid': 'org-a' }))), '+')
    assert.equal(await outcome(admit(method, approach({ ...headers, 'x-zitadel-orgid': '' }))), '+')
  })

  test('the call knows who writes and when', async () => {
    const { call } = await enter(CONTEXT_METHOD, 'orgOwner')
    assert.deepEqual(call.origin, { actor: { user: 'orgOwner' }, at: 1_000_000_000 })
    assert.equal(call.isAnonymous, false)
  })

  test('a public method has no caller to speak of', async () => {
    const { call, finish } = await enter('signet.admin.v1.AdminService/Healthz')
    finish()
    assert.equal(call.isAnonymous, true)
    assert.throws(() => call.caller, { code: 'access.unauthenticated' })
  })

  test('the permission on the target is the one in the organization that owns it', async () => {
    const { call } = await enter(TARGET_METHOD, 'orgOwner')
    call.authorize('org-a')
    assert.throws(() => call.authorize('org-b'), { code: 'access.forbidden' })
    assert.throws(() => call.authorize('instance-1'), { code: 'access.forbidden' })
    assert.throws(() => call.authorize('org-b', 'orgOwner'), { code: 'access.forbidden' }, 'this method has no self')
    const instance = (await enter(TARGET_METHOD, 'owner')).call
    instance.authorize('org-b')
    instance.authorize('instance-1')
  })

  test('everybody may do to themself what the contract says so of, and to nobody else', async () => {
    const { call } = await enter(SELF_METHOD, 'nobody')
    call.authorize('org-a', 'nobody')
    assert.throws(() => call.authorize('org-a', 'owner'), { code: 'access.forbidden' })
    assert.throws(() => call.authorize('org-a'), { code: 'access.forbidden' })
  })

  test('who may do something for themself alone is not told whether somebody else exists', async () => {
    const own = await enter(SELF_METHOD, 'nobody')
    await own.checkMessage({ userId: 'nobody' })
    // Nobody is named: that is for the limits of the contract to say.
    await own.checkMessage({ userId: '' })
    await own.checkMessage({})
    await assert.rejects(own.checkMessage({ userId: 'here' }), { code: 'access.forbidden' })
    await (await enter(SELF_METHOD, 'orgOwner')).checkMessage({ userId: 'here' })
    await (await enter(TARGET_METHOD, 'owner')).checkMessage({ userId: 'somebody' })
  })

  test('who holds the permission elsewhere is told the same of a user who exists and of one who does not', async () => {
    for (const name of [SELF_METHOD, POWER_METHOD, 'signet.user.v2.UserService/AddIDPLink']) {
      const { checkMessage } = await enter(name, 'orgOwner')
      await checkMessage({ userId: 'here' })
      for (const userId of ['there', 'unknown']) {
        await assert.rejects(checkMessage({ userId }), { code: 'access.not_found' }, `${name} ${userId}`)
      }
    }
  })

  test('what a method needs from its own user follows from the contract, and a change needs a recent sign-in', async () => {
    const needed = async (name: string, bearer: string) => {
      const request = await enter(`signet.user.v2.UserService/${name}`, bearer)
      return request.checkMessage({ userId: bearer }).then(
        () => 'nothing',
        (error: Refused) => error.code,
      )
    }
    const changes = ['LockUser', 'AddIDPLink', 'RemoveIDPLink', 'RenamePasskey', 'SetUserMetadata', 'GetUserByID']
    const all = async (bearer: string) => Promise.all(changes.map((name) => needed(name, bearer)))
    const again = 'access.sign_in_again'
    const no = 'access.forbidden'
    assert.deepEqual(await all('longAgo'), [again, again, again, 'nothing', 'nothing', 'nothing'])
    assert.deepEqual(await all('orgOwner'), Array(6).fill('nothing'))
    assert.deepEqual(await all('nobody').catch((error: Refused) => error.code), no)
  })

  test('a handler that never asked gets no reply out', async () => {
    const silent = await enter(TARGET_METHOD, 'owner')
    assert.throws(
      () => silent.finish(),
      (error: Error) => !(error instanceof Refused),
    )
    const asking = await enter(TARGET_METHOD, 'owner')
    asking.call.authorize('org-a')
    asking.finish()
    const listing = await enter(TARGET_METHOD, 'owner')
    assert.equal(listing.call.visibleOwners(), 'all')
    listing.finish()
    ;(await enter(CONTEXT_METHOD, 'owner')).finish()
  })

  test('lists are narrowed to the organizations in which the caller holds the permission', async () => {
    assert.deepEqual((await enter(TARGET_METHOD, 'orgOwner')).call.visibleOwners(), ['org-a'])
    assert.deepEqual((await enter(SELF_METHOD, 'nobody')).call.visibleOwners(), [])
  })

  test('other permissions can be asked for, which does not count as having asked', async () => {
    const { call, finish } = await enter(TARGET_METHOD, 'orgOwner')
    assert.equal(call.may('user.write', 'org-a'), true)
    assert.equal(call.may('user.write', 'org-b'), false)
    assert.equal(call.may('iam.write', 'instance-1'), false)
    assert.throws(finish)
  })

  test('a method of which the contract does not say who may call it is refused at the start', () => {
    const method = methodOf(CONTEXT_METHOD)
    const stripped = { ...method.descriptor, proto: { ...method.descriptor.proto, options: undefined } }
    const nameless = { ...method, descriptor: stripped as unknown as Method['descriptor'] }
    assert.throws(() => checkMethods([method, nameless]), /GetMyOrg: the contract does not say who may call it/)
  })
})
