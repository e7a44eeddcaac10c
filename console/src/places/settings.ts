/**
 * The settings by their names: which section of which page has them. The search finds them in every language of the console,
 * and the explanation of a sign-in leads to them. Loaded when it is needed, because it brings the texts of all areas.
 */
import type { Permission } from '../access/permissions.ts'
import { agentTexts } from '../pages/agents/texts/index.ts'
import { brandingTexts } from '../pages/branding/texts/index.ts'
import { firstAppTexts } from '../pages/first-app/texts/index.ts'
import { providerTexts } from '../pages/identity-providers/texts/index.ts'
import { mailTexts } from '../pages/mail/texts/index.ts'
import { organizationTexts } from '../pages/organizations/texts/index.ts'
import { projectTexts } from '../pages/projects/texts/index.ts'
import { settingsTexts } from '../pages/settings/texts/index.ts'
import { signInTexts } from '../pages/sign-in/texts/index.ts'
import { smsTexts } from '../pages/sms/texts/index.ts'
import { importTexts } from '../pages/users/import/texts/index.ts'
import { userTexts } from '../pages/users/texts/index.ts'
import { webKeyTexts } from '../pages/web-keys/texts/index.ts'
import type { Language, Texts } from '../texts/languages.ts'

export interface SettingsSection {
  /** The page, and the section of it. */
  readonly to: string
  readonly anchor: string
  title(language: Language): string
  /** The names of its settings, in the same order in every language. */
  names(language: Language): readonly string[]
}

interface Read<Shape> {
  title(texts: Shape): string
  names?(texts: Shape): readonly string[]
}

function section<Shape>(to: string, anchor: string, texts: Texts<Shape>, read: Read<Shape>): SettingsSection {
  return {
    to,
    anchor,
    title: (language) => read.title(texts[language]),
    names: (language) => read.names?.(texts[language]) ?? [],
  }
}

const SIGN_IN: readonly SettingsSection[] = [
  section('/sign-in', 'methods', signInTexts, {
    title: ({ login }) => login.methods,
    names: ({ login }) => [login.password, login.passkeys, login.providers, login.register, login.hideReset],
  }),
  section('/sign-in', 'factors', signInTexts, {
    title: ({ login }) => login.factors,
    names: ({ login }) => [...Object.values(login.factorNames), login.passkeyIsEnough, login.required],
  }),
  section('/sign-in', 'lifetimes', signInTexts, {
    title: ({ login }) => login.lifetimes,
    names: ({ login }) => Object.values(login.lifetimeNames),
  }),
  section('/sign-in', 'providers', signInTexts, { title: ({ providers }) => providers.title }),
  section('/sign-in/passwords', 'rules', signInTexts, {
    title: ({ passwords }) => passwords.complexity,
    names: ({ passwords }) => [passwords.minLength, ...Object.values(passwords.rules)],
  }),
  section('/sign-in/passwords', 'expiry', signInTexts, {
    title: ({ passwords }) => passwords.age,
    names: ({ passwords }) => [passwords.maxAge, passwords.warn],
  }),
  section('/sign-in/passwords', 'lockout', signInTexts, {
    title: ({ passwords }) => passwords.lockout,
    names: ({ passwords }) => [passwords.passwordAttempts, passwords.codeAttempts],
  }),
  section('/sign-in/names', 'domains', signInTexts, {
    title: ({ names }) => names.domains,
    names: ({ names }) => [names.includesDomain, names.verification, names.sender],
  }),
  section('/sign-in/names', 'usernames', signInTexts, {
    title: ({ names }) => names.scope,
    names: ({ names }) => [names.scoped],
  }),
]

const LOOK_AND_MESSAGES: readonly SettingsSection[] = [
  section('/branding', 'look', brandingTexts, {
    title: ({ title }) => title,
    names: ({ colors, themeMode, hideName, hideSuffix }) => [...Object.values(colors), themeMode, hideName, hideSuffix],
  }),
  section('/branding', 'files', brandingTexts, {
    title: ({ files }) => files,
    names: ({ assets }) => Object.values(assets),
  }),
  section('/mail', 'server', mailTexts, {
    title: ({ server }) => server.title,
    names: ({ server }) => [server.host, server.tls, server.senderAddress, server.senderName, server.replyTo],
  }),
]

const INSTANCE: readonly SettingsSection[] = [
  section('/settings', 'instance', settingsTexts, {
    title: ({ instance }) => instance.title,
    names: ({ instance }) => [instance.address, instance.id, instance.version],
  }),
  section('/settings', 'languages', settingsTexts, {
    title: ({ languages }) => languages.title,
    names: ({ languages }) => [languages.default],
  }),
  section('/settings', 'security', settingsTexts, {
    title: ({ security }) => security.title,
    names: ({ security }) => [security.embedding, security.origins, security.impersonation, security.selfDeletion],
  }),
  section('/agents/settings', 'clients', agentTexts, {
    title: ({ settings }) => settings.clients,
    names: ({ settings }) => [
      settings.documents,
      settings.domains,
      settings.registration,
      settings.openRegistration,
      settings.perHour,
    ],
  }),
  section('/agents/settings', 'mcp', agentTexts, {
    title: ({ settings }) => settings.mcp,
    names: ({ settings }) => [settings.mcpServer],
  }),
  section('/settings', 'api', settingsTexts, {
    title: ({ api }) => api.title,
    names: ({ api }) => [api.explorer, api.document, api.discovery, api.keys],
  }),
  section('/settings/tokens', 'lifetimes', settingsTexts, {
    title: ({ tokens }) => tokens.lifetimes,
    names: ({ tokens }) => Object.values(tokens.names),
  }),
  section('/settings/links', 'links', settingsTexts, {
    title: ({ links }) => links.title,
    names: ({ links }) => Object.values(links.names),
  }),
  section('/settings/features', 'features', settingsTexts, {
    title: ({ features }) => features.title,
    names: ({ features }) => [features.required, features.baseUri],
  }),
]

export const SETTINGS: readonly SettingsSection[] = [...SIGN_IN, ...LOOK_AND_MESSAGES, ...INSTANCE]

/** A page on which something is created. */
export interface Task {
  readonly to: string
  readonly permissions: readonly Permission[]
  /** Whether the permission must be one on the instance. */
  readonly onInstance?: true
  name(language: Language): string
}

function task<Shape>(
  to: string,
  permissions: readonly Permission[],
  texts: Texts<Shape>,
  name: (texts: Shape) => string,
): Task {
  return { to, permissions, name: (language) => name(texts[language]) }
}

export const TASKS: readonly Task[] = [
  task('/users/new', ['user.write'], userTexts, ({ createHuman }) => createHuman),
  task('/users/new-machine', ['user.write'], userTexts, ({ createMachine }) => createMachine),
  task('/users/invite', ['user.write'], importTexts, ({ invite }) => invite.title),
  task('/users/import', ['user.write'], importTexts, ({ title }) => title),
  { ...task('/organizations/new', ['org.write'], organizationTexts, ({ create }) => create), onInstance: true },
  task('/protect-an-app', ['project.app.write'], firstAppTexts, ({ title }) => title),
  task('/projects/new', ['project.create'], projectTexts, ({ create }) => create),
  task('/identity-providers/new', ['iam.idp.write', 'org.idp.write'], providerTexts, ({ create }) => create),
  task('/sms/new', ['iam.write'], smsTexts, ({ create }) => create),
  task('/web-keys/new', ['iam.web_key.write'], webKeyTexts, ({ create }) => create),
]
