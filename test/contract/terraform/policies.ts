/** Policies of organizations, which are added, replaced and reset, and those of the instance, which are only replaced. */
import { type Api, type Attributes, type Names, type Resource, type Resources, unlessDefault } from './resource.ts'

type Level = 'admin' | 'management'

function policy(name: string, level: Level, first: Attributes, second: Attributes): Resource {
  if (level === 'admin') {
    const update = ({ admin }: Api, _: Names, attributes: Attributes) => admin(`Update${name}Policy`, attributes)
    return {
      first,
      second,
      async create(api, attributes) {
        await update(api, {}, attributes)
        return {}
      },
      read: async ({ admin }) => (await admin(`Get${name}Policy`)).policy,
      update,
    }
  }
  return {
    first,
    second,
    async create({ management }, attributes) {
      await management(`AddCustom${name}Policy`, attributes)
      return {}
    },
    read: async ({ management }) => unlessDefault((await management(`Get${name}Policy`)).policy),
    update: ({ management }, _, attributes) => management(`UpdateCustom${name}Policy`, attributes),
    delete: ({ management }) => management(`Reset${name}PolicyToDefault`),
  }
}

/** The policy of organizations and that of the instance. */
function both(resource: string, name: string, first: Attributes, second: Attributes): Resources {
  return {
    [resource]: policy(name, 'management', first, second),
    [`default_${resource}`]: policy(name, 'admin', first, second),
  }
}

const COLORS = {
  primaryColor: '#112233',
  warnColor: '#cd3d56',
  backgroundColor: '#fafafa',
  fontColor: '#000000',
  primaryColorDark: '#5282c1',
  backgroundColorDark: '#111827',
  warnColorDark: '#ff3b5b',
  fontColorDark: '#ffffff',
  hideLoginNameSuffix: true,
  disableWatermark: true,
  themeMode: 'THEME_MODE_DARK',
}

/** Colors count when they are activated; what is read are the last ones, activated or not. */
function labelPolicy(level: Level): Resource {
  const other = { primaryColor: '#445566', themeMode: 'THEME_MODE_AUTO', disableWatermark: false }
  const plain = policy('Label', level, COLORS, other)
  const activate = (api: Api) =>
    level === 'admin' ? api.admin('ActivateLabelPolicy') : api.management('ActivateCustomLabelPolicy')
  return {
    ...plain,
    first: { ...COLORS, isActive: true },
    async create(api, { isActive: _, ...colors }) {
      const names = await plain.create(api, colors)
      await activate(api)
      return names
    },
    async read(api) {
      const { policy: last } = await api[level]('GetPreviewLabelPolicy')
      const { policy: active } = await api[level]('GetLabelPolicy')
      const isActive = last?.primaryColor === active?.primaryColor
      return level === 'management' && last?.isDefault ? undefined : { ...last, isActive }
    },
    async update(api, names, { isActive: _, ...colors }) {
      await plain.update?.(api, names, colors)
      await activate(api)
    },
  }
}

const SIGN_IN = {
  allowUsernamePassword: true,
  allowRegister: true,
  allowExternalIdp: true,
  forceMfa: false,
  forceMfaLocalOnly: true,
  passwordlessType: 'PASSWORDLESS_TYPE_ALLOWED',
  hidePasswordReset: true,
  ignoreUnknownUsernames: true,
  defaultRedirectUri: 'https://shop.example.com',
  passwordCheckLifetime: '864000s',
  externalLoginCheckLifetime: '864000s',
  mfaInitSkipLifetime: '2592000s',
  secondFactorCheckLifetime: '86400s',
  multiFactorCheckLifetime: '86400s',
  allowDomainDiscovery: true,
  disableLoginWithEmail: true,
  disableLoginWithPhone: true,
}
const FACTORS = {
  secondFactors: ['SECOND_FACTOR_TYPE_OTP', 'SECOND_FACTOR_TYPE_U2F'],
  multiFactors: ['MULTI_FACTOR_TYPE_U2F_WITH_VERIFICATION'],
}
const LISTS = [
  ['secondFactors', 'SecondFactor'],
  ['multiFactors', 'MultiFactor'],
] as const

/** How users sign in: factors and providers are added and removed one by one. */
function loginPolicy(level: Level): Resource {
  const other = {
    allowRegister: false,
    forceMfaLocalOnly: false,
    defaultRedirectUri: '',
    passwordCheckLifetime: '3600s',
  }
  const plain = policy('Login', level, SIGN_IN, other)
  const listed = async (api: Api, name: string) =>
    Object.values((await api[level](`ListLoginPolicy${name}s`)).result ?? []).map(String)
  const providers = async (api: Api) => Object.values((await api[level]('ListLoginPolicyIDPs')).result ?? [])

  async function setParts(api: Api, { idpId }: Names, attributes: Attributes): Promise<void> {
    for (const [member, name] of LISTS) {
      const wanted = attributes[member] as readonly string[]
      const found = await listed(api, name)
      const added = wanted.filter((type) => !found.includes(type))
      const removed = found.filter((type) => !wanted.includes(type))
      for (const type of added) await api[level](`Add${name}ToLoginPolicy`, { type })
      for (const type of removed) await api[level](`Remove${name}FromLoginPolicy`, { type })
    }
    const hasProvider = (await providers(api)).some((one) => one.idpId === idpId)
    if (attributes.hasProvider === hasProvider) return
    if (hasProvider) await api[level]('RemoveIDPFromLoginPolicy', { idpId })
    else {
      const ownerType = (await api[level]('GetProviderByID', { id: idpId })).idp?.owner
      await api[level]('AddIDPToLoginPolicy', { idpId, ...(level === 'management' && { ownerType }) })
    }
  }
  const withoutParts = ({ hasProvider: _, secondFactors: _second, multiFactors: _multi, ...rest }: Attributes) => rest

  return {
    ...plain,
    first: { ...SIGN_IN, ...FACTORS, hasProvider: true },
    second: { ...other, secondFactors: ['SECOND_FACTOR_TYPE_OTP'], multiFactors: [], hasProvider: false },
    async create(api, attributes) {
      const client = { name: 'GitHub', clientId: 'client', clientSecret: 'secret' }
      const names = { idpId: (await api[level]('AddGitHubProvider', client)).id }
      const { hasProvider: _, ...lists } = attributes
      await plain.create(api, level === 'management' ? lists : withoutParts(attributes))
      await setParts(api, names, attributes)
      return names
    },
    async read(api, names) {
      const state = await plain.read(api, names)
      const hasProvider = (await providers(api)).some((one) => one.idpId === names.idpId)
      return (
        state && {
          ...state,
          secondFactors: await listed(api, 'SecondFactor'),
          multiFactors: await listed(api, 'MultiFactor'),
          hasProvider,
        }
      )
    },
    async update(api, names, attributes) {
      await plain.update?.(api, names, withoutParts(attributes))
      await setParts(api, names, attributes)
    },
  }
}

/** A login name is the user name alone, and domains are verified: anything else is refused. */
export const DOMAINS = {
  userLoginMustBeDomain: false,
  validateOrgDomains: true,
  smtpSenderAddressMatchesInstanceDomain: false,
}

export const POLICIES: Resources = {
  login_policy: loginPolicy('management'),
  default_login_policy: loginPolicy('admin'),
  label_policy: labelPolicy('management'),
  default_label_policy: labelPolicy('admin'),
  ...both(
    'lockout_policy',
    'Lockout',
    { maxPasswordAttempts: '5', maxOtpAttempts: '4' },
    { maxPasswordAttempts: '7', maxOtpAttempts: '0' },
  ),
  ...both(
    'password_complexity_policy',
    'PasswordComplexity',
    { minLength: '12', hasUppercase: true, hasLowercase: true, hasNumber: true, hasSymbol: true },
    { minLength: '8', hasSymbol: false },
  ),
  ...both(
    'password_age_policy',
    'PasswordAge',
    { maxAgeDays: '90', expireWarnDays: '10' },
    { maxAgeDays: '365', expireWarnDays: '0' },
  ),
  ...both(
    'privacy_policy',
    'Privacy',
    {
      tosLink: 'https://shop.example.com/terms',
      privacyLink: 'https://shop.example.com/privacy',
      helpLink: 'https://shop.example.com/help/{{.Lang}}',
      supportEmail: 'help@shop.example.com',
      docsLink: 'https://shop.example.com/docs',
      customLink: 'https://shop.example.com/custom',
      customLinkText: 'Custom',
    },
    { helpLink: 'https://shop.example.com/other', docsLink: '', customLink: '', customLinkText: '' },
  ),
  ...both('notification_policy', 'Notification', { passwordChange: false }, { passwordChange: true }),
  default_domain_policy: policy('Domain', 'admin', DOMAINS, {}),
}
