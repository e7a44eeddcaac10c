/** Texts of mails, of text messages and of the login app. */
import { type Api, type Attributes, type Names, type Resource, type Resources, unlessDefault } from './resource.ts'

const NAMES = { language: 'en' }
const MESSAGE = {
  title: 'T',
  preHeader: 'P',
  subject: 'S',
  greeting: 'Hello {{.DisplayName}}',
  text: 'Text',
  buttonText: 'B',
  footerText: 'F',
}

/** Messages by the names of their resources, and by those in methods. */
const MESSAGES = {
  init: 'Init',
  password_reset: 'PasswordReset',
  verify_email: 'VerifyEmail',
  verify_phone: 'VerifyPhone',
  verify_sms_otp: 'VerifySMSOTP',
  verify_email_otp: 'VerifyEmailOTP',
  domain_claimed: 'DomainClaimed',
  passwordless_registration: 'PasswordlessRegistration',
  password_change: 'PasswordChange',
}

/** The method that sets a text has two names in an organization. */
function setterOf(level: 'admin' | 'management', name: string): string {
  if (level === 'admin') return `SetDefault${name}MessageText`
  const isOther = ['DomainClaimed', 'PasswordlessRegistration', 'PasswordChange'].includes(name)
  return `SetCustom${name}Message${isOther ? 'CustomText' : 'Text'}`
}

function message(level: 'admin' | 'management', name: string): Resource {
  const code = /VerifyPhone|SMSOTP/.test(name) ? ' {{.Code}}' : ''
  const write = (api: Api, names: Names, attributes: Attributes) =>
    api[level](setterOf(level, name), { ...names, ...attributes })
  return {
    first: { ...(name !== 'VerifySMSOTP' && MESSAGE), text: `Text${code}` },
    second: { text: `Another${code}` },
    async create(api, attributes) {
      await write(api, NAMES, attributes)
      return NAMES
    },
    read: async (api, names) => unlessDefault((await api[level](`GetCustom${name}MessageText`, names)).customText),
    update: write,
    delete: (api, names) => api[level](`ResetCustom${name}MessageTextToDefault`, names),
  }
}

/** Texts of the login app, which cannot be deleted. */
function loginTexts(isOfInstance: boolean): Resource {
  const levelOf = async ({ management }: Api) =>
    isOfInstance ? { instance: true } : { organizationId: (await management('GetMyOrg')).org?.id }
  const write = async (api: Api, { locale }: Names, attributes: Attributes) =>
    api.settings('SetHostedLoginTranslation', { ...(await levelOf(api)), locale, ...attributes })
  return {
    first: { translations: { loginname: { title: 'Welcome', labels: { email: 'Mail' } } } },
    second: { translations: { loginname: { title: 'Hello' } } },
    async create(api, attributes) {
      const names = { locale: isOfInstance ? 'en' : 'de' }
      await write(api, names, attributes)
      return names
    },
    read: async (api, names) =>
      api.settings('GetHostedLoginTranslation', { ...(await levelOf(api)), ...names, ignoreInheritance: true }),
    update: write,
  }
}

const instance = Object.entries({ ...MESSAGES, invite_user: 'InviteUser' })

export const TEXTS: Resources = {
  ...Object.fromEntries(instance.map(([name, method]) => [`default_${name}_message_text`, message('admin', method)])),
  ...Object.fromEntries(
    Object.entries(MESSAGES).map(([name, method]) => [`${name}_message_text`, message('management', method)]),
  ),
  hosted_login_translation: loginTexts(false),
  default_hosted_login_translation: loginTexts(true),
}
