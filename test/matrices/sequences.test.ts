/**
 * `details.sequence` in the reply to a write is what the next read of that object shows: the number of the last event of
 * its own stream, whatever else the same commit has written. Every method whose reply has details is called; one that
 * says of no object what it is about, or that no longer gets as far as its reply, is noticed.
 */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { type DescMethodUnary, type JsonObject, type JsonValue, toJson } from '@bufbuild/protobuf'
import { totpCode, totpStep } from '../../src/crypto/totp.ts'
import { textTypeOf } from '../../src/features/messages/rpc-v1-texts.ts'
import { Refused } from '../../src/kernel/refusal.ts'
import { assertNone } from '../support/cells.ts'
import { allMethods } from '../support/services.ts'
import { v2 } from '../support/session-world.ts'
import { succeedAtProvider } from './intents.ts'
import { messageOf, requestOf } from './requests.ts'
import { users } from './scene.ts'
import { type CallerWorld, openCallers } from './world.ts'

const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

interface Subject {
  readonly kind: string
  readonly id: string
}

type Messages = Readonly<Record<string, JsonValue>>

function text(...values: readonly (JsonValue | undefined)[]): string {
  return String(values.find((value) => value !== undefined) ?? '')
}

/** What the reply of a method is about, by its name. The first that matches counts. */
const SUBJECTS: readonly (readonly [
  RegExp,
  (request: Messages, reply: Messages, world: CallerWorld, isOfInstance: boolean, method: string) => Subject,
])[] = [
  [
    /Message(Custom)?Text/,
    ({ language }, _, { ids, instanceId }, isOfInstance, method) => ({
      kind: 'message-text',
      id: `${isOfInstance ? instanceId : ids.home}/${textTypeOf(method)}/${text(language)}`,
    }),
  ],
  [/OrgMetadata$/, ({ key = 'key' }, _, { ids }) => ({ kind: 'organization-metadata', id: `${ids.home} ${key}` })],
  [/OrgDomain$/, (_, __, { ids }) => ({ kind: 'organization', id: ids.home })],
  [/^Remove(My|Human)(AuthFactorU2F|Passwordless)$/, ({ tokenId }) => ({ kind: 'passkey', id: text(tokenId) })],
  [/(My|Human)AuthFactorOTP/, ({ userId }) => ({ kind: 'one-time-codes', id: text(userId) })],
  [
    /LinkedIDP$/,
    ({ userId, idpId, linkedUserId }) => ({
      kind: 'identity-link',
      id: `${text(userId)} ${text(idpId)} ${text(linkedUserId)}`,
    }),
  ],
  [/Passwordless|MyAuthFactorU2F$/, ({ userId }) => ({ kind: 'user', id: text(userId) })],
  [/Session$/, (request, reply) => ({ kind: 'session', id: text(request.sessionId, reply.sessionId) })],
  [
    /ProjectGrantMember$/,
    ({ grantId, userId }) => ({ kind: 'membership', id: `project_grant/${text(grantId)}/${text(userId)}` }),
  ],
  [
    /ProjectMember$/,
    ({ projectId, userId }) => ({ kind: 'membership', id: `project/${text(projectId)}/${text(userId)}` }),
  ],
  [/UserGrant$/, ({ grantId }, { userGrantId }) => ({ kind: 'authorization', id: text(grantId, userGrantId) })],
  [/ProjectGrant$/, (request, reply) => ({ kind: 'project-grant', id: text(request.grantId, reply.grantId) })],
  [
    /ProjectRoles?$/,
    ({ projectId, roleKey, roles }) => {
      const last = (roles as readonly JsonObject[] | undefined)?.at(-1)?.key
      return { kind: 'project-role', id: `${text(projectId)} ${text(roleKey, last)}` }
    },
  ],
  [/Project$/, (request, reply) => ({ kind: 'project', id: text(request.id, reply.id) })],
  [/OrgMember$/, (request, _, { ids }) => ({ kind: 'membership', id: `${ids.home}/${request.userId}` })],
  [/IAMMember$/, (request, _, { instanceId }) => ({ kind: 'membership', id: `${instanceId}/${request.userId}` })],
  [/Metadata$/, ({ id, key = 'key' }) => ({ kind: 'user-metadata', id: `${id} ${key}` })],
  [/AppKey$/, (request, reply) => ({ kind: 'application-key', id: text(request.keyId, reply.id) })],
  [
    /App$|AppConfig$|ClientSecret$/,
    (request, reply) => ({ kind: 'application', id: text(request.appId, reply.appId) }),
  ],
  [
    /^CreateCallback$/,
    ({ authRequestId }) => ({ kind: 'authorization-request', id: text(authRequestId).replace(/^V2_/, '') }),
  ],
  [/^CreateResponse$/, ({ samlRequestId }) => ({ kind: 'saml-request', id: text(samlRequestId).replace(/^V2_/, '') })],
  [/MachineKey$/, (request, reply) => ({ kind: 'machine-key', id: text(request.keyId, reply.keyId) })],
  [
    /PersonalAccessToken$/,
    (request, reply) => ({ kind: 'personal-access-token', id: text(request.tokenId, reply.tokenId) }),
  ],
  [/^(Register(Passkey|U2F)|CreatePasskeyRegistrationLink)$/, ({ userId }) => ({ kind: 'user', id: text(userId) })],
  [/Passkey|U2F/, ({ passkeyId, u2fId }) => ({ kind: 'passkey', id: text(passkeyId, u2fId) })],
  [/TOTP|OTP(SMS|Email)$|RecoveryCodes$/, ({ userId }) => ({ kind: 'one-time-codes', id: text(userId) })],
  [
    /IDPLink$/,
    ({ userId, idpId, linkedUserId, idpLink }) => {
      const link = idpLink as JsonObject | undefined
      const account = `${text(link?.idpId, idpId)} ${text(link?.userId, linkedUserId)}`
      return { kind: 'identity-link', id: `${text(userId)} ${account}` }
    },
  ],
  [/Intent$/, (request, _, { ids }) => ({ kind: 'intent', id: text(request.idpIntentId, ids.intentId) })],
  [
    /Policy|Language$|(Security|OIDC)Settings$|InstanceFeatures$|Restrictions$|SecretGenerator$/,
    (_, __, { ids, instanceId }, isOfInstance) => ({
      kind: 'settings',
      id: isOfInstance ? instanceId : ids.home,
    }),
  ],
  [
    /SMTP|EmailProvider(HTTP)?$/,
    (request, reply, { ids }) => ({ kind: 'smtp-config', id: text(request.id, reply.id, ids.smtpId) }),
  ],
  [/SMS/, (request, reply) => ({ kind: 'sms-provider', id: text(request.id, reply.id) })],
  [
    /IDP|Provider/,
    (request, reply) => ({
      kind: 'identity-provider',
      id: text(request.id, request.idpId, reply.id, reply.idpId),
    }),
  ],
  [/^SetDefaultOrg$/, (_, __, { instanceId }) => ({ kind: 'instance', id: instanceId })],
  [/LoginDefaultOrg$/, (_, __, { instanceId }) => ({ kind: 'settings', id: instanceId })],
  [
    /Org(anization)?$/,
    (_, reply, { ids }) => ({ kind: 'organization', id: text(reply.id, reply.orgId, reply.organizationId, ids.home) }),
  ],
  [
    /User|Avatar|Machine|HumanMFA|Human(Profile|Init)|MyProfile|Email|Phone|Password|InviteCode/,
    (request, reply) => ({
      kind: 'user',
      id: text(request.userId, request.id, reply.userId),
    }),
  ],
]

/**
 * Methods that cannot get as far as a reply with the least request, because it needs a proof, another type of provider, or
 * an object in another state. Each shares its handler with one that can.
 */
const REFUSED =
  /Service\/(Verify|Update(GenericOAuth|AzureAD|GitHub|GitLab|Google|Apple|LDAP|Zitadel|JWT|IDPJWT|OrgIDPJWT)|Add(SMTPConfig|EmailProviderSMTP|Custom)|Add(Second|Multi)Factor|RegisterTOTP|AddOTP|(Create|Resend)InviteCode|StartIdentityProviderIntent|(Dea|A)ctivateEmailProvider|(Rea|Dea)ctivateUser|(Lock|Unlock)User|Remove(EmailProvider|SMTPConfig)|ResetLoginPolicy|DeleteUser|RemoveUser|RemovePhone|RemoveOTPSMS|Remove(Second|Multi)Factor|RemoveIDP|RemoveUserMetadata|DeleteProvider|PasswordReset|(Remove|Add|Send)(My|Human)?(AuthFactor|Passwordless|LinkedIDP)|ResendHuman|ResendMy|(Remove|Update)(My|Human)(Phone|UserName|Password)|RemoveOrgMetadata|ValidateOrgDomain|SetPrimaryOrgDomain|RemoveOrg |RemoveMyUser|RevokeMyRefreshToken|SendHumanReset|CreatePasskeyRegistrationLink|RemoveApp)/

/** Methods about the instance, by their full names. */
const OF_INSTANCE = /\.admin\.|SecuritySettings|InstanceFeatures/

/** Those that end something come last, in an order in which each still finds its object. */
function rank({ name, parent }: DescMethodUnary): number {
  // While the session is open, and while the organization has a look of its own.
  if (/^Remove(My|Human)Avatar$/.test(name)) return -1
  if (/^RemoveCustomLabelPolicy/.test(name)) return 0.5
  // What a method of an earlier service ends too.
  if (/^Remove(My|Human)/.test(name)) return 3.1
  // A new password ends the sessions.
  if (/^SetHuman/.test(name)) return 3.1
  if (name === 'RemoveOrg' && parent.typeName.includes('.admin.')) return 6
  if (/^(RemoveUser|DeleteUser|RemoveApp)$/.test(name)) return 4
  if (/^RemoveOrg$/.test(name)) return 5
  if (/^Remove(ProjectGrant|ProjectRole)$/.test(name)) return 3.5
  if (/^RemoveProject$/.test(name)) return 3.8
  if (/^(Remove|Delete|Reset)/.test(name)) return 3
  if (/^(Reactivate|Activate|Unlock)/.test(name)) return 2
  // The default organization cannot be deactivated.
  if (name === 'SetDefaultOrg') return 2.5
  if (/^(Deactivate|Lock)/.test(name)) return 1
  return 0
}

/** Names that must be unique are of this call only. */
function withNewNames(request: JsonObject, index: number): JsonObject {
  const text = JSON.stringify(request)
    .replaceAll('"A new name"', `"Name ${index}"`)
    .replaceAll('"new"', `"new-${index}"`)
    .replaceAll('"new@example.com"', `"new-${index}@example.com"`)
  return JSON.parse(text) as JsonObject
}

function hasDetails({ output }: DescMethodUnary): boolean {
  return output.fields.some(({ message }) => message !== undefined && /\.(Object)?Details$/.test(message.typeName))
}

const written = [...allMethods.values()]
  .filter((method) => hasDetails(method) && !/^(Get|List|Retrieve)/.test(method.name))
  .sort((one, other) => rank(one) - rank(other))

suite('details.sequence', () => {
  let world: CallerWorld
  before(async () => {
    world = await openCallers()
  })
  after(() => world.close())

  test('of a session is the same in SetSession and GetSession, whatever is checked', async () => {
    const { scene } = world
    const userId = await scene.addHuman({ hasVerifiedAddresses: true, totpSecret: SECRET })
    await scene.call(users.addOTPSMS, { userId }, scene.owner)
    await scene.call(users.addOTPEmail, { userId }, scene.owner)
    const { recoveryCodes } = await scene.call(users.generateRecoveryCodes, { userId, count: 1 }, scene.owner)
    const check = async (name: string, checks: (sessionId: string) => Promise<object> | object, of = userId) => {
      const sessionId = await scene.openSession(of)
      const message = { sessionId, checks: await checks(sessionId) }
      const { details } = await scene.call(v2.setSession, message, scene.login)
      const { session } = await scene.call(v2.getSession, { sessionId }, scene.login)
      assert.equal(details?.sequence, session?.sequence, name)
    }
    await check('totp', () => ({ totp: { code: totpCode(SECRET, totpStep(scene.clock.now)) } }))
    await check('otpSms', async (id) => ({ otpSms: { code: await scene.askForCode(id, 'sms') } }))
    await check('otpEmail', async (id) => ({ otpEmail: { code: await scene.askForCode(id, 'email') } }))
    await check('recoveryCode', () => ({ recoveryCode: { code: recoveryCodes[0] ?? '' } }))
    const { intentId, token } = await succeedAtProvider(scene, userId)
    await check('intent', () => ({ intent: { intentId, token } }))
  })

  test(`of a reply is that of the object it is about (${written.length} methods)`, async () => {
    const { scene, callers } = world
    const owner = callers['owner of the instance']
    const bearer = callers['session bearer on themself']
    const wrong: string[] = []
    const refusals: string[] = []
    for (const [index, method] of written.entries()) {
      const full = `${method.parent.typeName}/${method.name}`
      const isOwn = method.parent.typeName === 'signet.auth.v1.AuthService'
      const request = withNewNames(requestOf(method, world, isOwn ? bearer : owner), index)
      // Only login clients answer applications.
      const other = ['CreateCallback', 'CreateResponse'].includes(method.name) ? scene.login : scene.owner
      const as = isOwn ? { bearer: bearer.bearer ?? '' } : other
      const options = { ...as, organizationId: world.ids.home }
      let reply: JsonObject
      try {
        reply = toJson(
          method.output,
          await scene.call(method, messageOf(method, request) as never, options),
        ) as JsonObject
      } catch (error) {
        if (!(error instanceof Refused)) throw error
        refusals.push(`${full} ${error.code}`)
        continue
      }
      const subjectOf = SUBJECTS.find(([pattern]) => pattern.test(method.name))?.[1]
      assert.ok(subjectOf, `${full}: say what its reply is about`)
      const named = isOwn ? { ...request, userId: bearer.human } : request
      const { kind, id } = subjectOf(named, reply, world, OF_INSTANCE.test(full), method.name)
      const [last] = await scene.store.events({ kinds: [kind], id, descending: true, limit: 1 })
      const { sequence } = (reply.details ?? {}) as { readonly sequence?: string }
      if (last === undefined || Number(sequence) !== last.sequence) {
        wrong.push(`${full} says ${sequence}, but ${kind} ${id} is at ${last?.sequence}`)
      }
    }
    assertNone(wrong)
    assertNone(refusals.filter((one) => !REFUSED.test(one)))
    assert.ok(refusals.length < written.length / 3, `${refusals.length} are refused`)
  })
})
