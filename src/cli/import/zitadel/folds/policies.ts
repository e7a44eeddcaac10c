/** Policies and texts of the instance and of organizations: the same events with another first word. */
import {
  flag,
  type Members,
  milliseconds,
  need,
  object,
  optional,
  type PeerEvent,
  type Shape,
  take,
  text,
  whole,
} from '../event.ts'
import { type Changes, type Dated, type Folding, Parts } from '../fold.ts'

const LABEL = {
  primaryColor: text,
  backgroundColor: text,
  warnColor: text,
  fontColor: text,
  primaryColorDark: text,
  backgroundColorDark: text,
  warnColorDark: text,
  fontColorDark: text,
  hideLoginNameSuffix: flag,
  themeMode: whole,
  /** The watermark: in the events that change it, and by a slip of its author in those that add it. */
  disableWatermark: flag,
  disableMsgPopup: flag,
}

const POLICIES = {
  login: {
    allowUsernamePassword: flag,
    allowRegister: flag,
    allowExternalIdp: flag,
    forceMFA: flag,
    forceMFALocalOnly: flag,
    hidePasswordReset: flag,
    ignoreUnknownUsernames: flag,
    allowDomainDiscovery: flag,
    disableLoginWithEmail: flag,
    disableLoginWithPhone: flag,
    passwordlessType: whole,
    defaultRedirectURI: text,
    passwordCheckLifetime: milliseconds,
    externalLoginCheckLifetime: milliseconds,
    mfaInitSkipLifetime: milliseconds,
    secondFactorCheckLifetime: milliseconds,
    multiFactorCheckLifetime: milliseconds,
  },
  'password.complexity': {
    minLength: whole,
    hasLowercase: flag,
    hasUppercase: flag,
    hasNumber: flag,
    hasSymbol: flag,
  },
  'password.age': { expireWarnDays: whole, maxAgeDays: whole },
  lockout: { maxPasswordAttempts: whole, maxOTPAttempts: whole, showLockOutFailures: flag },
  privacy: {
    tosLink: text,
    privacyLink: text,
    helpLink: text,
    supportEmail: text,
    docsLink: text,
    customLink: text,
    customLinkText: text,
  },
  notification: { passwordChange: flag },
  domain: { userLoginMustBeDomain: flag, validateOrgDomains: flag, smtpSenderAddressMatchesInstanceDomain: flag },
} as const satisfies Record<string, Shape>

export type PolicyName = keyof typeof POLICIES
export type PolicyValues<Name extends PolicyName> = Members<(typeof POLICIES)[Name]>

const FILES = ['logo', 'logo.dark', 'icon', 'icon.dark', 'font'] as const
export type LabelFile = (typeof FILES)[number]

export interface Label {
  readonly values: Members<typeof LABEL>
  readonly files: Readonly<Partial<Record<LabelFile, string>>>
}

export interface LevelState {
  policies: { [Name in PolicyName]?: Dated<PolicyValues<Name>> }
  secondFactors: Set<number>
  multiFactors: Set<number>
  /** The identity providers that users can choose. */
  offered: Set<string>
  label?: Dated<Label>
  activeLabel?: Dated<Label>
  hasMailTemplate: boolean
  /** By type of message and language; the parts by their keys. */
  texts: Parts<Readonly<Record<string, string>>>
  /** Texts of the login app by language. */
  translations: Parts<Readonly<Record<string, unknown>>>
}

function newLevel(): LevelState {
  return {
    policies: {},
    secondFactors: new Set(),
    multiFactors: new Set(),
    offered: new Set(),
    hasMailTemplate: false,
    texts: new Parts(),
    translations: new Parts(),
  }
}

type LevelChange = (state: LevelState, event: PeerEvent) => void

function dated<Value>(value: Value, { at }: PeerEvent, before?: Dated<Value>): Dated<Value> {
  return { value, createdAt: before?.createdAt ?? at, changedAt: at }
}

function policyChanges(base: string, name: PolicyName): [string, LevelChange][] {
  const policies = (state: LevelState) => state.policies as Record<string, Dated<unknown> | undefined>
  return [
    [
      `${base}.policy.${name}.added`,
      (state, event) => {
        policies(state)[name] = dated<unknown>(take(event, POLICIES[name]), event)
      },
    ],
    [
      `${base}.policy.${name}.changed`,
      (state, event) => {
        const before = policies(state)[name]
        const value = { ...(before?.value as object | undefined), ...take(event, POLICIES[name]) }
        policies(state)[name] = dated<unknown>(value, event, before)
      },
    ],
    [
      `${base}.policy.${name}.removed`,
      (state) => {
        delete policies(state)[name]
        if (name !== 'login') return
        for (const list of [state.secondFactors, state.multiFactors, state.offered]) list.clear()
      },
    ],
  ]
}

function listChanges(base: string): [string, LevelChange][] {
  const entry = (list: 'secondFactors' | 'multiFactors', adds: boolean): LevelChange => {
    return (state, event) => {
      const type = need(event, 'mfaType', whole)
      if (adds) state[list].add(type)
      else state[list].delete(type)
    }
  }
  const withhold: LevelChange = ({ offered }, event) => offered.delete(need(event, 'idpConfigId', text))
  return [
    [`${base}.policy.login.secondfactor.added`, entry('secondFactors', true)],
    [`${base}.policy.login.secondfactor.removed`, entry('secondFactors', false)],
    [`${base}.policy.login.multifactor.added`, entry('multiFactors', true)],
    [`${base}.policy.login.multifactor.removed`, entry('multiFactors', false)],
    [`${base}.policy.login.idpprovider.added`, ({ offered }, event) => offered.add(need(event, 'idpConfigId', text))],
    [`${base}.policy.login.idpprovider.removed`, withhold],
    [`${base}.policy.login.idpprovider.cascade.removed`, withhold],
  ]
}

function changeLabel(change: (label: Label, event: PeerEvent) => Label): LevelChange {
  return (state, event) => {
    const before = state.label
    state.label = dated(change(before?.value ?? { values: {}, files: {} }, event), event, before)
  }
}

function labelChanges(base: string): [string, LevelChange][] {
  const patch = changeLabel((label, event) => ({ ...label, values: { ...label.values, ...take(event, LABEL) } }))
  return [
    [`${base}.policy.label.added`, patch],
    [`${base}.policy.label.changed`, patch],
    [
      `${base}.policy.label.activated`,
      (state, event) => {
        if (state.label) state.activeLabel = dated(state.label.value, event, state.label)
      },
    ],
    [
      `${base}.policy.label.removed`,
      (state) => {
        delete state.label
        delete state.activeLabel
      },
    ],
    ...FILES.flatMap((file): [string, LevelChange][] => [
      [
        `${base}.policy.label.${file}.added`,
        changeLabel((label, event) => ({ ...label, files: { ...label.files, [file]: need(event, 'storeKey', text) } })),
      ],
      [
        `${base}.policy.label.${file}.removed`,
        changeLabel((label) => {
          const { [file]: _, ...files } = label.files
          return { ...label, files }
        }),
      ],
    ]),
  ]
}

const OLD_MAIL_PARTS = {
  Title: 'title',
  PreHeader: 'preHeader',
  Subject: 'subject',
  Greeting: 'greeting',
  Text: 'text',
  ButtonText: 'buttonText',
}

function setOldMailText({ texts }: LevelState, event: PeerEvent): void {
  const id = `${need(event, 'mailTextType', text)} ${need(event, 'language', text)}`
  const parts: Record<string, string> = { ...texts.living.get(id)?.value }
  for (const [key, name] of Object.entries(OLD_MAIL_PARTS)) parts[key] = optional(event, name, text) ?? parts[key] ?? ''
  texts.put(id, parts, event)
}

function textId(event: PeerEvent): string {
  return `${need(event, 'template', text)} ${need(event, 'language', text)}`
}

function textChanges(base: string): [string, LevelChange][] {
  const setTemplate: LevelChange = (state) => {
    state.hasMailTemplate = true
  }
  return [
    [
      `${base}.customtext.set`,
      ({ texts }, event) => {
        const parts = texts.living.get(textId(event))?.value
        texts.put(textId(event), { ...parts, [need(event, 'key', text)]: optional(event, 'text', text) ?? '' }, event)
      },
    ],
    [
      `${base}.customtext.removed`,
      ({ texts }, event) => {
        const { [need(event, 'key', text)]: _, ...parts } = texts.living.get(textId(event))?.value ?? {}
        if (Object.keys(parts).length === 0) texts.remove(textId(event))
        else texts.put(textId(event), parts, event)
      },
    ],
    [`${base}.customtext.template.removed`, ({ texts }, event) => texts.remove(textId(event))],
    [`${base}.mail.text.added`, setOldMailText],
    [`${base}.mail.text.changed`, setOldMailText],
    [
      `${base}.mail.text.removed`,
      ({ texts }, event) => texts.remove(`${need(event, 'mailTextType', text)} ${need(event, 'language', text)}`),
    ],
    [`${base}.mail.template.added`, setTemplate],
    [`${base}.mail.template.changed`, setTemplate],
    [
      `${base}.mail.template.removed`,
      (state) => {
        state.hasMailTemplate = false
      },
    ],
    [
      `${base}.hosted_login_translation.set`,
      ({ translations }, event) =>
        translations.put(need(event, 'language', text), optional(event, 'translation', object) ?? {}, event),
    ],
  ]
}

/** All changes of a level whose events begin with one of these words. */
function levelChanges(bases: readonly string[]): Changes<LevelState> {
  return Object.fromEntries(
    bases.flatMap((base) => [
      ...(Object.keys(POLICIES) as PolicyName[]).flatMap((name) => policyChanges(base, name)),
      ...listChanges(base),
      ...labelChanges(base),
      ...textChanges(base),
    ]),
  )
}

export const instanceLevel: Folding<LevelState> = {
  aggregateType: 'instance',
  initial: newLevel,
  changes: levelChanges(['instance', 'iam']),
}

export const organizationLevel: Folding<LevelState> = {
  aggregateType: 'org',
  initial: newLevel,
  changes: levelChanges(['org']),
  ends: ['org.removed'],
}
