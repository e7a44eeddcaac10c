/** An organization with one of every kind of thing that a method can be about, as its administrators make them. */
import { generateKeyPairSync } from 'node:crypto'
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
import { deviceIdOf, startDevice, startRequest } from '../../src/features/authorization-requests/index.ts'
import { instant } from '../../src/kernel/instant.ts'
import { addServiceProvider } from '../support/service-provider.ts'
import { v2 } from '../support/session-world.ts'
import { SAML_PROVIDER, succeedAtProvider } from './intents.ts'
import { type Scene, users } from './scene.ts'
import { addSignals } from './signals.ts'

const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
const NOWHERE = 'http://127.0.0.1:1/'
const PROVIDER = {
  issuer: 'http://127.0.0.1:1',
  clientId: 'client',
  clientSecret: 'secret',
  providerOptions: { isLinkingAllowed: true },
}
const admin = AdminService.method
const v1 = ManagementService.method

/** What makes a tenant another one than its neighbours. */
export interface TenantName {
  /** Of the organization. Its things are named after it. */
  readonly name: string
  /** Shown by a device that waits for approval. */
  readonly userCode: string
}

export async function addOrganization({ call, owner }: Scene, name: string): Promise<string> {
  return (await call(OrganizationService.method.addOrganization, { name }, owner)).organizationId
}

/** Policies of its own. */
export async function addPolicies({ call, owner }: Scene, organizationId: string): Promise<void> {
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

/** A person with every way to sign in, who is signed in. */
async function addPerson(scene: Scene, home: string) {
  const { call, owner } = scene
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
  return { human, sessionToken, passkeyId, u2fId, sessionId, pendingPasskey, pendingU2f }
}

/** A machine with credentials; `self` says how it calls. */
async function addRobot({ call, owner, addMachine }: Scene, home: string) {
  const self = await addMachine({ organizationId: home })
  const machine = self.userId
  const inHome = { ...owner, organizationId: home }
  const { keyId } = await call(v1.addMachineKey, { userId: machine, type: KeyType.JSON }, inHome)
  const { tokenId } = await call(v1.addPersonalAccessToken, { userId: machine }, inHome)
  await call(users.addSecret, { userId: machine }, owner)
  return { machine, self: self.request, keyId, tokenId }
}

/** Texts, metadata, a domain and a webhook. */
async function addSettings(scene: Scene, home: string, name: string) {
  const { call, owner } = scene
  await addPolicies(scene, home)
  const text = { type: MessageType.PASSWORD_RESET, language: 'en', organizationId: home, text: { subject: name } }
  await call(MailService.method.setMessageText, text, owner)
  const texts = [{ key: 'signIn.title', text: name }]
  await call(SettingsService.method.setPageTexts, { language: 'en', organizationId: home, texts }, owner)
  const metadata = [{ key: 'key', value: new Uint8Array([1]) }]
  await call(OrganizationService.method.setOrganizationMetadata, { organizationId: home, metadata }, owner)
  const domain = `${name.toLowerCase()}.example.com`
  await call(OrganizationService.method.addOrganizationDomain, { organizationId: home, domain }, owner)
  const hook = { organizationId: home, name, endpoint: NOWHERE }
  const { webhookId } = await call(WebhookService.method.createWebhook, hook, owner)
  return { domain, webhookId }
}

/** Providers, an account at one of them, and a sign-in there that succeeded. */
async function addProviders(scene: Scene, home: string, name: string, human: string) {
  const { call, owner } = scene
  const inHome = { ...owner, organizationId: home }
  const provider = { ...PROVIDER, name: `${name} provider` }
  const idpId = (await call(v1.addGenericOIDCProvider, provider, inHome)).id
  const { id: samlProviderId } = await call(v1.addSAMLProvider, SAML_PROVIDER, inHome)
  const linkedUserId = `account-at-${name.toLowerCase()}-provider`
  const idpLink = { idpId, userId: linkedUserId, userName: linkedUserId }
  await call(users.addIDPLink, { userId: human, idpLink }, owner)
  return { idpId, samlProviderId, linkedUserId, intent: await succeedAtProvider(scene, human) }
}

/** A project that a partner was granted, with its members, and a group. */
async function addProject(scene: Scene, home: string, name: string, human: string) {
  const { call, owner } = scene
  const inHome = { ...owner, organizationId: home }
  const member = await scene.addMachine({ organizationId: home, organizationRoles: ['ORG_OWNER_VIEWER'] })
  const newcomer = await scene.addHuman({ organizationId: home })
  const [partner, outsider] = [`${name} partner`, `${name} outsider`]
  const partners = {
    partner: await addOrganization(scene, partner),
    outsider: await addOrganization(scene, outsider),
  }
  const project = { organizationId: home, name: `${name} project` }
  const { projectId } = await call(ProjectService.method.createProject, project, owner)
  await call(ProjectService.method.addProjectRole, { projectId, roleKey: 'role', displayName: 'Role' }, owner)
  const given = { projectId, roleKeys: ['role'] }
  const projectGrantId = (await call(v1.addProjectGrant, { ...given, grantedOrgId: partners.partner }, inHome)).grantId
  const authorizationId = (await call(v1.addUserGrant, { ...given, userId: human }, inHome)).userGrantId
  const group = { organizationId: home, name: `${name} group` }
  const groupId = (await call(GroupService.method.createGroup, group, owner)).id
  await call(GroupService.method.addUsersToGroup, { id: groupId, userIds: [human] }, owner)
  const projectMember = { projectId, userId: member.userId }
  await call(v1.addProjectMember, { ...projectMember, roles: ['PROJECT_OWNER_VIEWER'] }, inHome)
  const grantMember = { ...projectMember, grantId: projectGrantId }
  await call(v1.addProjectGrantMember, { ...grantMember, roles: ['PROJECT_GRANT_OWNER_VIEWER'] }, inHome)
  return { ...partners, projectId, projectGrantId, authorizationId, groupId, member: member.userId, newcomer }
}

/** Applications of the project, and what waits at them. */
async function addApplications(scene: Scene, home: string, { name, userCode }: TenantName, projectId: string) {
  const { call, owner, app } = scene
  const inHome = { ...owner, organizationId: home }
  const keyed = { authMethodType: OIDCAuthMethodType.OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT }
  const application = await call(v1.addOIDCApp, { projectId, name: 'Application', ...keyed }, inHome)
  const { appId: applicationId, clientId } = application
  const waiting = { clientId, payload: {}, expiresAt: instant(app.clock() + 3_600_000) }
  const [requestId, device] = [`request-at-${name.toLowerCase()}`, `device-at-${name.toLowerCase()}`]
  const flow = { flowStartedAt: app.clock(), loginClientId: '' }
  await startRequest(app, scene.origin(), requestId, { ...waiting, ...flow })
  const asked = { ...waiting, scope: 'openid', userCode, startedAt: app.clock() }
  await startDevice(app, scene.origin(), device, asked)
  const { appId: apiId } = await call(v1.addAPIApp, { projectId, name: 'API' }, inHome)
  const entityId = `https://sp.${name.toLowerCase()}.example.com`
  const add = (message: Parameters<Parameters<typeof addServiceProvider>[1]>[0]) =>
    call(v1.addSAMLApp, { projectId, ...message }, inHome)
  const saml = await addServiceProvider(app, add, entityId)
  const appKey = { projectId, appId: applicationId, type: KeyType.JSON }
  const applicationKeyId = (await call(v1.addAppKey, appKey, inHome)).id
  const requests = { authRequestId: `V2_${requestId}`, deviceAuthorizationId: deviceIdOf(device), userCode }
  return { applicationId, clientId, apiId, ...saml, applicationKeyId, ...requests }
}

/** Adds one to the world. */
export async function addTenant(scene: Scene, tenant: TenantName) {
  const { name } = tenant
  const home = await addOrganization(scene, name)
  const { sessionToken, ...person } = await addPerson(scene, home)
  const { human } = person
  const { self, ...robot } = await addRobot(scene, home)
  const settings = await addSettings(scene, home, name)
  const { intent, ...providers } = await addProviders(scene, home, name, human)
  const signals = await addSignals(scene, { home, idpId: providers.idpId, machine: robot.machine })
  const project = await addProject(scene, home, name, human)
  const applications = await addApplications(scene, home, tenant, project.projectId)
  return {
    ids: {
      ...{ home, ...person, ...robot, ...settings, ...providers, ...signals, ...project, ...applications },
      intentId: intent.intentId,
    },
    intent,
    /** The bearer of the session of its person, and how its machine calls. */
    sessionToken,
    self,
  }
}

export type Tenant = Awaited<ReturnType<typeof addTenant>>

/** What belongs to the instance: mail and text messages, a target of actions, providers and a member. */
export async function addInstanceThings({ call, owner, addMachine }: Scene) {
  const mailServer = { senderAddress: 'a@example.com', senderName: 'A', host: '127.0.0.1:1' }
  const smtpId = (await call(admin.addSMTPConfig, mailServer, owner)).id
  const receiver = { endpoint: NOWHERE }
  const emailWebhookId = (await call(admin.addEmailProviderHTTP, receiver, owner)).id
  const twilio = { sid: 'AC01', token: 'token', senderNumber: '+15005550006' }
  const twilioId = (await call(admin.addSMSProviderTwilio, twilio, owner)).id
  const smsId = (await call(admin.addSMSProviderHTTP, receiver, owner)).id
  await call(admin.activateSMSProvider, { id: smsId }, owner)
  const targetType = { case: 'restAsync', value: {} } as const
  const target = { name: 'Target', endpoint: NOWHERE, timeout: { seconds: 1n }, targetType }
  const targetId = (await call(ActionService.method.createTarget, target, owner)).id
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const pem = Buffer.from(publicKey.export({ type: 'spki', format: 'pem' }))
  const publicKeyId = (await call(ActionService.method.addPublicKey, { targetId, publicKey: pem }, owner)).keyId
  const provider = { ...PROVIDER, name: 'Instance provider' }
  const instanceIdpId = (await call(admin.addGenericOIDCProvider, provider, owner)).id
  const samlInstanceProviderId = (await call(admin.addSAMLProvider, SAML_PROVIDER, owner)).id
  const { userId: instanceMember } = await addMachine({ instanceRoles: ['IAM_OWNER_VIEWER'] })
  const messages = { smtpId, emailWebhookId, twilioId, smsId }
  return { ...messages, targetId, publicKeyId, instanceIdpId, samlInstanceProviderId, instanceMember }
}
