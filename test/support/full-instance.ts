/** Fills an instance with every kind of object that an export carries, in more than one state where that matters. */
import { generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'
import { runMove } from '../../src/cli/import/move.ts'
import { loadApp } from '../../src/cli/load-app.ts'
import { withApp } from '../../src/cli/maintain.ts'
import type { Config } from '../../src/config/index.ts'
import { hashSecret, newPersonalAccessToken } from '../../src/crypto/tokens.ts'
import { newTotpSecret, totpStep } from '../../src/crypto/totp.ts'
import {
  type ApplicationKeyDraft,
  agentApplicationId,
  applications,
  type OidcConfig,
  registeredClients,
} from '../../src/features/applications/index.ts'
import type { AuthorizationDraft } from '../../src/features/authorizations/index.ts'
import type { ExecutionsDraft } from '../../src/features/executions/index.ts'
import { agentApprovals, consents } from '../../src/features/grants/index.ts'
import type { GroupDraft, GroupMemberDraft, GroupMetadataDraft } from '../../src/features/groups/index.ts'
import { identityProviders } from '../../src/features/identity-providers/index.ts'
import {
  keyUses,
  machineKeys,
  machineSecrets,
  NEVER,
  personalAccessTokens,
  tokenUses,
} from '../../src/features/machines/index.ts'
import { importEmailWebhook, importSmtpConfig } from '../../src/features/mail/index.ts'
import { setOrganizationEntries } from '../../src/features/metadata/index.ts'
import { firstStart } from '../../src/features/onboarding/index.ts'
import { generateRecoveryCodes, importTotp, useRecoveryCode } from '../../src/features/one-time-codes/index.ts'
import { organizations } from '../../src/features/organizations/index.ts'
import { passkeys } from '../../src/features/passkeys/index.ts'
import { projects } from '../../src/features/projects/index.ts'
import { resources } from '../../src/features/resources/index.ts'
import { samlSigning } from '../../src/features/saml/index.ts'
import { chooseProvider, importTranslation, settings } from '../../src/features/settings/index.ts'
import { importSmsProvider } from '../../src/features/sms/index.ts'
import type { TargetDraft } from '../../src/features/targets/index.ts'
import { noteDeletion, users } from '../../src/features/users/index.ts'
import { signJwt, webKeys } from '../../src/features/web-keys/index.ts'
import { newWebhookKey } from '../../src/features/webhooks/index.ts'
import { newId } from '../../src/kernel/id.ts'
import { type Instant, instant, systemClock } from '../../src/kernel/instant.ts'
import type { App } from '../../src/module/app.ts'
import type { Draft } from '../../src/module/carried.ts'
import type { Work } from '../../src/store/index.ts'
import { applicationDraft, ORGANIZATION, PASSWORD, SECRET, sourceOf } from './drafts.ts'
import {
  ADA,
  foreignDrafts,
  LOOK,
  MACHINE,
  MACHINE_KEY,
  ofInstance,
  owned,
  PARTNER,
  PROJECT,
  PROVIDER,
  RESOURCE,
  SHARED_PROVIDER,
} from './full-instance-drafts.ts'

/** What still works after the import. */
export interface Credentials {
  readonly password: string
  readonly totpSecret: string
  readonly recoveryCode: string
  readonly usedRecoveryCode: string
  readonly clientSecret: string
  readonly machineSecret: string
  readonly machineKey: KeyObject
  readonly token: string
  /** Signed by the key that is active, and by the one before. */
  readonly jwts: readonly string[]
}
async function addMessaging(app: App, work: Work): Promise<void> {
  const smtp = {
    senderAddress: 'mail@moved.example',
    senderName: 'Moved',
    replyToAddress: '',
    tls: true,
    host: 'smtp.moved.example:587',
    user: 'mail',
    description: '',
    oauth: { tokenEndpoint: 'https://login.moved.example/token', scopes: ['mail.send'], clientId: 'mailer' },
  }
  await importSmtpConfig(app, work, {
    id: '66666666666666661',
    settings: smtp,
    password: 'of the mail server',
    isActive: true,
  })
  await importEmailWebhook(app, work, {
    id: '66666666666666663',
    endpoint: 'https://mail.moved.example/hook',
    description: '',
    signingKey: 'k',
  })
  await importSmsProvider(app, work, {
    id: '66666666666666664',
    sid: 'AC01',
    senderNumber: '+15005550006',
    verifyServiceSid: '',
    description: '',
    token: 'of the account',
  })
  const endpoint = 'https://sms.moved.example/hook'
  await importSmsProvider(app, work, {
    id: '66666666666666662',
    endpoint,
    description: '',
    signingKey: 'k',
    isActive: true,
  })
}

async function addAgents(app: App, work: Work, at: Instant): Promise<void> {
  await work.decide(projects, PROJECT, {
    type: 'change',
    settings: { allowsRegisteredClients: true, allowsDelegation: true },
  })
  const scopes = [{ key: 'orders', description: 'See orders' }]
  const [id, other] = [app.newId(), app.newId()]
  const apis = [
    { id, uri: RESOURCE, scopes, isDefault: true },
    {
      id: other,
      uri: 'https://other.shop.example',
      scopes: [],
      isDefault: false,
      types: [{ type: 'pay', description: 'Pay' }],
    },
  ]
  await work.decide(resources, PROJECT, { type: 'set', resources: apis }, ORGANIZATION)
  const clientId = `dcr-${app.newId()}`
  const redirectUris = ['https://agent.example/callback']
  const metadata = {
    name: 'Agent (agent.example)',
    givenName: 'Agent',
    redirectUris,
    applicationType: 'web',
    hasRefreshToken: true,
  } as const
  const hash = randomBytes(32).toString('base64url')
  await work.decide(registeredClients, clientId, { type: 'register', metadata, hash, at }, ORGANIZATION)
  await work.decide(registeredClients, clientId, { type: 'use', at })
  const applicationId = agentApplicationId(PROJECT, clientId)
  const config: OidcConfig = {
    type: 'oidc',
    redirectUris,
    postLogoutRedirectUris: [],
    responseTypes: ['code'],
    grantTypes: ['authorization_code', 'refresh_token'],
    applicationType: 'web',
    authMethod: 'none',
    developmentMode: false,
    accessTokenType: 'jwt',
    accessTokenRoleAssertion: false,
    idTokenRoleAssertion: false,
    idTokenUserinfoAssertion: false,
    clockSkewMs: 0,
    additionalOrigins: [],
    backChannelLogoutUri: '',
    skipNativeAppSuccessPage: false,
    isThirdParty: true,
  }
  const agent = { kind: 'registration' } as const
  const added = { type: 'add', projectId: PROJECT, name: 'Agent', clientId, config, agent } as const
  await work.decide(applications, applicationId, added, ORGANIZATION)
  await work.decide(applications, applicationId, { type: 'set_api_access', access: 'none', allowedBy: ADA })
  const picture = { frame: 'frame', places: ['place'], scopes: ['scope'] }
  const given = { clientId, resource: RESOURCE, scopes: ['orders'], picture }
  await work.decide(
    consents,
    `${ADA} ${clientId} ${RESOURCE}`,
    { type: 'give', userId: ADA, ...given, at },
    ORGANIZATION,
  )
  for (const after of [0, 5_000]) {
    const by = ['ORG_SETTINGS_MANAGER']
    const command = { type: 'give', ...given, applicationId, at: instant(at + after), by } as const
    await work.decide(agentApprovals, `${ORGANIZATION} ${clientId} ${RESOURCE}`, command, ORGANIZATION)
  }
}

async function addToPeople(work: Work, at: Instant): Promise<void> {
  const [invited, renamed, leaving] = ['33333333333333336', '33333333333333337', '33333333333333338']
  const invitation = { isMailed: true, applicationName: 'Shop', expiresAt: at + 86_400_000 }
  await work.decide(users, invited ?? '', { type: 'invite', invitation })
  await work.decide(users, renamed ?? '', {
    type: 'change_username',
    userName: 'new-name',
    nameScope: ORGANIZATION,
    at,
  })
  const changed = { type: 'change_email', address: 'new@moved.example', isVerified: true, basis: 'proven', at } as const
  await work.decide(users, renamed ?? '', changed)
  await noteDeletion(work, leaving ?? '', { requestedAt: at, dueAt: instant(at + 7 * 86_400_000) }, { isOwed: true })
  await work.decide(passkeys, '77777777777777771', { type: 'use', signCount: 4, isBackedUp: true, at })
}

async function addMachineCredentials(work: Work, at: Instant) {
  const hash = hashSecret('the secret of the robot')
  await work.decide(machineSecrets, MACHINE, { type: 'set', hash }, ORGANIZATION)
  await work.decide(users, MACHINE, { type: 'set_machine_secret' })
  const token = newPersonalAccessToken('999999999999999991')
  const add = { type: 'add', userId: MACHINE, name: 'For the pipeline', at } as const
  await work.decide(
    personalAccessTokens,
    '999999999999999991',
    { ...add, hash: token.hash, expiresAt: NEVER },
    ORGANIZATION,
  )
  await work.decide(tokenUses, '999999999999999991', { usedAt: at }, ORGANIZATION)
  // One that expires at once is still in lists.
  const brief = { ...add, expiresAt: instant(at + 1) }
  await work.decide(
    personalAccessTokens,
    '999999999999999992',
    { ...brief, hash: randomBytes(32).toString('base64url') },
    ORGANIZATION,
  )
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString()
  await work.decide(machineKeys, MACHINE_KEY, { ...add, publicKey: pem, expiresAt: NEVER }, ORGANIZATION)
  await work.decide(keyUses, MACHINE_KEY, { usedAt: at }, ORGANIZATION)
  return { token: token.text, machineKey: privateKey, pem }
}

function groupDrafts(at: Instant): readonly Draft[] {
  const groupId = '77777777777777779'
  const group: GroupDraft = { ...owned, kind: 'group', id: groupId, name: 'Sales', description: 'Who sells' }
  const member: GroupMemberDraft = {
    ...{ ...owned, kind: 'group-member', id: `${groupId} ${ADA}` },
    ...{ groupId, userId: ADA, addedAt: at },
  }
  const floor: GroupMetadataDraft = {
    ...{ ...owned, kind: 'group-metadata', id: `${groupId} floor` },
    ...{ groupId, key: 'floor', value: Buffer.from('3').toString('base64') },
  }
  const authorization: AuthorizationDraft = {
    ...{ ...owned, kind: 'authorization', id: '12121212121212123' },
    ...{ userId: '', groupId, projectId: PROJECT, roleKeys: ['buyer'], isActive: true },
  }
  return [group, member, floor, authorization]
}

function actionDrafts(at: Instant, pem: string): readonly Draft[] {
  const settings = {
    name: 'Hook',
    endpoint: 'https://hook.moved.example/call',
    type: 'async',
    interruptOnError: false,
    timeoutMs: 5_000,
    payloadType: 'jwe',
    signatureType: 'zitadel',
  } as const
  const key = { publicKey: pem, addedAt: at }
  const publicKeys = [
    { ...key, keyId: 'old', isActive: false, changedAt: instant(at + 1) },
    { ...key, keyId: 'new', isActive: true, changedAt: instant(at + 2) },
  ]
  const id = '66666666666666669'
  const target: TargetDraft = {
    ...{ ...ofInstance, kind: 'target', id, settings },
    ...{ signingKey: 'key of the hook', publicKeys },
  }
  const condition = 'function/preuserinfo'
  const execution: ExecutionsDraft = {
    ...{ ...ofInstance, kind: 'executions', id: condition },
    executions: [{ condition, targetIds: [id], addedAt: at }],
  }
  return [target, execution]
}

/** One of an organization, whose key was just replaced, and one of the instance that is paused. */
async function addWebhooks(app: App, at: Instant): Promise<void> {
  const base = { url: 'https://hook.moved.example/events', objectTypes: [], timeoutMs: 4_000, perSecond: 50 }
  const rotated = { key: newWebhookKey(), former: newWebhookKey(), formerUntil: instant(at + 3_600_000) }
  const kind = 'webhook'
  const users = {
    ...owned,
    kind,
    id: '66666666666666670',
    settings: { ...base, name: 'Users', eventTypes: ['user.*'] },
  }
  const all = { ...ofInstance, kind, id: '66666666666666671', settings: { ...base, name: 'All', eventTypes: [] } }
  const drafts = [
    { ...users, status: 'active', ...rotated },
    { ...all, status: 'paused', key: newWebhookKey() },
  ]
  await moveAll(app, drafts)
}

async function addSettings(app: App, work: Work): Promise<void> {
  const translations = { login: { title: 'Welcome', steps: ['one', 'two'] }, count: 3 }
  await importTranslation(app, work, ORGANIZATION, { language: 'de', texts: {}, translations })
  const by = ['ORG_SETTINGS_MANAGER']
  await chooseProvider(app, work, app.instanceId, { type: 'withhold_provider', idpId: SHARED_PROVIDER, by })
  await chooseProvider(app, work, ORGANIZATION, { type: 'offer_provider', idpId: SHARED_PROVIDER, by })
  await chooseProvider(app, work, ORGANIZATION, { type: 'withhold_provider', idpId: PROVIDER, by })
  const look = { ...LOOK, themeMode: 'light' } as const
  await work.decide(settings, ORGANIZATION, { type: 'draft_branding', manner: 'put', value: look })
  const notices = {
    type: 'set',
    section: 'notifications',
    by,
    manner: 'put',
    value: { passwordChange: false },
  } as const
  await work.decide(settings, ORGANIZATION, notices)
  const codes = { length: 12, expiryMs: 600_000, hasLower: false, hasUpper: true, hasDigits: true, hasSymbols: false }
  const generator = { type: 'set_generator', name: 'password_reset', value: codes } as const
  await work.decide(settings, app.instanceId, generator)
  await work.decide(settings, app.instanceId, { type: 'allow_languages', languages: ['en', 'de'] })
  await work.decide(identityProviders, PROVIDER, { type: 'deactivate' })
  await setOrganizationEntries(work, ORGANIZATION, [{ key: 'plan', value: Buffer.from('gold') }])
  await work.decide(organizations, PARTNER, { type: 'rename', name: 'Partner & Co' })
}

/** The key that is next signs from now on; the one before stays published. */
async function rotateKeys(app: App, at: Instant): Promise<readonly string[]> {
  const claims = { iss: app.externalUrl, sub: ADA, iat: Math.floor(at / 1000), exp: Math.floor(at / 1000) + 3600 }
  await samlSigning(app)
  const before = await signJwt(app, claims)
  await app.store.write({ actor: 'server', at }, async (work) => {
    const { keys = [] } = (await work.get(webKeys, app.instanceId))?.state ?? {}
    const next = keys.find(({ status }) => status === 'initial')?.keyId ?? ''
    await work.decide(webKeys, app.instanceId, { type: 'activate', keyId: next, at, isRotation: true })
  })
  return [before, await signJwt(app, claims)]
}

async function moveAll(app: App, drafts: readonly Draft[]): Promise<void> {
  const { reasons } = await runMove(app, sourceOf(drafts), { isQuiet: true })
  const refused = reasons.filter(({ type }) => type === 'refused')
  if (refused.length > 0) throw new Error(JSON.stringify(refused))
}

/** Fills the instance of an app. */
export async function fillInstance(app: App): Promise<Credentials> {
  await moveAll(app, foreignDrafts())
  const at = app.clock()
  const origin = { actor: 'server', at } as const
  const totpSecret = newTotpSecret()
  const { value } = await app.store.write(origin, async (work) => {
    await addMessaging(app, work)
    await addSettings(app, work)
    await addAgents(app, work, at)
    await addToPeople(work, at)
    await importTotp(app, work, { userId: ADA, owner: ORGANIZATION }, totpSecret, totpStep(at) - 10)
    const { codes } = await generateRecoveryCodes(app, work, ADA, 5)
    const added = await addMachineCredentials(work, at)
    return { codes, ...added }
  })
  await moveAll(app, [...groupDrafts(at), ...actionDrafts(at, value.pem)])
  await addWebhooks(app, at)
  const [recoveryCode = '', usedRecoveryCode = ''] = value.codes
  await app.store.write(origin, (work) =>
    useRecoveryCode(app, work, { userId: ADA, owner: ORGANIZATION, code: usedRecoveryCode }),
  )
  const pem = value.pem
  const key = { kind: 'application-key', id: '99999999999999993', applicationId: '55555555555555558' } as const
  const keyed = applicationDraft({
    id: '55555555555555558',
    name: 'Keyed',
    clientId: 'keyed@shop',
    config: { type: 'api', authMethod: 'private_key_jwt' },
  })
  const withKey: ApplicationKeyDraft = { ...owned, ...key, publicKey: pem, expiresAt: NEVER }
  await runMove(app, sourceOf<Draft>([keyed, withKey]), { isQuiet: true })
  return {
    password: PASSWORD,
    totpSecret,
    recoveryCode,
    usedRecoveryCode,
    clientSecret: SECRET,
    machineSecret: 'the secret of the robot',
    machineKey: value.machineKey,
    token: value.token,
    jwts: await rotateKeys(app, at),
  }
}

/** Makes an instance in an empty database, and fills it. */
export async function makeFullInstance(config: Config, externalUrl: string) {
  const { openDatabase } = await loadApp()
  const store = await openDatabase(config)
  const options = { store, newId, clock: systemClock, dataDir: config.dataDir, externalUrl }
  const { instanceId } = await firstStart(options).finally(() => store.close())
  return { instanceId, credentials: await withApp(config, externalUrl, fillInstance) }
}
