/**
 * Two organizations with everything in one of them that a method can be about, and a port before rooms that keep nothing:
 * whatever gets as far as a commit is answered so, and every call finds the same world.
 */

import { generateKeyPairSync } from 'node:crypto'
import type { DescMethodUnary, JsonObject, JsonValue } from '@bufbuild/protobuf'
import { ActionService } from '../../contract/gen/signet/action/v2/action_service_pb.ts'
import { AdminService } from '../../contract/gen/signet/admin/v1/admin_pb.ts'
import { OIDCAuthMethodType } from '../../contract/gen/signet/app/v1/app_pb.ts'
import { KeyType } from '../../contract/gen/signet/authn/v1/key_pb.ts'
import { GroupService } from '../../contract/gen/signet/group/v2/group_service_pb.ts'
import { MessageType } from '../../contract/gen/signet/mail/v1/mail_pb.ts'
import { MailService } from '../../contract/gen/signet/mail/v1/mail_service_pb.ts'
import { ManagementService } from '../../contract/gen/signet/management/v1/management_pb.ts'
import { OrganizationService } from '../../contract/gen/signet/org/v2/org_service_pb.ts'
import { MultiFactorType, SecondFactorType } from '../../contract/gen/signet/policy/v1/login_pb.ts'
import { ProjectService } from '../../contract/gen/signet/project/v2/project_service_pb.ts'
import { SettingsService } from '../../contract/gen/signet/settings/v2/settings_service_pb.ts'
import { WebhookService } from '../../contract/gen/signet/webhook/v1/webhook_service_pb.ts'
import type { Grant } from '../../src/access/call.ts'
import type { Method } from '../../src/access/method.ts'
import { createApp, methodsOf } from '../../src/app.ts'
import { deviceIdOf, startDevice, startRequest } from '../../src/features/authorization-requests/index.ts'
import { instant } from '../../src/kernel/instant.ts'
import { startServer } from '../contract/server.ts'
import type { TestEngine } from '../support/engines.ts'
import { addServiceProvider } from '../support/service-provider.ts'
import { allMethods } from '../support/services.ts'
import { v2 } from '../support/session-world.ts'
import { addSamlProviders, succeedAtProvider } from './intents.ts'
import { openPaths, type Path } from './paths.ts'
import { openScene, users } from './scene.ts'
import { addSignals } from './signals.ts'
import { watchMethods } from './watched.ts'
import { KEPT, withoutCommit } from './without-commit.ts'

/** Who calls. */
export const CALLERS = [
  'nobody',
  'owner of another organization',
  'the same, with the header of this one',
  'user manager of the organization',
  'plain user on themself',
  'plain user on another',
  'directory of the organization',
  'login client',
  'viewer of the instance',
  'owner of the instance',
  'session bearer on themself',
] as const

export type CallerName = (typeof CALLERS)[number]

export interface MatrixCaller {
  readonly bearer: string | undefined
  readonly grants: readonly Grant[]
  /** The organization of their calls. */
  readonly organizationId: string
  /** The header, if they send one. */
  readonly header?: string
  /** Whom they act on, when the method is about a person or about a machine. */
  readonly human: string
  readonly machine: string
}

/** What became of a call. */
export interface Heard {
  readonly outcome: 'allowed' | '401' | '403' | '404'
  /** The id of the refusal; `kept` when it would have been written; empty when it was only read. */
  readonly id: string
  readonly text: string
}

const OUTCOMES: Readonly<Record<string, Heard['outcome']>> = {
  unauthenticated: '401',
  permission_denied: '403',
  not_found: '404',
}

/** The same, by the numbers of gRPC. */
const STATUSES: Readonly<Record<number, Heard['outcome']>> = { 16: '401', 7: '403', 5: '404' }

const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
const admin = AdminService.method
const v1 = ManagementService.method

export interface CallerOptions {
  readonly engine?: TestEngine
  /** Whether calls are committed; otherwise every call finds the same world. */
  readonly commits?: boolean
  /** Changes the methods that are served. */
  wrap?(methods: readonly Method[]): readonly Method[]
}

/** Opens the world. */
export async function openCallers({ engine, commits = false, wrap = (served) => served }: CallerOptions = {}) {
  const scene = await openScene(engine)
  const { call, owner, store, instanceId } = scene
  const addOrganization = async (name: string): Promise<string> =>
    (await call(OrganizationService.method.addOrganization, { name }, owner)).organizationId
  const home = await addOrganization('Home')
  const away = await addOrganization('Away')
  const inHome = { ...owner, organizationId: home }

  const human = await scene.addHuman({ organizationId: home, hasVerifiedAddresses: true, totpSecret: SECRET })
  const subject = { userId: human }
  await call(users.addOTPSMS, subject, owner)
  await call(users.addOTPEmail, subject, owner)
  await call(users.generateRecoveryCodes, { ...subject, count: 2 }, owner)
  await call(users.setUserMetadata, { ...subject, metadata: [{ key: 'key', value: new Uint8Array([1]) }] }, owner)
  const passkey = await scene.giveKey(human, 'passkey')
  await scene.giveKey(human, 'second_factor')
  const { result } = await call(users.listPasskeys, subject, owner)
  const passkeyId = result[0]?.id ?? ''
  const factors = await call(users.listAuthenticationFactors, subject, owner)
  const u2fId = factors.result.map(({ type }) => (type.case === 'u2f' ? type.value.id : '')).join('')
  const sessionId = await scene.openSession(human)
  const credentialAssertionData = await scene.askForKey(sessionId, passkey, 'passkey')
  const checks = { webAuthN: { credentialAssertionData } }
  const { sessionToken } = await call(v2.setSession, { sessionId, checks }, scene.login)
  const pendingPasskey = (await call(users.registerPasskey, subject, owner)).passkeyId
  const pendingU2f = (await call(users.registerU2F, subject, owner)).u2fId

  const self = await scene.addMachine({ organizationId: home })
  const machine = self.userId
  const { keyId } = await call(v1.addMachineKey, { userId: machine, type: KeyType.JSON }, inHome)
  const { tokenId } = await call(v1.addPersonalAccessToken, { userId: machine }, inHome)
  await call(users.addSecret, { userId: machine }, owner)

  const member = await scene.addMachine({ organizationId: home, organizationRoles: ['ORG_OWNER_VIEWER'] })
  const instanceMember = await scene.addMachine({ instanceRoles: ['IAM_OWNER_VIEWER'] })
  const newcomer = await scene.addHuman({ organizationId: home })
  // In both, so that a stranger who asks without the header finds something of their own and nothing else.
  for (const organizationId of [home, away]) {
    const there = { ...owner, organizationId }
    await call(v1.addCustomPasswordComplexityPolicy, { minLength: 8, hasLowercase: true }, there)
    await call(v1.addCustomLockoutPolicy, { maxPasswordAttempts: 9 }, there)
    await call(v1.addCustomLabelPolicy, { primaryColor: '#000' }, there)
    await call(v1.addCustomNotificationPolicy, { passwordChange: false }, there)
    await call(v1.addCustomPrivacyPolicy, { helpLink: 'https://example.com' }, there)
    await call(v1.addCustomPasswordAgePolicy, { maxAgeDays: 3649 }, there)
    const secondFactors = [SecondFactorType.OTP]
    const multiFactors = [MultiFactorType.U2F_WITH_VERIFICATION]
    await call(v1.addCustomLoginPolicy, { allowUsernamePassword: true, secondFactors, multiFactors }, there)
  }
  const text = { type: MessageType.PASSWORD_RESET, language: 'en', organizationId: home, text: { subject: 'Home' } }
  await call(MailService.method.setMessageText, text, owner)
  const texts = [{ key: 'signIn.title', text: 'Home' }]
  await call(SettingsService.method.setPageTexts, { language: 'en', organizationId: home, texts }, owner)
  const metadata = [{ key: 'key', value: new Uint8Array([1]) }]
  await call(OrganizationService.method.setOrganizationMetadata, { organizationId: home, metadata }, owner)
  const domain = 'home.example.com'
  await call(OrganizationService.method.addOrganizationDomain, { organizationId: home, domain }, owner)
  const mailServer = { senderAddress: 'a@example.com', senderName: 'A', host: '127.0.0.1:1' }
  const smtpId = (await call(admin.addSMTPConfig, mailServer, owner)).id
  const receiver = { endpoint: 'http://127.0.0.1:1/' }
  const emailWebhookId = (await call(admin.addEmailProviderHTTP, receiver, owner)).id
  const twilio = { sid: 'AC01', token: 'token', senderNumber: '+15005550006' }
  const twilioId = (await call(admin.addSMSProviderTwilio, twilio, owner)).id
  const smsId = (await call(admin.addSMSProviderHTTP, receiver, owner)).id
  await call(admin.activateSMSProvider, { id: smsId }, owner)
  const target = await call(
    ActionService.method.createTarget,
    {
      name: 'Target',
      endpoint: 'http://127.0.0.1:1/',
      timeout: { seconds: 1n },
      targetType: { case: 'restAsync', value: {} },
    },
    owner,
  )
  const targetId = target.id
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const pem = Buffer.from(publicKey.export({ type: 'spki', format: 'pem' }))
  const key = await call(ActionService.method.addPublicKey, { targetId, publicKey: pem }, owner)
  const publicKeyId = key.keyId
  const hook = { organizationId: home, name: 'Home', endpoint: 'http://127.0.0.1:1/' }
  const { webhookId } = await call(WebhookService.method.createWebhook, hook, owner)

  const provider = {
    name: 'Home provider',
    issuer: 'http://127.0.0.1:1',
    clientId: 'client',
    clientSecret: 'secret',
    providerOptions: { isLinkingAllowed: true },
  }
  const idpId = (await call(v1.addGenericOIDCProvider, provider, inHome)).id
  const instanceIdpId = (await call(admin.addGenericOIDCProvider, { ...provider, name: 'Instance provider' }, owner)).id
  const samlProviders = await addSamlProviders(scene, inHome)
  const signals = await addSignals(scene, { home, idpId, machine })
  const linkedUserId = 'account-at-home-provider'
  const idpLink = { idpId, userId: linkedUserId, userName: linkedUserId }
  await call(users.addIDPLink, { ...subject, idpLink }, owner)
  const intent = await succeedAtProvider(scene, human)

  const partner = await addOrganization('Partner')
  const outsider = await addOrganization('Outsider')
  const project = await call(ProjectService.method.createProject, { organizationId: home, name: 'Home project' }, owner)
  const { projectId } = project
  await call(ProjectService.method.addProjectRole, { projectId, roleKey: 'role', displayName: 'Role' }, owner)
  const given = { projectId, roleKeys: ['role'] }
  const projectGrantId = (await call(v1.addProjectGrant, { ...given, grantedOrgId: partner }, inHome)).grantId
  const authorizationId = (await call(v1.addUserGrant, { ...given, userId: human }, inHome)).userGrantId
  const groupId = (await call(GroupService.method.createGroup, { organizationId: home, name: 'Home group' }, owner)).id
  await call(GroupService.method.addUsersToGroup, { id: groupId, userIds: [human] }, owner)
  const projectMember = { projectId, userId: member.userId }
  await call(v1.addProjectMember, { ...projectMember, roles: ['PROJECT_OWNER_VIEWER'] }, inHome)
  const grantMember = { ...projectMember, grantId: projectGrantId }
  await call(v1.addProjectGrantMember, { ...grantMember, roles: ['PROJECT_GRANT_OWNER_VIEWER'] }, inHome)
  const keyed = { authMethodType: OIDCAuthMethodType.OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT }
  const application = await call(v1.addOIDCApp, { projectId, name: 'Application', ...keyed }, inHome)
  const { appId: applicationId, clientId } = application
  const waiting = { clientId, payload: {}, expiresAt: instant(scene.app.clock() + 3_600_000) }
  const requestId = 'a-request'
  const flow = { flowStartedAt: scene.app.clock(), loginClientId: '' }
  await startRequest(scene.app, scene.origin(), requestId, { ...waiting, ...flow })
  const userCode = 'BCDF-GHJK'
  const device = { ...waiting, scope: 'openid', userCode, startedAt: scene.app.clock() }
  await startDevice(scene.app, scene.origin(), 'a-device', device)
  const { appId: apiId } = await call(v1.addAPIApp, { projectId, name: 'API' }, inHome)
  const saml = await addServiceProvider(scene.app, (message) => call(v1.addSAMLApp, { projectId, ...message }, inHome))
  const appKey = { projectId, appId: applicationId, type: KeyType.JSON }
  const applicationKeyId = (await call(v1.addAppKey, appKey, inHome)).id

  // The callers' methods write nothing; who they are is read from the real store.
  const methods = methodsOf(createApp({ ...scene.app, store: commits ? store : withoutCommit(store) }))
  const readers = new Set<DescMethodUnary>()
  const server = await startServer(undefined, wrap(watchMethods(methods, readers)), scene.authorize)
  const paths = openPaths(server.url)

  const onInstance = (role: string): readonly Grant[] => [{ scope: 'instance', roles: [role] }]
  const inOrganization = (organizationId: string, role: string): readonly Grant[] => [
    { scope: { organizationId }, roles: [role] },
  ]
  const others = { human, machine }
  const withRole = async (role: string) => {
    const { request } = await scene.addMachine({ organizationId: home, instanceRoles: [role] })
    return { bearer: request.bearer, grants: onInstance(role), organizationId: home, ...others }
  }
  const withRoleHere = async (role: string) => {
    const { request } = await scene.addMachine({ organizationId: home, organizationRoles: [role] })
    return { bearer: request.bearer, grants: inOrganization(home, role), organizationId: home, ...others }
  }
  const stranger = await scene.addMachine({ organizationId: away, organizationRoles: ['ORG_OWNER'] })
  const plain = await scene.addMachine({ organizationId: home })
  const ofAway = { bearer: stranger.request.bearer, grants: inOrganization(away, 'ORG_OWNER'), ...others }

  const callers: Readonly<Record<CallerName, MatrixCaller>> = {
    nobody: { bearer: undefined, grants: [], organizationId: '', ...others },
    'owner of another organization': { ...ofAway, organizationId: away },
    'the same, with the header of this one': { ...ofAway, organizationId: home, header: home },
    'user manager of the organization': await withRoleHere('ORG_USER_MANAGER'),
    'plain user on themself': {
      bearer: self.request.bearer,
      grants: [],
      organizationId: home,
      human: machine,
      machine,
    },
    'plain user on another': { bearer: plain.request.bearer, grants: [], organizationId: home, ...others },
    'directory of the organization': await withRoleHere('ORG_DIRECTORY_SYNC'),
    'login client': await withRole('IAM_LOGIN_CLIENT'),
    'viewer of the instance': await withRole('IAM_OWNER_VIEWER'),
    'owner of the instance': await withRole('IAM_OWNER'),
    'session bearer on themself': {
      bearer: sessionToken,
      grants: [],
      organizationId: home,
      human,
      machine: human,
    },
  }

  const read = (body: JsonObject): readonly [code: string, id: string] => {
    const details = (body.details ?? []) as readonly { readonly debug?: { readonly id?: JsonValue } }[]
    const id = details.map(({ debug }) => debug?.id).find((one) => one !== undefined)
    return [String(body.code), String(id ?? '')]
  }

  return {
    /** The world itself, where calls are kept. */
    scene,
    callers,
    methods,
    /** Methods that have looked at the organization of the call. */
    readers: readers as ReadonlySet<DescMethodUnary>,
    instanceId,
    ids: {
      home,
      projectId,
      applicationId,
      apiId,
      ...saml,
      applicationKeyId,
      keyId,
      tokenId,
      passkeyId,
      u2fId,
      pendingPasskey,
      pendingU2f,
      sessionId,
      smtpId,
      emailWebhookId,
      smsId,
      twilioId,
      targetId,
      publicKeyId,
      webhookId,
      ...signals,
      domain,
      member: member.userId,
      instanceMember: instanceMember.userId,
      newcomer,
      idpId,
      instanceIdpId,
      ...samlProviders,
      linkedUserId,
      intentId: intent.intentId,
      partner,
      outsider,
      projectGrantId,
      authorizationId,
      groupId,
      authRequestId: `V2_${requestId}`,
      deviceAuthorizationId: deviceIdOf('a-device'),
      userCode,
    },
    intent,
    /** What nobody who may nothing there, or is of another organization, may ever read. */
    private: [
      human,
      machine,
      applicationId,
      apiId,
      applicationKeyId,
      keyId,
      tokenId,
      passkeyId,
      u2fId,
      sessionId,
      newcomer,
      member.userId,
      domain,
      idpId,
      linkedUserId,
      projectId,
      projectGrantId,
      authorizationId,
      groupId,
    ],
    faults: server.faults,
    finished: server.finished,
    url: server.url,
    addMachine: scene.addMachine,
    /** Makes a user an owner of the instance, for good. */
    async makeInstanceOwner(userId: string): Promise<void> {
      await call(admin.addIAMMember, { userId, roles: ['IAM_OWNER'] }, owner)
    },
    /** By another path, if one is named; REST only where the contract has one for this method. */
    async ask(
      name: string,
      body: JsonObject,
      { bearer, header }: MatrixCaller,
      path: Path = 'Connect',
    ): Promise<Heard> {
      const headers = {
        ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
        ...(header !== undefined && { 'x-service-orgid': header }),
      }
      const method = allMethods.get(name)
      const told = method && (await paths.ask(path, method, body, headers))
      if (told !== undefined) {
        const { code, id, text } = told
        if (code === 0) return { outcome: 'allowed', id: '', text }
        return { outcome: STATUSES[code] ?? 'allowed', id: id === KEPT ? 'kept' : id, text }
      }
      const response = await fetch(`${server.url}/${name}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      })
      const text = await response.text()
      if (response.ok) return { outcome: 'allowed', id: '', text }
      const [code, id] = read(JSON.parse(text) as JsonObject)
      return { outcome: OUTCOMES[code] ?? 'allowed', id: id === KEPT ? 'kept' : id, text }
    },
    async close() {
      paths.close()
      await server.close()
      await scene.dispose()
    },
  }
}

export type CallerWorld = Awaited<ReturnType<typeof openCallers>>
